import type { Run } from './fit.js';
import type { Grid } from './grid.js';
import { largestOf } from './largest.js';
import { oddLevels } from './levels.js';
import { fitSuperBlock } from './super-block.js';

export interface ShiftedGridBlock {
  /** As a half holds it. */
  readonly scale: number;
  /** Three bits for each sub-block. */
  readonly subCodes: Uint8Array;
  /** By group of eight weights. */
  readonly points: Uint16Array;
  /** By group of eight weights: 1 where the values are shifted down, 0 where up. */
  readonly shifts: Uint8Array;
}

export interface ShiftedGridLayout {
  readonly grid: Grid;
  /** Weights that share a sub-scale. */
  readonly subBlock: number;
  /** Weights that share a shift. */
  readonly shiftBlock: number;
}

/** By how much all values of a group are moved, by the bit that says so. */
const shiftOf = [0.125, -0.125];

const subLevels = oddLevels(8, 1);

/** What the largest weight of a sub-block may be, counted in steps. */
const reaches = Array.from({ length: 8 }, (_, i) => 1.2 + i * 0.4);

/**
 * Encodes a block of 256 weights of iq1: points of a grid out of -1, 0 and 1, all shifted a little, and a
 * scale with three-bit sub-scales.
 */
export function fitShiftedGrid(
  x: Float32Array,
  from: number,
  importance: Float32Array,
  { grid, subBlock, shiftBlock }: ShiftedGridLayout,
): ShiftedGridBlock {
  const points = new Uint16Array(32);
  const shifts = new Uint8Array(32);
  const subBlocks = Array.from({ length: 256 / subBlock }, (_, s) => {
    const largest = Math.abs(largestOf(x, from + s * subBlock, subBlock));
    return {
      run: shiftedRun(grid, x, from, s * subBlock, subBlock, shiftBlock, importance, points, shifts),
      candidates: reaches.map((reach) => largest / reach),
    };
  });
  return { ...fitSuperBlock(subBlocks, subLevels), points, shifts };
}

/** A run of weights `at` and up in the block at `from`; the better shift is chosen for each part that has one. */
function shiftedRun(
  grid: Grid,
  x: Float32Array,
  from: number,
  at: number,
  count: number,
  shiftBlock: number,
  importance: Float32Array,
  points: Uint16Array,
  shifts: Uint8Array,
): Run {
  const targets = new Float64Array(8);
  const tried = new Uint16Array(shiftBlock / 8);
  /** Snaps one part with one shift. */
  const snapPart = (part: number, shift: number, inverse: number) => {
    let xv = 0;
    let vv = 0;
    for (let g = 0; g < shiftBlock / 8; g++) {
      const group = from + part + 8 * g;
      for (let k = 0; k < 8; k++) targets[k] = x[group + k]! * inverse - shift;
      const point = grid.nearest(targets, importance, group);
      tried[g] = point;
      for (let k = 0; k < 8; k++) {
        const value = grid.values[8 * point + k]! + shift;
        const scaled = importance[group + k]! * value;
        xv += scaled * x[group + k]!;
        vv += scaled * value;
      }
    }
    return { xv, vv };
  };
  const run = {
    xv: 0,
    vv: 0,
    snap: (step: number) => {
      const inverse = step === 0 ? 0 : 1 / step;
      run.xv = 0;
      run.vv = 0;
      for (let part = at; part < at + count; part += shiftBlock) {
        let best = { xv: 0, vv: 0 };
        let bestGain = Number.NEGATIVE_INFINITY;
        for (const [bit, shift] of shiftOf.entries()) {
          const sums = snapPart(part, shift, inverse);
          const gain = step * (2 * sums.xv - step * sums.vv);
          if (gain <= bestGain) continue;
          bestGain = gain;
          best = sums;
          points.set(tried, part / 8);
          shifts.fill(bit, part / 8, (part + shiftBlock) / 8);
        }
        run.xv += best.xv;
        run.vv += best.vv;
      }
    },
  };
  return run;
}
