// Formats of 256 scalars whose sub-blocks have a step alone: q3_k, q6_k and iq4_xs.
#pragma once

#include "super_block.h"
#include "write.h"

namespace {

struct encoder_q6_k {
  typedef pocket_q6_k Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    ScalarBlock<IntegerLevels<-32, 31>, 16> runs;
    const Units units = runs.load(x, importance);
    const auto block = fitSuperBlock(runs, signedSubLevels<256>(), units);
    uint8_t codes[256];
    runs.storeCodes(block.steps, codes);
    writeNibbles(codes, 256, 64, out->q);
    writeTwoBits(codes, 4, out->q_high);
    for (int s = 0; s < 16; s++) out->sub_scales[s] = static_cast<int8_t>(block.subCodes[s] - 128);
    out->scale = block.scale;
  }
};

struct encoder_q3_k {
  typedef pocket_q3_k Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    ScalarBlock<IntegerLevels<-4, 3>, 16> runs;
    const Units units = runs.load(x, importance);
    const auto block = fitSuperBlock(runs, signedSubLevels<64>(), units);
    uint8_t codes[256];
    runs.storeCodes(block.steps, codes);
    writeOneBit(codes, 2, out->q_high);
    writeTwoBits(codes, 0, out->q);
    const uint8_t* sub = block.subCodes;
    for (int s = 0; s < 8; s++) out->sub_scales[s] = static_cast<uint8_t>((sub[s] & 15) | sub[s + 8] << 4);
    for (int s = 0; s < 4; s++) {
      const int high = sub[s] >> 4 | (sub[s + 4] >> 4) << 2 | (sub[s + 8] >> 4) << 4 | (sub[s + 12] >> 4) << 6;
      out->sub_scales[8 + s] = static_cast<uint8_t>(high);
    }
    out->scale = block.scale;
  }
};

struct encoder_iq4_xs {
  typedef pocket_iq4_xs Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    ScalarBlock<Iq4Levels, 32> runs;
    const Units units = runs.load(x, importance);
    const auto block = fitSuperBlock(runs, signedSubLevels<64>(), units);
    uint8_t codes[256];
    runs.storeCodes(block.steps, codes);
    writeNibbles(codes, 256, 16, out->q);
    writeSubNibbles(block.subCodes, 8, out->sub_scales);
    int high = 0;
    for (int s = 0; s < 8; s++) high |= block.subCodes[s] >> 4 << 2 * s;
    out->sub_scales_high = static_cast<uint16_t>(high);
    out->scale = block.scale;
  }
};

}  // namespace
