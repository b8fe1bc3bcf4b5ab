import type { DecodeBlock } from './index.js';

export const f32: DecodeBlock = (view, at, out, to) => {
  out[to] = view.getFloat32(at, true);
};
