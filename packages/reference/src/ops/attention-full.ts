import { attendRow } from './attend-row.js';
import type { Kernel } from './kernel.js';

export const attentionFull: Kernel<'attention_full'> = function* ({
  inputs: { q, k, v },
  outputs: { out },
  attributes: { heads, kvHeads, scale },
  sizes: { headSize, valueSize },
  sequences,
  scratch,
}) {
  const group = heads / kvHeads;
  let row = 0;
  for (const { rows } of sequences) {
    const keys = scratch.f32('keys', rows * headSize);
    const values = scratch.f32('values', rows * valueSize);
    const scores = scratch.f64('scores', rows * group);
    for (let head = 0; head < kvHeads; head++) {
      gatherHead(k, row, rows, kvHeads, head, headSize, keys);
      gatherHead(v, row, rows, kvHeads, head, valueSize, values);
      yield;
      for (let i = 0; i < rows; i++) {
        const queryHead = (row + i) * heads + head * group;
        attendRow({
          ...{ group, headSize, valueSize, q, qAt: queryHead * headSize },
          ...{ keys, values, from: 0, to: rows, scale, softcap: 0, sinks: undefined },
          ...{ scores, out, outAt: queryHead * valueSize },
        });
        yield;
      }
    }
    row += rows;
  }
};

/** Copies one head of consecutive rows to a matrix of its own. */
function gatherHead(
  x: Float32Array,
  row: number,
  rows: number,
  heads: number,
  head: number,
  size: number,
  out: Float32Array,
): void {
  for (let i = 0; i < rows; i++) {
    const from = ((row + i) * heads + head) * size;
    out.set(x.subarray(from, from + size), i * size);
  }
}
