import { type AffineRun, fitAffine } from './affine-fit.js';
import { bestStep, roundToHalf, scalarCandidates, scalarRun } from './fit.js';
import { integerLevels } from './levels.js';

export interface AffineSuperBlock {
  /** As halves hold them: a weight is scale * scaleCode * code - min * minCode. */
  readonly scale: number;
  readonly min: number;
  /** By sub-block. */
  readonly scaleCodes: Uint8Array;
  readonly minCodes: Uint8Array;
}

/** How often scale and minimum of the block and the codes of its sub-blocks are fitted in turn, at most. */
const rounds = 4;

/**
 * Encodes scales and minima of a block of q2_k, q4_k or q5_k: the best of each sub-block alone, a scale for
 * all scales and one for all minima, and then, in turn, better codes for each sub-block among the neighbours
 * of those it has, and scale and minimum of the block by least squares. Leaves each run snapped.
 *
 * @param highestSubCode of scales and minima
 */
export function fitAffineSuperBlock(runs: readonly AffineRun[], highestSubCode: number): AffineSuperBlock {
  const exact = runs.map((run) => ({ ...fitAffine(run), ...run.sums }));
  const scales = commonScale(
    exact.map(({ scale }) => scale),
    exact.map(({ qq }) => qq),
    highestSubCode,
  );
  const mins = commonScale(
    exact.map(({ offset }) => -offset),
    exact.map(({ w }) => w),
    highestSubCode,
  );

  let block = { scale: scales.scale, min: mins.scale, scaleCodes: scales.codes, minCodes: mins.codes };
  let best = block;
  let bestError = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    let error = 0;
    runs.forEach((run, s) => {
      error += improveCodes(run, block, s, highestSubCode);
    });
    if (error >= bestError) break;
    bestError = error;
    best = { ...block, scaleCodes: block.scaleCodes.slice(), minCodes: block.minCodes.slice() };
    block = { ...block, ...solve(runs, block) };
  }
  runs.forEach((run, s) => {
    snapCodes(run, best, s);
  });
  return best;
}

/** A half and codes whose products come close to `values`, all at least 0. */
function commonScale(values: readonly number[], curvatures: readonly number[], highest: number) {
  const levels = integerLevels(0, highest);
  const codes = new Uint8Array(values.length);
  const run = scalarRun(values, 0, values.length, curvatures, levels, codes, 0);
  const scale = roundToHalf(bestStep(run, scalarCandidates(values, 0, values.length, levels)));
  run.snap(scale);
  return { scale, codes };
}

function snapCodes(
  run: AffineRun,
  { scale, min, scaleCodes, minCodes }: AffineSuperBlock,
  s: number,
): number {
  return run.snap(scale * scaleCodes[s]!, -min * minCodes[s]!);
}

/** Moves the codes of sub-block `s` to neighbours as long as that pays. Returns its error; leaves it snapped. */
function improveCodes(run: AffineRun, block: AffineSuperBlock, s: number, highest: number): number {
  let best = snapCodes(run, block, s);
  for (const codes of [block.scaleCodes, block.minCodes]) {
    const around = codes[s]!;
    let kept = around;
    for (const tried of [around - 1, around + 1]) {
      if (tried < 0 || tried > highest) continue;
      codes[s] = tried;
      const error = snapCodes(run, block, s);
      if (error < best) {
        best = error;
        kept = tried;
      }
    }
    codes[s] = kept;
  }
  return snapCodes(run, block, s);
}

/** Scale and minimum of least squares for the codes that all runs keep. */
function solve(runs: readonly AffineRun[], { scaleCodes, minCodes }: AffineSuperBlock) {
  let aa = 0;
  let ab = 0;
  let bb = 0;
  let xa = 0;
  let xb = 0;
  runs.forEach(({ sums }, s) => {
    const a = scaleCodes[s]!;
    const b = minCodes[s]!;
    aa += a * a * sums.qq;
    ab += a * b * sums.q;
    bb += b * b * sums.w;
    xa += a * sums.xq;
    xb += b * sums.x;
  });
  const determinant = aa * bb - ab * ab;
  const min = determinant > 0 ? (ab * xa - aa * xb) / determinant : 0;
  if (min <= 0) return { scale: roundToHalf(aa > 0 ? xa / aa : 0), min: 0 };
  return { scale: roundToHalf((xa * bb - ab * xb) / determinant), min: roundToHalf(min) };
}
