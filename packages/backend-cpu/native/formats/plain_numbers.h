// f32, f16 and bf16: one number a weight, eight of them read at once.
#pragma once

#include "half.h"
#include "pocketllm_abi.h"

namespace {

struct format_f32 {
  typedef float Number;
  static constexpr bool kPlain = true;
  POCKET_INLINE f32x8 load(const Number* p) { return load8(p); }
  POCKET_INLINE float toFloat(Number x) { return x; }
};

struct format_f16 {
  typedef uint16_t Number;
  static constexpr bool kPlain = true;
  POCKET_INLINE f32x8 load(const Number* p) { return loadHalves(p); }
  POCKET_INLINE float toFloat(Number x) { return floatOfHalf(x); }
};

struct format_bf16 {
  typedef uint16_t Number;
  static constexpr bool kPlain = true;
  POCKET_INLINE f32x8 load(const Number* p) { return loadBf16s(p); }
  POCKET_INLINE float toFloat(Number x) { return floatOfBf16(x); }
};

/** The first `count` < 8 numbers, zeros behind them. */
template <class Format>
POCKET_INLINE f32x8 loadPartOf(const typename Format::Number* p, int64_t count) {
  f32x8 v = splat(0.0f);
  for (int64_t i = 0; i < count; i++) v[i] = Format::toFloat(p[i]);
  return v;
}

}  // namespace
