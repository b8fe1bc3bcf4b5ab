import { fp4Values, weightFormats } from '@pocketllm/abi';
import type { DecodeBlock } from './decode-block.js';

const { subScales, q } = weightFormats.nvfp4.fields;

/** What a scale byte of nvfp4 multiplies the doubled four-bit values by: half its UE4M3 value. */
export function scaleOfUe4m3(byte: number): number {
  if (byte === 127) return 0;
  const exponent = (byte >> 3) & 15;
  const mantissa = byte & 7;
  return exponent === 0 ? mantissa * 2 ** -10 : (1 + mantissa / 8) * 2 ** (exponent - 8);
}

export const decodeNvfp4: DecodeBlock = (bytes, block, out, to) => {
  for (let sub = 0; sub < 4; sub++) {
    const d = scaleOfUe4m3(bytes[block + subScales.offset + sub]!);
    for (let j = 0; j < 8; j++) {
      const pair = bytes[block + q.offset + 8 * sub + j]!;
      out[to + 16 * sub + j] = fp4Values[pair & 15]! * d;
      out[to + 16 * sub + j + 8] = fp4Values[pair >> 4]! * d;
    }
  }
};
