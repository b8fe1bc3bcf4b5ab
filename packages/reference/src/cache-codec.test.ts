import { cacheFormats, rowBytes, weightFormats } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { cacheCodecs } from './cache-codec.js';
import { encodeRow } from './encoders/index.js';
import { decodeRow } from './formats/index.js';

const values = Float32Array.from({ length: 64 }, (_, i) => Math.sin(i) * 2 ** (i % 20));

describe.each(cacheFormats)('a cache of %s', (format) => {
  it('holds values in the blocks of the weight format of that name', () => {
    const buffer = new ArrayBuffer(rowBytes(weightFormats[format], 96)!);
    const stored = cacheCodecs[format](buffer);
    stored.write(values, 0, 64, 32);
    const bytes = encodeRow(format, values);
    expect(new Uint8Array(buffer).slice(-bytes.length)).toEqual(bytes);

    const expected = new Float32Array(64);
    decodeRow(format, bytes, expected);
    const out = new Float32Array(66).fill(9);
    stored.read(32, 64, out, 1);
    expect(out).toEqual(Float32Array.of(9, ...expected, 9));
  });

  it('keeps what is no number in its block', () => {
    const stored = cacheCodecs[format](new ArrayBuffer(rowBytes(weightFormats[format], 64)!));
    const x = new Float32Array(64).fill(127);
    x[3] = Number.NaN;
    stored.write(x, 0, 64, 0);
    const out = new Float32Array(64);
    stored.read(0, 64, out, 0);
    expect(out[3]).toBeNaN();
    expect(out.slice(32)).toEqual(new Float32Array(32).fill(127));
  });
});
