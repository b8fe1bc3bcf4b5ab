import { type WeightFormatName, weightFormats } from '@pocketllm/abi';
import { decoders } from './decoders.js';

/**
 * Decodes consecutive blocks to as many weights as `out` holds: one row, or several that follow each other.
 * `bytes` must be exactly the blocks of `out.length` weights.
 */
export function decodeRow(format: WeightFormatName, bytes: Uint8Array, out: Float32Array): void {
  const { block } = weightFormats[format];
  const blocks = out.length / block.weights;
  if (bytes.length !== blocks * block.bytes) {
    throw new TypeError(
      `${out.length} weights of ${format} are ${blocks} blocks of ${block.bytes} bytes, not ${bytes.length} bytes`,
    );
  }
  const decode = decoders[format];
  for (let i = 0; i < blocks; i++) decode(bytes, i * block.bytes, out, i * block.weights);
}
