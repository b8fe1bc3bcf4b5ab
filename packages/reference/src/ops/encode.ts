import { rowBytes, weightFormats } from '@pocketllm/abi';
import { encodeRow } from '../encoders/index.js';
import type { Kernel } from './kernel.js';

export const encode: Kernel<'encode'> = function* ({
  inputs: { x, importance },
  outputs: { out },
  attributes: { format },
  sizes: { rows, cols },
}) {
  const bytes = rowBytes(weightFormats[format], cols)!;
  // A result in f32 is floats, like any other value.
  const encoded = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
  for (let r = 0; r < rows; r++) {
    encoded.set(encodeRow(format, x.subarray(r * cols, (r + 1) * cols), importance), r * bytes);
    yield;
  }
};
