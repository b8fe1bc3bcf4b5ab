import { floatOfHalf, halfOfFloat } from '../formats/half.js';
import { largestOf } from './largest.js';
import type { Levels } from './levels.js';

/**
 * A run of weights that share a step: each is stored as step times a value out of a set. `snap` chooses the
 * values nearest to the weights at a step, keeps their codes, and sets the sums over the run:
 * `xv` = sum of importance * x * value, `vv` = sum of importance * value^2.
 */
export interface Run {
  readonly snap: (step: number) => void;
  xv: number;
  vv: number;
}

/**
 * By how much the weighted squared error of a run falls, against storing zeros, when its values are stored
 * with `step`. At the best step, xv / vv, that is xv^2 / vv.
 */
export const gainOf = ({ xv, vv }: Run, step: number): number => step * (2 * xv - step * vv);

/** Snaps a run at each of some steps, and returns the best step for the best choice of values. */
export function bestStep(run: Run, candidates: Iterable<number>): number {
  let best = 0;
  let bestGain = 0;
  for (const step of candidates) {
    run.snap(step);
    const gain = run.vv > 0 ? (run.xv * run.xv) / run.vv : 0;
    if (gain > bestGain) {
      bestGain = gain;
      best = run.xv / run.vv;
    }
  }
  return best;
}

/** The best of the steps with an index from `first` to `last`. Leaves the run snapped at it. */
export function bestIndex(run: Run, stepOf: (index: number) => number, first: number, last: number) {
  let best = first;
  let bestGain = Number.NEGATIVE_INFINITY;
  for (let index = first; index <= last; index++) {
    const step = stepOf(index);
    run.snap(step);
    const gain = gainOf(run, step);
    if (gain > bestGain) {
      bestGain = gain;
      best = index;
    }
  }
  run.snap(stepOf(best));
  return { index: best, gain: bestGain };
}

/** The nearest value that a finite half holds. */
export const roundToHalf = (value: number): number =>
  floatOfHalf(halfOfFloat(Math.min(Math.max(value, -65504), 65504)));

/** How often values and scale are fitted to each other in turn, at most; most blocks stand still earlier. */
const rounds = 4;

/**
 * The scale of a run that is kept as a half: starts from the best of `candidates`, then fits values and scale
 * to each other in turn. Leaves the run snapped at the scale that it returns.
 */
export function fitScale(run: Run, candidates: Iterable<number>): number {
  let scale = roundToHalf(bestStep(run, candidates));
  let best = 0;
  let bestGain = 0;
  for (let round = 0; round < rounds; round++) {
    run.snap(scale);
    const gain = gainOf(run, scale);
    if (gain <= bestGain) break;
    bestGain = gain;
    best = scale;
    scale = roundToHalf(run.xv / run.vv);
  }
  run.snap(best);
  return best;
}

/** A run over `x` whose codes stand for single values. */
export function scalarRun(
  x: ArrayLike<number>,
  from: number,
  count: number,
  importance: ArrayLike<number>,
  levels: Levels,
  codes: Uint8Array,
  codesFrom: number,
): Run {
  const { values, nearest } = levels;
  const run = {
    xv: 0,
    vv: 0,
    snap: (step: number) => {
      const inverse = step === 0 ? 0 : 1 / step;
      let xv = 0;
      let vv = 0;
      for (let i = 0; i < count; i++) {
        const weight = x[from + i]!;
        const code = nearest(weight * inverse);
        const value = values[code]!;
        const scaled = importance[from + i]! * value;
        xv += scaled * weight;
        vv += scaled * value;
        codes[codesFrom + i] = code;
      }
      run.xv = xv;
      run.vv = vv;
    },
  };
  return run;
}

/**
 * Steps to try for a run of scalars: those at which its largest weight comes to lie near the lowest or the
 * highest level, between one gap of levels inside and two outside (cutting off the largest costs less, the
 * fewer levels there are).
 */
export function scalarCandidates(
  x: ArrayLike<number>,
  from: number,
  count: number,
  levels: Levels,
): number[] {
  const largest = largestOf(x, from, count);
  if (largest === 0) return [];
  return levels.ends.flatMap(({ value, gap }) =>
    reaches.map((t) => largest / (value + t * gap * Math.sign(value))).filter(Number.isFinite),
  );
}

const reaches = Array.from({ length: 8 }, (_, i) => -0.8 + i * 0.4);

/** Encodes a run of scalars that has a scale of its own, kept as a half. */
export function fitScalars(
  x: Float32Array,
  from: number,
  count: number,
  importance: Float32Array,
  levels: Levels,
): { scale: number; codes: Uint8Array } {
  const codes = new Uint8Array(count);
  const run = scalarRun(x, from, count, importance, levels, codes, 0);
  return { scale: fitScale(run, scalarCandidates(x, from, count, levels)), codes };
}
