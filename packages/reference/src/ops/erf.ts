/**
 * The error function, 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x, to about 1e-16:
 *
 *     erf(x) = 2/sqrt(pi) * e^(-x^2) * sum over n of 2^n x^(2n+1) / (1 * 3 * ... * (2n+1))
 *
 * All terms have one sign, so nothing cancels.
 */
export function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x); // the rest is below 1e-16
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > Math.abs(sum) * 2 ** -54; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}
