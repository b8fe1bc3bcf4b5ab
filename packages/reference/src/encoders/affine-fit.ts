import { roundToHalf } from './fit.js';

/** A run of weights is stored as scale * code + offset, with codes from 0 to `highest`. */
export interface Affine {
  readonly scale: number;
  readonly offset: number;
}

export interface AffineRange {
  readonly highest: number;
  /** Whether the offset may be above 0: legacy formats store it as it is, K formats only below 0. */
  readonly positiveOffset: boolean;
}

export interface AffineRun {
  /** Steps and offsets that are worth a try. */
  readonly candidates: readonly Affine[];
  /** Chooses the nearest codes, keeps them and takes the sums. Returns the weighted squared error. */
  readonly snap: (scale: number, offset: number) => number;
  /** The scale and offset of least error for the codes that are kept. */
  readonly solve: () => Affine;
  /** Sums over the run of importance times what the name says: 1, code, code^2, x, x * code. */
  readonly sums: { w: number; q: number; qq: number; x: number; xq: number };
}

export function affineRun(
  x: Float32Array,
  from: number,
  count: number,
  importance: Float32Array,
  { highest, positiveOffset }: AffineRange,
  codes: Uint8Array,
  codesFrom: number,
): AffineRun {
  const sums = { w: 0, q: 0, qq: 0, x: 0, xq: 0 };
  return {
    candidates: candidatesOf(x.subarray(from, from + count), highest, positiveOffset),
    sums,
    snap: (scale, offset) => {
      const inverse = scale === 0 ? 0 : 1 / scale;
      let error = 0;
      let w = 0;
      let q = 0;
      let qq = 0;
      let sx = 0;
      let xq = 0;
      for (let i = 0; i < count; i++) {
        const weight = x[from + i]!;
        const code = Math.min(Math.max(Math.round((weight - offset) * inverse), 0), highest);
        const part = importance[from + i]!;
        const miss = weight - offset - scale * code;
        error += part * miss * miss;
        w += part;
        q += part * code;
        qq += part * code * code;
        sx += part * weight;
        xq += part * weight * code;
        codes[codesFrom + i] = code;
      }
      sums.w = w;
      sums.q = q;
      sums.qq = qq;
      sums.x = sx;
      sums.xq = xq;
      return error;
    },
    solve: () => {
      const { w, q, qq, x: sx, xq } = sums;
      const determinant = w * qq - q * q;
      const offset = determinant > 0 ? (qq * sx - q * xq) / determinant : sx / w;
      if (!positiveOffset && offset > 0) return { scale: qq > 0 ? xq / qq : 0, offset: 0 };
      return { scale: determinant > 0 ? (w * xq - sx * q) / determinant : 0, offset };
    },
  };
}

/** From the smallest weight on, steps that put the largest between one step inside and two outside the codes. */
function candidatesOf(x: Float32Array, highest: number, positiveOffset: boolean): Affine[] {
  const smallest = Math.min(...x);
  const offset = positiveOffset ? smallest : Math.min(smallest, 0);
  const width = Math.max(...x) - offset;
  return Array.from({ length: 16 }, (_, i) => ({
    scale: Math.max(width, 0) / (highest - 1 + i / 5),
    offset,
  }));
}

/** How often codes and their scale and offset are fitted to each other in turn, at most. */
const rounds = 4;

/** The scale and offset of least error that were found for a run. Leaves the run snapped at them. */
export const fitAffine = (run: AffineRun): Affine => fitRounded(run, (exact) => exact);

/** As `fitAffine`, with a scale and an offset that halves hold. */
export const fitAffineHalves = (run: AffineRun): Affine =>
  fitRounded(run, ({ scale, offset }) => ({ scale: roundToHalf(scale), offset: roundToHalf(offset) }));

function fitRounded(run: AffineRun, round: (exact: Affine) => Affine): Affine {
  let best = round({ scale: 0, offset: 0 });
  let bestError = run.snap(best.scale, best.offset);
  const consider = (exact: Affine): boolean => {
    const { scale, offset } = round(exact);
    const error = run.snap(scale, offset);
    if (error >= bestError) return false;
    bestError = error;
    best = { scale, offset };
    return true;
  };
  for (const candidate of run.candidates) {
    run.snap(candidate.scale, candidate.offset);
    consider(run.solve());
  }
  run.snap(best.scale, best.offset);
  for (let i = 0; i < rounds && consider(run.solve()); i++);
  run.snap(best.scale, best.offset);
  return best;
}
