import type { Kernel } from './kernel.js';

/** Keeps the k largest so far in order. Of equal elements the first stays in front; NaN goes to the end. */
export const topK: Kernel = async ({ floats, integers, number, pause }) => {
  const [x, values, ids] = [floats('x'), floats('values'), integers('ids')];
  const [rows, cols, k] = [number('rows'), number('cols'), number('k')];
  for (let r = 0; r < rows; r++) {
    await pause();
    const put = (place: number, value: number, id: number) => {
      if (place === k) return; // behind the last: it drops out
      values[r * k + place] = value;
      ids[r * k + place] = id;
    };
    for (let c = 0; c < cols; c++) {
      const value = x[r * cols + c]!;
      let place = Math.min(c, k);
      for (; place > 0 && isLarger(value, values[r * k + place - 1]!); place--) {
        put(place, values[r * k + place - 1]!, ids[r * k + place - 1]!);
      }
      put(place, value, c);
    }
  }
};

const isLarger = (a: number, b: number): boolean => a > b || (Number.isNaN(b) && !Number.isNaN(a));
