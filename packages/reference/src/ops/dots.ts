/**
 * Dot products of every row of x with every row of w, both of length n and without gaps:
 *
 *     out[r * wRows + o] = sum over i of x[xAt + r * n + i] * w[wAt + o * n + i]
 *
 * Each product is added in f64 in the order of i, so a result does not depend on the rows beside it. Tiles
 * of several rows only keep more sums in flight: 4 rows of w by 2 of x, and 8 by 1 where x is one row.
 */
export function dots(
  x: Float32Array,
  xAt: number,
  xRows: number,
  w: Float32Array,
  wAt: number,
  wRows: number,
  n: number,
  out: Float64Array,
): void {
  const pairedRows = xRows - (xRows % 2);
  const tiledBy4 = wRows - (wRows % 4);
  const tiledBy8 = wRows - (wRows % 8);
  for (let o = 0; o < tiledBy4; o += 4) {
    for (let r = 0; r < pairedRows; r += 2) {
      dots4By2(x, xAt + r * n, w, wAt + o * n, n, out, r * wRows + o, wRows);
    }
  }
  for (let r = 0; r < pairedRows; r++) {
    for (let o = tiledBy4; o < wRows; o++) out[r * wRows + o] = dot(x, xAt + r * n, w, wAt + o * n, n);
  }
  if (pairedRows === xRows) return;
  const last = xAt + pairedRows * n;
  const lastOut = pairedRows * wRows;
  for (let o = 0; o < tiledBy8; o += 8) dots8(x, last, w, wAt + o * n, n, out, lastOut + o);
  for (let o = tiledBy8; o < wRows; o++) out[lastOut + o] = dot(x, last, w, wAt + o * n, n);
}

function dot(x: Float32Array, xAt: number, w: Float32Array, wAt: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += w[wAt + i]! * x[xAt + i]!;
  return sum;
}

function dots8(
  x: Float32Array,
  xAt: number,
  w: Float32Array,
  w0: number,
  n: number,
  out: Float64Array,
  to: number,
): void {
  const w1 = w0 + n;
  const w2 = w1 + n;
  const w3 = w2 + n;
  const w4 = w3 + n;
  const w5 = w4 + n;
  const w6 = w5 + n;
  const w7 = w6 + n;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let s4 = 0;
  let s5 = 0;
  let s6 = 0;
  let s7 = 0;
  for (let i = 0; i < n; i++) {
    const value = x[xAt + i]!;
    s0 += w[w0 + i]! * value;
    s1 += w[w1 + i]! * value;
    s2 += w[w2 + i]! * value;
    s3 += w[w3 + i]! * value;
    s4 += w[w4 + i]! * value;
    s5 += w[w5 + i]! * value;
    s6 += w[w6 + i]! * value;
    s7 += w[w7 + i]! * value;
  }
  out[to] = s0;
  out[to + 1] = s1;
  out[to + 2] = s2;
  out[to + 3] = s3;
  out[to + 4] = s4;
  out[to + 5] = s5;
  out[to + 6] = s6;
  out[to + 7] = s7;
}

function dots4By2(
  x: Float32Array,
  x0: number,
  w: Float32Array,
  w0: number,
  n: number,
  out: Float64Array,
  to: number,
  outStride: number,
): void {
  const x1 = x0 + n;
  const w1 = w0 + n;
  const w2 = w1 + n;
  const w3 = w2 + n;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let t0 = 0;
  let t1 = 0;
  let t2 = 0;
  let t3 = 0;
  for (let i = 0; i < n; i++) {
    const s = x[x0 + i]!;
    const t = x[x1 + i]!;
    const a = w[w0 + i]!;
    const b = w[w1 + i]!;
    const c = w[w2 + i]!;
    const d = w[w3 + i]!;
    s0 += a * s;
    t0 += a * t;
    s1 += b * s;
    t1 += b * t;
    s2 += c * s;
    t2 += c * t;
    s3 += d * s;
    t3 += d * t;
  }
  out[to] = s0;
  out[to + 1] = s1;
  out[to + 2] = s2;
  out[to + 3] = s3;
  out[to + outStride] = t0;
  out[to + outStride + 1] = t1;
  out[to + outStride + 2] = t2;
  out[to + outStride + 3] = t3;
}
