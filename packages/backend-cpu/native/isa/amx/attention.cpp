// Attention for AMX: prompts on a cache of f16 by tiles. What decodes, and other caches, are those of AVX-512.
#include "../../kernels/attention/amx/tile_products.h"
#include "../../kernels/attention/avx512/attention_avx512.h"
#include "../no_lines.h"

namespace {

template <class Stored>
POCKET_INLINE void attendByTiles(const AttentionUnit& unit) {
  attendBy<TileProducts>(unit);
}

}  // namespace

#define POCKET_ATTEND attendByTiles
#define POCKET_ATTEND_QUERIES kPromptQueries
#define POCKET_ATTEND_SCRATCH wideScratch
#undef POCKET_DEFINE_amx
#define POCKET_DEFINE_amx(name, format) POCKET_DEFINE_ATTENTION(name, format)
#include "../attention_kernels.h"
