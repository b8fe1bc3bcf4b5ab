// Matmul for AMX: tiles of bf16 for rows of prompts, the kernels of AVX-512 for those that decode.
#include "../../kernels/matmul/amx/tile_matmul.h"
#include "../../kernels/matmul/float_tile.h"
#include "../no_lines.h"

namespace {

template <class Format>
POCKET_INLINE void tileOf(const MatmulTile& tile) {
  if (!tile.fine) {
    promptTile<Format>(tile);
  } else if constexpr (Format::kPlain) {
    floatTile<Format>(tile);
  } else {
    panelTile<Format>(tile);
  }
}

}  // namespace

#define POCKET_TILE tileOf
#undef POCKET_DEFINE_amx
#define POCKET_DEFINE_amx(name, format) POCKET_DEFINE_MATMUL(name, format)
#include "../matmul_kernels.h"
