// patches, one unit a patch, from left to right and top to bottom.
//
//   out[p, (c * size + y) * size + x] = image[py * size + y, px * size + x, c]     image: [height, width, channels]
#pragma once

#include "../../vector/f32x8.h"
#include "../call.h"

namespace {

struct Patches {
  enum Size { kWidth, kChannels, kSize };
};

POCKET_INLINE void patches(const Call& call, int64_t from, int64_t to) {
  const int64_t width = call.size[Patches::kWidth];
  const int64_t channels = call.size[Patches::kChannels];
  const int64_t size = call.size[Patches::kSize];
  const float* image = static_cast<const float*>(call.in[0]);
  for (int64_t p = from; p < to; p++) {
    float* out = static_cast<float*>(call.out[0]) + p * channels * size * size;
    const int64_t top = p / (width / size) * size;
    const int64_t left = p % (width / size) * size;
    for (int64_t c = 0; c < channels; c++) {
      for (int64_t y = top; y < top + size; y++) {
        for (int64_t x = left; x < left + size; x++) *out++ = image[(y * width + x) * channels + c];
      }
    }
  }
}

}  // namespace
