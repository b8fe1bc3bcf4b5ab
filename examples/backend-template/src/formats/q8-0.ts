import { weightFormats } from '@pocketllm/abi';
import { halves } from '../half.js';
import type { DecodeBlock } from './index.js';

const { scale, q } = weightFormats.q8_0.fields;

export const q8_0: DecodeBlock = (view, at, out, to) => {
  const step = halves[view.getUint16(at + scale.offset, true)]!;
  for (let i = 0; i < q.count; i++) out[to + i] = step * view.getInt8(at + q.offset + i);
};
