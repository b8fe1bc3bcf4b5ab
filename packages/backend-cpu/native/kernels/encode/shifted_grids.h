// iq1_s and iq1_m: 256 weights as points of a grid out of -1, 0 and 1, the values of each group shifted up or down by an
// eighth, and a scale with sub-scales of three bits.
#pragma once

#include "grid_search.h"
#include "super_block.h"

namespace {

/** Runs of `size` weights share a sub-scale, `shared` weights a shift. */
template <int size, int shared>
struct ShiftedGridBlock {
  typedef book_iq1_s Book;
  static constexpr int kGroups = 256 / size / kLanes;
  static constexpr int kCandidates = 8;
  const Grid<Book>& grid = Grid<Book>::get();
  f32x8 x[32];
  f32x8 importance[32];
  f32x8 largest[kGroups];

  Units load(const float* from, const float* importanceFrom) {
    const Units units = unitsOfBlock(from, 256);
    for (int e = 0; e < 32; e++) {
      importance[e] = load8(importanceFrom + 8 * e);
      x[e] = load8(from + 8 * e) * units.down;
    }
    largestMagnitudes<size>(x, largest);
    return units;
  }

  /** What the largest weight is, counted in steps: 1.2 to 4. */
  f32x8 candidate(int c, int group) const {
    return largest[group] * splat(1.0f / (1.2f + 0.4f * static_cast<float>(c)));
  }

  void snap(const f32x8* steps, Sums* sums) const {
    for (int r = 0; r < 256 / size; r++) {
      float xv = 0;
      float vv = 0;
      for (int e = r * size / 8; e < (r + 1) * size / 8; e += shared / 8) {
        const Part part = snapPart(e, steps[r / kLanes][r % kLanes]);
        xv += part.xv;
        vv += part.vv;
      }
      sums[r / kLanes].xv[r % kLanes] = xv;
      sums[r / kLanes].vv[r % kLanes] = vv;
    }
  }

  /** The points at these steps by group of eight, and for each 1 where it is shifted down. */
  void storePoints(const f32x8* steps, uint16_t* points, uint8_t* down) const {
    for (int e = 0; e < 32; e += shared / 8) {
      const int r = 8 * e / size;
      const Part part = snapPart(e, steps[r / kLanes][r % kLanes]);
      for (int g = 0; g < shared / 8; g++) {
        points[e + g] = grid.pointOf[part.codes[g]];
        down[e + g] = part.isDown;
      }
    }
  }

 private:
  struct Part {
    float xv;
    float vv;
    bool isDown;
    uint32_t codes[shared / 8];
  };

  /** The groups from e on that share a shift, with the one that suits them better; of equals, up. */
  Part snapPart(int e, float step) const {
    const Part up = snapShifted(e, step, 0.125f);
    Part down = snapShifted(e, step, -0.125f);
    down.isDown = true;
    return step * (2 * down.xv - step * down.vv) > step * (2 * up.xv - step * up.vv) ? down : up;
  }

  Part snapShifted(int e, float step, float shift) const {
    const f32x8 inverse = splat(step > 1e-30f ? 1 / step : 0.0f);
    f32x8 xv = splat(0.0f);
    f32x8 vv = splat(0.0f);
    Part part;
    part.isDown = false;
    for (int g = 0; g < shared / 8; g++) {
      nearestPoints(grid, x[e + g] * inverse - splat(shift), importance[e + g], part.codes + g);
      const f32x8 v = valuesOf<Book>(part.codes + g) + splat(shift);
      const f32x8 scaled = importance[e + g] * v;
      xv = multiplyAdd(scaled, x[e + g], xv);
      vv = multiplyAdd(scaled, v, vv);
    }
    part.xv = sumOf(xv);
    part.vv = sumOf(vv);
    return part;
  }
};

/** A block that is fitted: what is left to write. */
template <class Runs>
struct ShiftedGridFit {
  SuperBlock<Runs::kGroups> block;
  uint16_t points[32];
  /** 1 where a group is shifted down. */
  uint8_t down[32];

  ShiftedGridFit(const float* x, const float* importance) {
    Runs runs;
    const Units units = runs.load(x, importance);
    block = fitSuperBlock(runs, oddSubLevels<8>(1), units);
    runs.storePoints(block.steps, points, down);
  }
};

struct encoder_iq1_s {
  typedef pocket_iq1_s Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    const ShiftedGridFit<ShiftedGridBlock<32, 32>> fit(x, importance);
    out->scale = fit.block.scale;
    for (int s = 0; s < 8; s++) {
      int high = fit.down[4 * s] << 15 | fit.block.subCodes[s] << 12;
      for (int g = 0; g < 4; g++) {
        out->q[4 * s + g] = static_cast<uint8_t>(fit.points[4 * s + g]);
        high |= fit.points[4 * s + g] >> 8 << 3 * g;
      }
      out->q_high[s] = static_cast<uint16_t>(high);
    }
  }
};

struct encoder_iq1_m {
  typedef pocket_iq1_m Block;
  static constexpr int kWeights = 256;
  static constexpr int kAtOnce = 1;
  static void encode(const float* x, const float* importance, int, Block* out) {
    const ShiftedGridFit<ShiftedGridBlock<16, 8>> fit(x, importance);
    const auto highOf = [&](int g) { return fit.points[g] >> 8 | fit.down[g] << 3; };
    for (int g = 0; g < 32; g++) out->q[g] = static_cast<uint8_t>(fit.points[g]);
    for (int s = 0; s < 16; s++) out->q_high[s] = static_cast<uint8_t>(highOf(2 * s) | highOf(2 * s + 1) << 4);
    for (int word = 0; word < 4; word++) {
      // The bits of the scale are the top nibbles of the four words.
      int bits = (fit.block.scale >> 4 * word & 15) << 12;
      for (int s = 0; s < 4; s++) bits |= fit.block.subCodes[4 * word + s] << 3 * s;
      out->sub_scales[word] = static_cast<uint16_t>(bits);
    }
  }
};

}  // namespace
