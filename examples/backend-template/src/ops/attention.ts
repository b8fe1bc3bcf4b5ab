import type { Kernel } from './kernel.js';

/**
 * Walks over the positions that a row may see, once. The softmax is kept up on the way: `peak` is the largest score so
 * far, and what was summed is relative to it, so it shrinks when the peak grows.
 */
export const attention: Kernel = async ({ floats, optional, number, sequences, layer, pause }) => {
  const [q, k, v, out, sinks] = [floats('q'), floats('k'), floats('v'), floats('out'), optional('sinks')];
  const [heads, kvHeads] = [number('heads'), number('kvHeads')];
  const [headSize, valueSize] = [number('headSize'), number('valueSize')];
  const [scale, window, softcap] = [number('scale'), number('window'), number('softcap')];
  const { keys, values } = layer();
  const group = heads / kvHeads; // query heads that share a key head
  const key = new Float32Array(headSize);
  const value = new Float32Array(valueSize);
  const peak = new Float64Array(group);
  const total = new Float64Array(group);
  const sum = new Float64Array(group * valueSize);

  const start = (sink: number, g: number) => {
    peak[g] = Math.max(sink, -Number.MAX_VALUE); // finite, so that a score of -infinity weighs nothing
    total[g] = Math.exp(sink - peak[g]);
    sum.fill(0, g * valueSize, (g + 1) * valueSize);
  };
  const include = (score: number, g: number) => {
    const shrink = score > peak[g]! ? Math.exp(peak[g]! - score) : 1;
    if (score > peak[g]!) peak[g] = score;
    const weight = Math.exp(score - peak[g]!);
    total[g] = total[g]! * shrink + weight;
    for (let c = 0; c < valueSize; c++) {
      sum[g * valueSize + c] = sum[g * valueSize + c]! * shrink + weight * value[c]!;
    }
  };

  let row = 0;
  for (const sequence of sequences) {
    const { pages } = sequence;
    for (let position = sequence.start; position < sequence.start + sequence.rows; position++, row++) {
      const oldest = window === 0 ? 0 : Math.max(0, position - window + 1);
      for (let kvHead = 0; kvHead < kvHeads; kvHead++) {
        await pause();
        keys.write(pages, position, kvHead, k, (row * kvHeads + kvHead) * headSize);
        values.write(pages, position, kvHead, v, (row * kvHeads + kvHead) * valueSize);
        const head = kvHead * group;
        for (let g = 0; g < group; g++) start(sinks ? sinks[head + g]! : Number.NEGATIVE_INFINITY, g);
        for (let p = oldest; p <= position; p++) {
          keys.read(pages, p, kvHead, key);
          values.read(pages, p, kvHead, value);
          for (let g = 0; g < group; g++) {
            const score = scale * dot(key, q, (row * heads + head + g) * headSize);
            include(softcap === 0 ? score : softcap * Math.tanh(score / softcap), g);
          }
        }
        for (let i = 0; i < sum.length; i++) {
          out[(row * heads + head) * valueSize + i] = sum[i]! / total[Math.floor(i / valueSize)]!;
        }
      }
    }
  }
};

function dot(a: Float32Array, b: Float32Array, from: number): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[from + i]!;
  return sum;
}
