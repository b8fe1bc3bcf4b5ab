// Attention for AVX-512: prompts 32 queries at a time.
#include "../../kernels/attention/avx512/attention_avx512.h"
#include "../no_lines.h"

namespace {

template <class Stored>
POCKET_INLINE void attendWide(const AttentionUnit& unit) {
  attendBy<FloatProducts<Stored>>(unit);
}

}  // namespace

#define POCKET_ATTEND attendWide
#define POCKET_ATTEND_QUERIES kPromptQueries
#define POCKET_ATTEND_SCRATCH wideScratch
#undef POCKET_DEFINE_avx512vnni
#define POCKET_DEFINE_avx512vnni(name, format) POCKET_DEFINE_ATTENTION(name, format)
#include "../attention_kernels.h"
