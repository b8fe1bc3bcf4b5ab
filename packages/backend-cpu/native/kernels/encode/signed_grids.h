// Formats of 256 weights whose magnitudes are points of a grid: iq2 and iq3. Signs, points, and a scale with sub-scales
// of four bits.
#pragma once

#include "grid_search.h"
#include "super_block.h"
#include "write.h"

namespace {

/** `evenSigns`: the number of negatives in eight weights is even, as where seven bits store the signs. */
template <class GridBook, int size, bool evenSigns>
struct SignedGridBlock {
  typedef GridBook Book;
  static constexpr int kGroups = 256 / size / kLanes;
  static constexpr int kCandidates = 8;
  const Grid<Book>& grid = Grid<Book>::get();
  f32x8 magnitudes[32];
  f32x8 importance[32];
  f32x8 largest[kGroups];
  /** Bit k set where weight k of eight is negative. */
  uint8_t signs[32];

  Units load(const float* x, const float* importanceFrom) {
    const Units units = unitsOfBlock(x, 256);
    for (int e = 0; e < 32; e++) {
      importance[e] = load8(importanceFrom + 8 * e);
      takeSigns(load8(x + 8 * e) * units.down, e);
    }
    largestMagnitudes<size>(magnitudes, largest);
    return units;
  }

  /** Where the largest weight comes to lie: from 0.8 gaps of levels inside the highest to 0.6 outside. */
  f32x8 candidate(int c, int group) const {
    constexpr float highest = Book::level(Book::kLevels - 1);
    constexpr float gap = highest - Book::level(Book::kLevels - 2);
    return largest[group] * splat(1.0f / (highest + (-0.8f + 0.2f * static_cast<float>(c)) * gap));
  }

  void snap(const f32x8* steps, Sums* sums) const {
    for (int r = 0; r < 256 / size; r++) {
      const float step = steps[r / kLanes][r % kLanes];
      const f32x8 inverse = splat(step > 1e-30f ? 1 / step : 0.0f);
      f32x8 xv = splat(0.0f);
      f32x8 vv = splat(0.0f);
      for (int e = r * size / 8; e < (r + 1) * size / 8; e++) {
        uint32_t codes[2];
        nearestPoints(grid, magnitudes[e] * inverse, importance[e], codes);
        const f32x8 v = valuesOf<Book>(codes);
        const f32x8 scaled = importance[e] * v;
        xv = multiplyAdd(scaled, magnitudes[e], xv);
        vv = multiplyAdd(scaled, v, vv);
      }
      sums[r / kLanes].xv[r % kLanes] = sumOf(xv);
      sums[r / kLanes].vv[r % kLanes] = sumOf(vv);
    }
  }

  /** The points at these steps, group after group. */
  void storePoints(const f32x8* steps, uint16_t* points) const {
    for (int e = 0; e < 32; e++) {
      const int r = 8 * e / size;
      const float step = steps[r / kLanes][r % kLanes];
      uint32_t codes[2];
      nearestPoints(grid, magnitudes[e] * splat(step > 1e-30f ? 1 / step : 0.0f), importance[e], codes);
      for (int g = 0; g < kLanes / Book::kWidth; g++) points[e * kLanes / Book::kWidth + g] = grid.pointOf[codes[g]];
    }
  }

 private:
  /**
   * Signs and magnitudes of eight weights. Where the number of negatives has to be even and is not, the weight that
   * matters least takes the other sign: its magnitude becomes negative.
   */
  void takeSigns(f32x8 x, int e) {
    const i32x8 negative = x < splat(0.0f);
    magnitudes[e] = magnitude(x);
    int bits = 0;
    for (int k = 0; k < 8; k++) bits |= (negative[k] & 1) << k;
    if (evenSigns && __builtin_parity(static_cast<unsigned>(bits)) != 0) {
      const f32x8 costs = importance[e] * x * x;
      int least = 0;
      for (int k = 1; k < 8; k++) least = costs[k] < costs[least] ? k : least;
      magnitudes[e][least] = -magnitudes[e][least];
      bits ^= 1 << least;
    }
    signs[e] = static_cast<uint8_t>(bits);
  }
};

/** A block that is fitted: what is left to write. */
template <class Runs>
struct SignedGridFit {
  Runs runs;
  SuperBlock<Runs::kGroups> block;
  uint16_t points[256 / Runs::Book::kWidth];

  SignedGridFit(const float* x, const float* importance, const SubLevels<16>& sub) {
    const Units units = runs.load(x, importance);
    block = fitSuperBlock(runs, sub, units);
    runs.storePoints(block.steps, points);
  }

  /** Signs of 32 weights as four indices of seven bits, below the sub-scale. */
  uint32_t signsAndScale(int s) const {
    uint32_t word = static_cast<uint32_t>(block.subCodes[s]) << 28;
    for (int g = 0; g < 4; g++) word |= static_cast<uint32_t>(runs.signs[4 * s + g] & 127) << 7 * g;
    return word;
  }
};

struct encoder_iq2_xxs {
  typedef pocket_iq2_xxs Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    const SignedGridFit<SignedGridBlock<book_iq2_xxs, 32, true>> fit(x, importance, oddSubLevels<16>(1.0f / 8));
    out->scale = fit.block.scale;
    for (int s = 0; s < 8; s++) {
      uint32_t indices = 0;
      for (int g = 0; g < 4; g++) indices |= static_cast<uint32_t>(fit.points[4 * s + g]) << 8 * g;
      out->q[2 * s] = indices;
      out->q[2 * s + 1] = fit.signsAndScale(s);
    }
  }
};

struct encoder_iq2_xs {
  typedef pocket_iq2_xs Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    const SignedGridFit<SignedGridBlock<book_iq2_xs, 16, true>> fit(x, importance, oddSubLevels<16>(1.0f / 8));
    out->scale = fit.block.scale;
    for (int g = 0; g < 32; g++) out->q[g] = static_cast<uint16_t>(fit.points[g] | (fit.runs.signs[g] & 127) << 9);
    writeSubNibbles(fit.block.subCodes, 16, out->sub_scales);
  }
};

struct encoder_iq2_s {
  typedef pocket_iq2_s Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    const SignedGridFit<SignedGridBlock<book_iq2_s, 16, false>> fit(x, importance, oddSubLevels<16>(1.0f / 8));
    out->scale = fit.block.scale;
    for (int s = 0; s < 8; s++) {
      int high = 0;
      for (int g = 0; g < 4; g++) {
        out->q[4 * s + g] = static_cast<uint8_t>(fit.points[4 * s + g]);
        high |= fit.points[4 * s + g] >> 8 << 2 * g;
      }
      out->q_high[s] = static_cast<uint8_t>(high);
    }
    memcpy(out->signs, fit.runs.signs, sizeof out->signs);
    writeSubNibbles(fit.block.subCodes, 16, out->sub_scales);
  }
};

struct encoder_iq3_xxs {
  typedef pocket_iq3_xxs Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    const SignedGridFit<SignedGridBlock<book_iq3_xxs, 32, true>> fit(x, importance, oddSubLevels<16>(1.0f / 4));
    out->scale = fit.block.scale;
    for (int g = 0; g < 64; g++) out->q[g] = static_cast<uint8_t>(fit.points[g]);
    for (int s = 0; s < 8; s++) out->signs[s] = fit.signsAndScale(s);
  }
};

struct encoder_iq3_s {
  typedef pocket_iq3_s Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    const SignedGridFit<SignedGridBlock<book_iq3_s, 32, false>> fit(x, importance, oddSubLevels<16>(1));
    out->scale = fit.block.scale;
    for (int s = 0; s < 8; s++) {
      int high = 0;
      for (int g = 0; g < 8; g++) {
        out->q[8 * s + g] = static_cast<uint8_t>(fit.points[8 * s + g]);
        high |= fit.points[8 * s + g] >> 8 << g;
      }
      out->q_high[s] = static_cast<uint8_t>(high);
    }
    memcpy(out->signs, fit.runs.signs, sizeof out->signs);
    writeSubNibbles(fit.block.subCodes, 8, out->sub_scales);
  }
};

}  // namespace
