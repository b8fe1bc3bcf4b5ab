// The values that the codes of a format stand for, before the scale. Of each kind:
//
//     nearest(t)    the values nearest to t
//     codeOf(v)     the codes of such values, as floats
//     kEnds         the values that the largest weight of a run may come to lie at: endValue(e), with the gap to the
//                   level before it, endGap(e). The lowest counts only where it is more than a mirror of the highest.
#pragma once

#include "lanes.h"
#include "pocketllm_abi.h"

namespace {

/** Integers; code 0 is the lowest. */
template <int lowest, int highest>
struct IntegerLevels {
  static constexpr int kEnds = lowest < 0 && lowest != -highest ? 2 : 1;
  static constexpr float endValue(int e) { return kEnds == 2 && e == 0 ? lowest : highest; }
  static constexpr float endGap(int) { return 1; }
  POCKET_INLINE f32x8 nearest(f32x8 t) {
    return nearestInteger(clamped(t, splat(float{lowest}), splat(float{highest})));
  }
  POCKET_INLINE f32x8 codeOf(f32x8 v) { return v - splat(float{lowest}); }
};

/** The sixteen values of iq4_nl and iq4_xs, in ascending order. */
struct Iq4Levels {
  static constexpr int kEnds = 2;
  static constexpr float endValue(int e) { return e == 0 ? -127 : 113; }
  static constexpr float endGap(int e) { return e == 0 ? 23 : 24; }

  /** Halfway between value i and the next. */
  static constexpr float border(int i) {
    constexpr float at[15] = {-115.5f, -93.5f, -74, -57, -42, -28.5f, -16, -4.5f, 7, 19, 31.5f, 45.5f, 61, 79, 101};
    return at[i];
  }

  POCKET_INLINE f32x8 nearest(f32x8 t) {
#ifdef __AVX2__
    // Halves the list four times: the place so far picks the next border out of a register.
    const __m256 x = (__m256)t;
    const __m256 upper = _mm256_cmp_ps(x, _mm256_set1_ps(border(7)), _CMP_GT_OQ);
    __m256i place = _mm256_srli_epi32(_mm256_castps_si256(upper), 31);
    const auto halve = [&](__m256 borders) {
      const __m256 above = _mm256_cmp_ps(x, _mm256_permutevar8x32_ps(borders, place), _CMP_GT_OQ);
      place = _mm256_sub_epi32(_mm256_add_epi32(place, place), _mm256_castps_si256(above));
    };
    halve(_mm256_setr_ps(border(3), border(11), 0, 0, 0, 0, 0, 0));
    halve(_mm256_setr_ps(border(1), border(5), border(9), border(13), 0, 0, 0, 0));
    halve(_mm256_setr_ps(border(0), border(2), border(4), border(6), border(8), border(10), border(12), border(14)));
    const __m256 low = _mm256_permutevar8x32_ps(_mm256_setr_ps(-127, -104, -83, -65, -49, -35, -22, -10), place);
    const __m256 high = _mm256_permutevar8x32_ps(_mm256_setr_ps(1, 13, 25, 38, 53, 69, 89, 113), place);
    return (f32x8)_mm256_blendv_ps(low, high, upper);
#else
    f32x8 v = splat(static_cast<float>(pocket_iq4_values[0]));
    for (int i = 0; i < 15; i++) v = t > splat(border(i)) ? splat(static_cast<float>(pocket_iq4_values[i + 1])) : v;
    return v;
#endif
  }

  POCKET_INLINE f32x8 codeOf(f32x8 v) {
    f32x8 code = splat(0.0f);
    for (int i = 0; i < 15; i++) code = v > splat(border(i)) ? splat(static_cast<float>(i + 1)) : code;
    return code;
  }
};

/** The values of mxfp4 and nvfp4, doubled: 0, 1, 2, 3, 4, 6, 8 and 12, then the same with the other sign. */
struct Fp4Levels {
  static constexpr int kEnds = 1;
  static constexpr float endValue(int) { return 12; }
  static constexpr float endGap(int) { return 4; }

  POCKET_INLINE f32x8 nearest(f32x8 t) {
    const i32x8 sign = (i32x8)t & splat(static_cast<int32_t>(0x80000000u));
    const f32x8 size = clamped(magnitude(t), splat(0.0f), splat(12.0f));
    // The gap is 1 below 4, then half of the power of two below: such a multiple of 1.5 * 2^23 rounds to it.
    const f32x8 power = (f32x8)((i32x8)size & splat(int32_t{0x7f800000}));
    f32x8 shifter = power * splat(6291456.0f);
    shifter = shifter > splat(12582912.0f) ? shifter : splat(12582912.0f);
    const f32x8 rounded = size + shifter - shifter;
    return (f32x8)((i32x8)rounded | sign);
  }

  POCKET_INLINE f32x8 codeOf(f32x8 v) {
    const f32x8 size = magnitude(v);
    f32x8 code = v < splat(0.0f) ? splat(8.0f) : splat(0.0f);
    for (int i = 1; i < 8; i++) {
      code += size >= splat(static_cast<float>(pocket_fp4_values[i])) ? splat(1.0f) : splat(0.0f);
    }
    return code;
  }
};

/** What the integer codes of sub-scales stand for: gap * code + first. */
template <int count>
struct SubLevels {
  static constexpr float kHighestCode = count - 1;
  float first;
  float gap;
  f32x8 nearestCode(f32x8 value) const {
    const f32x8 code = (value - splat(first)) * splat(1.0f / gap);
    return nearestInteger(clamped(code, splat(0.0f), splat(kHighestCode)));
  }
  f32x8 valueOf(f32x8 code) const { return code * splat(gap) + splat(first); }
};

/** -count / 2 and up. */
template <int count>
constexpr SubLevels<count> signedSubLevels() {
  return {-count / 2, 1};
}

/** From 0 up. */
template <int count>
constexpr SubLevels<count> plainSubLevels() {
  return {0, 1};
}

/** The first odd numbers, times `unit`: the sub-scales of iq1, iq2 and iq3. */
template <int count>
constexpr SubLevels<count> oddSubLevels(float unit) {
  return {unit, 2 * unit};
}

}  // namespace
