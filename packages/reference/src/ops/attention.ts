import { attendRow } from './attend-row.js';
import type { Kernel } from './kernel.js';

export const attention: Kernel<'attention'> = function* ({
  inputs: { q, k, v, sinks },
  outputs: { out },
  attributes: { heads, kvHeads, scale, window, softcap },
  sizes: { headSize, valueSize },
  sequences,
  cache: { keys, values },
  scratch,
}) {
  const group = heads / kvHeads;
  let row = 0;
  for (const { rows, start, pages } of sequences) {
    const end = start + rows;
    for (let i = 0; i < rows; i++) {
      keys.write(pages, start + i, k, (row + i) * kvHeads * headSize);
      values.write(pages, start + i, v, (row + i) * kvHeads * valueSize);
      yield;
    }
    const oldest = firstPosition(start, window);
    const context = end - oldest;
    const headKeys = scratch.f32('keys', context * headSize);
    const headValues = scratch.f32('values', context * valueSize);
    const scores = scratch.f64('scores', context * group);
    for (let head = 0; head < kvHeads; head++) {
      keys.read(pages, head, oldest, end, headKeys);
      values.read(pages, head, oldest, end, headValues);
      const headSinks = sinks?.subarray(head * group, (head + 1) * group);
      yield;
      for (let i = 0; i < rows; i++) {
        const from = firstPosition(start + i, window) - oldest;
        const to = start + i + 1 - oldest;
        const queryHead = (row + i) * heads + head * group;
        attendRow({
          ...{ group, headSize, valueSize, scale, softcap, sinks: headSinks },
          ...{ keys: headKeys, values: headValues, from, to, scores },
          ...{ q, qAt: queryHead * headSize, out, outAt: queryHead * valueSize },
        });
        yield;
      }
    }
    row += rows;
  }
};

/** The first position that a row may look at. */
const firstPosition = (position: number, window: number): number =>
  window === 0 ? 0 : Math.max(0, position - window + 1);
