import { halves } from '../half.js';
import type { DecodeBlock } from './index.js';

export const f16: DecodeBlock = (view, at, out, to) => {
  out[to] = halves[view.getUint16(at, true)]!;
};
