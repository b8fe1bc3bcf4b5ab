// Matmul for AVX-VNNI: the kernels of AVX2 on panels, with products of bytes by vpdpbusd.
#define POCKET_AVXVNNI
#include "../../kernels/matmul/avx2/panel_matmul.h"
#include "../no_lines.h"
#define POCKET_TILE panelTile
#undef POCKET_DEFINE_avxvnni
#define POCKET_DEFINE_avxvnni(name, format) POCKET_DEFINE_MATMUL(name, format)
#include "../matmul_kernels.h"
