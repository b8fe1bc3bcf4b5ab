// Matmul for AVX-VNNI: products of bytes by vpdpbusd; lines of 16 weight rows for prompts, weight rows for what decodes.
#define POCKET_AVXVNNI
#include "../../kernels/matmul/avxvnni/line_matmul.h"
#include "../../kernels/matmul/int8_tile_avx2.h"
#include "../no_lines.h"

namespace {

template <class Format>
POCKET_INLINE void tileOf(const MatmulTile& tile) {
  if (tile.fine) {
    int8Tile<Format>(tile);
  } else {
    lineTile<Format>(tile);
  }
}

}  // namespace

#define POCKET_TILE tileOf
#undef POCKET_DEFINE_avxvnni
#define POCKET_DEFINE_avxvnni(name, format) POCKET_DEFINE_MATMUL(name, format)
#include "../matmul_kernels.h"
