import type { Run } from './fit.js';
import type { Grid } from './grid.js';
import { largestOf } from './largest.js';
import type { Levels } from './levels.js';
import { fitSuperBlock } from './super-block.js';

export interface SignedGridBlock {
  /** As a half holds it. */
  readonly scale: number;
  /** Four bits for each sub-block. */
  readonly subCodes: Uint8Array;
  /** By group of as many weights as a point of the grid stands for. */
  readonly points: Uint16Array;
  /** By group of eight weights; bit k set where weight k is negative. */
  readonly signs: Uint8Array;
}

export interface SignedGridLayout {
  readonly grid: Grid;
  /** Weights that share a sub-scale. */
  readonly subBlock: number;
  /** The step of a sub-block is the scale times one of these. */
  readonly subLevels: Levels;
  /** Whether the number of negatives in eight weights has to be even, as where seven bits store the signs. */
  readonly evenSigns: boolean;
}

/** How far the largest weight of a sub-block may come to lie from the highest level, in gaps between levels. */
const reaches = Array.from({ length: 8 }, (_, i) => -0.8 + i / 5);

/**
 * Encodes a block of 256 weights of iq2 or iq3: signs, points of a grid for the magnitudes, and a scale with
 * four-bit sub-scales.
 */
export function fitSignedGrid(
  x: Float32Array,
  from: number,
  importance: Float32Array,
  { grid, subBlock, subLevels, evenSigns }: SignedGridLayout,
): SignedGridBlock {
  const magnitudes = new Float64Array(256);
  const signs = new Uint8Array(32);
  for (let g = 0; g < 32; g++) {
    signs[g] = takeSigns(x, from + 8 * g, importance, evenSigns, magnitudes, 8 * g);
  }
  const points = new Uint16Array(256 / grid.width);
  const subBlocks = Array.from({ length: 256 / subBlock }, (_, s) => {
    const largest = Math.abs(largestOf(magnitudes, s * subBlock, subBlock));
    return {
      run: gridRun(grid, magnitudes, s * subBlock, subBlock, importance, from + s * subBlock, points),
      candidates: reaches.map((t) => largest / (grid.highest.value + t * grid.highest.gap)),
    };
  });
  return { ...fitSuperBlock(subBlocks, subLevels), points, signs };
}

/**
 * The signs of eight weights as bits, and their magnitudes. Where the number of negatives has to be even and
 * is not, the weight that matters least takes the other sign: its magnitude becomes negative.
 */
function takeSigns(
  x: Float32Array,
  from: number,
  importance: Float32Array,
  even: boolean,
  magnitudes: Float64Array,
  to: number,
): number {
  let signs = 0;
  let odd = false;
  let least = 0;
  let leastCost = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 8; k++) {
    const weight = x[from + k]!;
    if (weight < 0) {
      signs |= 1 << k;
      odd = !odd;
    }
    magnitudes[to + k] = Math.abs(weight);
    const cost = importance[from + k]! * weight * weight;
    if (cost < leastCost) {
      leastCost = cost;
      least = k;
    }
  }
  if (!even || !odd) return signs;
  magnitudes[to + least]! *= -1;
  return signs ^ (1 << least);
}

/** A run of magnitudes that are snapped to points of a grid, group by group. */
function gridRun(
  grid: Grid,
  magnitudes: Float64Array,
  at: number,
  count: number,
  importance: Float32Array,
  importanceAt: number,
  points: Uint16Array,
): Run {
  const { width, values } = grid;
  const targets = new Float64Array(width);
  const run = {
    xv: 0,
    vv: 0,
    snap: (step: number) => {
      const inverse = step === 0 ? 0 : 1 / step;
      let xv = 0;
      let vv = 0;
      for (let i = 0; i < count; i += width) {
        for (let k = 0; k < width; k++) targets[k] = magnitudes[at + i + k]! * inverse;
        const point = grid.nearest(targets, importance, importanceAt + i);
        points[(at + i) / width] = point;
        for (let k = 0; k < width; k++) {
          const value = values[point * width + k]!;
          const scaled = importance[importanceAt + i + k]! * value;
          xv += scaled * magnitudes[at + i + k]!;
          vv += scaled * value;
        }
      }
      run.xv = xv;
      run.vv = vv;
    },
  };
  return run;
}
