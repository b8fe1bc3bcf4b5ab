/** The weight of largest magnitude out of `count` from `from` on, with its sign; 0 where all are. */
export function largestOf(x: ArrayLike<number>, from: number, count: number): number {
  let largest = 0;
  for (let i = from; i < from + count; i++) if (Math.abs(x[i]!) > Math.abs(largest)) largest = x[i]!;
  return largest;
}
