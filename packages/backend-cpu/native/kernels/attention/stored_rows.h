// How keys and values stand in the cache, by its format: a row of one head, read eight numbers at a time.
#pragma once

#include "../../formats/half.h"
#include "pocketllm_abi.h"

namespace {

struct StoredF32 {
  static constexpr int32_t kFormat = POCKET_FORMAT_F32;
  POCKET_INLINE int64_t bytesOf(int64_t n) { return 4 * n; }
  /** Numbers i to i + 7, of which `count` exist; zeros behind them. */
  POCKET_INLINE f32x8 load(const uint8_t* row, int64_t i, int64_t count) {
    const float* p = reinterpret_cast<const float*>(row) + i;
    return count >= 8 ? load8(p) : loadPart(p, count);
  }
  POCKET_INLINE void write(const float* x, int64_t n, uint8_t* row) {
    memcpy(row, x, static_cast<size_t>(n) * sizeof(float));
  }
};

struct StoredF16 {
  static constexpr int32_t kFormat = POCKET_FORMAT_F16;
  POCKET_INLINE int64_t bytesOf(int64_t n) { return 2 * n; }
  POCKET_INLINE f32x8 load(const uint8_t* row, int64_t i, int64_t count) {
    const uint16_t* p = reinterpret_cast<const uint16_t*>(row) + i;
    if (count >= 8) return loadHalves(p);
    f32x8 v = splat(0.0f);
    for (int64_t j = 0; j < count; j++) v[j] = floatOfHalf(p[j]);
    return v;
  }
  POCKET_INLINE void write(const float* x, int64_t n, uint8_t* row) {
    uint16_t* p = reinterpret_cast<uint16_t*>(row);
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) storeHalves(p + i, load8(x + i));
    for (; i < n; i++) p[i] = halfOfFloat(x[i]);
  }
};

/** Rows are whole blocks of 32. */
struct StoredQ8_0 {
  static constexpr int32_t kFormat = POCKET_FORMAT_Q8_0;
  POCKET_INLINE int64_t bytesOf(int64_t n) { return n / POCKET_Q8_0_WEIGHTS * POCKET_Q8_0_BYTES; }
  POCKET_INLINE f32x8 load(const uint8_t* row, int64_t i, int64_t) {
    const pocket_q8_0* block = reinterpret_cast<const pocket_q8_0*>(row) + i / POCKET_Q8_0_WEIGHTS;
    const int8_t* q = block->q + i % POCKET_Q8_0_WEIGHTS;
    f32x8 v;
    for (int j = 0; j < 8; j++) v[j] = static_cast<float>(q[j]);
    return v * splat(floatOfHalf(block->scale));
  }
  /** The scale is the largest magnitude / 127; codes round half away from zero, as in the reference. */
  POCKET_INLINE void write(const float* x, int64_t n, uint8_t* row) {
    pocket_q8_0* block = reinterpret_cast<pocket_q8_0*>(row);
    for (int64_t i = 0; i < n; i += POCKET_Q8_0_WEIGHTS, block++) {
      float largest = 0;
      for (int j = 0; j < POCKET_Q8_0_WEIGHTS; j++) {
        const float size = __builtin_fabsf(x[i + j]);
        largest = size > largest || size != size ? size : largest;
      }
      const float scale = largest / 127.0f;
      const float inverse = scale == 0 ? 0.0f : 1.0f / scale;
      block->scale = halfOfFloat(scale);
      for (int j = 0; j < POCKET_Q8_0_WEIGHTS; j++) {
        const float scaled = x[i + j] * inverse;
        const float size = __builtin_fabsf(scaled) + 0.5f;
        const int code = size < 127.0f ? static_cast<int>(size) : 127;
        block->q[j] = static_cast<int8_t>(scaled < 0 ? -code : code);
      }
    }
  }
};

}  // namespace
