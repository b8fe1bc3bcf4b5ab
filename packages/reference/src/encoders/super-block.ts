import { bestIndex, bestStep, type Run, roundToHalf, scalarCandidates, scalarRun } from './fit.js';
import type { Levels } from './levels.js';

/** A run of a super-block, with the steps that are worth trying for it. */
export interface SubBlock {
  readonly run: Run;
  readonly candidates: readonly number[];
}

/** How often the scale of the block and the codes of its sub-blocks are fitted to each other, at most. */
const rounds = 4;

/**
 * Encodes the scales of a block whose sub-blocks have steps of scale * subLevels.values[code].
 * First the best step of each sub-block alone, then a scale for all of them, then, in turn, a code for each
 * sub-block out of the one it has and its neighbours, and the scale that suits all codes best.
 * Leaves each run snapped at its final step.
 *
 * @returns the value of the scale, as a half holds it, and the code of each sub-block
 */
export function fitSuperBlock(
  subBlocks: readonly SubBlock[],
  subLevels: Levels,
): { scale: number; subCodes: Uint8Array } {
  const { values, nearest } = subLevels;
  const subCodes = new Uint8Array(subBlocks.length);
  const steps = new Float64Array(subBlocks.length);
  const curvatures = new Float64Array(subBlocks.length);
  subBlocks.forEach(({ run, candidates }, s) => {
    steps[s] = bestStep(run, candidates);
    run.snap(steps[s]!);
    curvatures[s] = run.vv;
  });

  const stepsRun = scalarRun(steps, 0, steps.length, curvatures, subLevels, subCodes, 0);
  let scale = roundToHalf(bestStep(stepsRun, scalarCandidates(steps, 0, steps.length, subLevels)));
  const codes = Uint8Array.from(steps, (step) => nearest(scale === 0 ? 0 : step / scale));

  let bestScale = 0;
  let bestGain = 0;
  for (let round = 0; round < rounds; round++) {
    let gain = 0;
    let xv = 0;
    let vv = 0;
    subBlocks.forEach(({ run }, s) => {
      const first = Math.max(codes[s]! - 1, 0);
      const last = Math.min(codes[s]! + 1, values.length - 1);
      const best = bestIndex(run, (code) => scale * values[code]!, first, last);
      codes[s] = best.index;
      gain += best.gain;
      xv += values[best.index]! * run.xv;
      vv += values[best.index]! ** 2 * run.vv;
    });
    if (gain <= bestGain) break;
    bestGain = gain;
    bestScale = scale;
    subCodes.set(codes);
    scale = roundToHalf(xv / vv);
  }
  if (bestScale === 0) subCodes.fill(nearest(0));
  subBlocks.forEach(({ run }, s) => {
    run.snap(bestScale * values[subCodes[s]!]!);
  });
  return { scale: bestScale, subCodes };
}

/** Encodes a block of 256 scalars in sub-blocks of `size`, each with a step of its own. */
export function fitScalarSuperBlock(
  x: Float32Array,
  from: number,
  size: number,
  importance: Float32Array,
  levels: Levels,
  subLevels: Levels,
): { scale: number; subCodes: Uint8Array; codes: Uint8Array } {
  const codes = new Uint8Array(256);
  const subBlocks = Array.from({ length: 256 / size }, (_, s) => ({
    run: scalarRun(x, from + size * s, size, importance, levels, codes, size * s),
    candidates: scalarCandidates(x, from + size * s, size, levels),
  }));
  return { ...fitSuperBlock(subBlocks, subLevels), codes };
}
