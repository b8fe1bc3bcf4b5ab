import { readFileSync } from 'node:fs';
import { formatOfGgufType, type WeightFormatName, weightFormats } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../../../tests/support/shared.js';
import { decodeRow } from './decode-row.js';
import { decoders } from './decoders.js';

function decode(format: WeightFormatName, bytes: Uint8Array): Float32Array {
  const { block } = weightFormats[format];
  const out = new Float32Array((bytes.length / block.bytes) * block.weights);
  decodeRow(format, bytes, out);
  return out;
}

/** A block of zero bytes but for those given by offset. */
function blockOf(format: WeightFormatName, bytes: Record<number, number>): Uint8Array {
  const block = new Uint8Array(weightFormats[format].block.bytes);
  for (const [offset, byte] of Object.entries(bytes)) block[Number(offset)] = byte;
  return block;
}

const one = 0x3c; // upper byte of the half 1.0

describe('decodeRow', () => {
  it('refuses bytes that are not the blocks of the row', () => {
    expect(() => decodeRow('q8_0', new Uint8Array(33), new Float32Array(32))).toThrow(TypeError);
    expect(() => decodeRow('q8_0', new Uint8Array(34), new Float32Array(31))).toThrow(TypeError);
  });

  it('decodes block after block', () => {
    const two = new Uint8Array(68);
    two.set(blockOf('q8_0', { 1: one, 2: 5, 33: 0xff }));
    two.set(blockOf('q8_0', { 1: 0x40, 2: 0x80 }), 34);
    const out = decode('q8_0', two);
    expect([out[0], out[31], out[32], out[33]]).toEqual([5, -1, -256, 0]);
  });
});

describe('a block worked out by hand', () => {
  it('q4_0: the high nibble is weight j + 16', () => {
    const out = decode('q4_0', blockOf('q4_0', { 1: one, 3: 0xf1 }));
    expect([out[0], out[1], out[17], out[31]]).toEqual([-8, -7, 7, -8]);
  });

  it('q5_1: bit i of the high bits belongs to weight i', () => {
    // scale 1, minimum 0.5; bit 17; byte 1 holds 2 and 3.
    const out = decode('q5_1', blockOf('q5_1', { 1: one, 3: 0x38, 6: 2, 9: 0x32 }));
    expect([out[0], out[1], out[17]]).toEqual([0.5, 2.5, 19.5]);
  });

  it('q2_k: scale and minimum of a sub-block of sixteen', () => {
    // Sub-block 9 has scale 3, minimum 2: its weights are 144 to 159, lane 16 of the second half.
    const out = decode('q2_k', blockOf('q2_k', { 9: 0x23, 64: 2, 81: one, 83: one }));
    expect([out[143], out[144], out[145]]).toEqual([0, 4, -2]);
  });

  it('q4_k: sub-block 5 takes the top bits of its scale from byte 1', () => {
    // subScale 5 = low nibble of byte 9 | top bits of byte 1 << 4 = 1 + 32; subMin 5 = 2 + 16.
    const out = decode('q4_k', blockOf('q4_k', { 1: one, 3: one, 5: 0x80, 9: 0x40, 13: 0x21, 80: 0x30 }));
    expect([out[160], out[161]]).toEqual([3 * 33 - 18, -18]);
  });

  it('q6_k: low bits from the high nibble, high bits two by two', () => {
    // Weight 64: nibble 1 of byte 0, bits 4 and 5 of high byte 0, sub-scale 4 = -2.
    const out = decode('q6_k', blockOf('q6_k', { 0: 0x50, 128: 0x30, 196: 0xfe, 209: one }));
    expect([out[64], out[65]]).toEqual([-2 * (5 + 48 - 32), 64]);
  });

  it('tq1_0: five digits of a byte are 32 weights apart', () => {
    // Digits 2, 0, 1, 2, 1 as a number are 178; the byte is ceil(178 * 256 / 243) = 188.
    const out = decode('tq1_0', blockOf('tq1_0', { 0: 188, 53: one }));
    expect([out[0], out[32], out[64], out[96], out[128]]).toEqual([1, -1, 0, 1, 0]);
  });

  it('mxfp4: the exponent is biased by 128 for the doubled values', () => {
    const out = decode('mxfp4', blockOf('mxfp4', { 0: 127, 1: 0x97 }));
    expect([out[0], out[16]]).toEqual([6, -0.5]);
  });

  it('mxfp4: the two lowest exponents are subnormal singles', () => {
    expect(decode('mxfp4', blockOf('mxfp4', { 0: 0, 1: 1 }))[0]).toBe(2 ** -128);
    expect(decode('mxfp4', blockOf('mxfp4', { 0: 1, 1: 1 }))[0]).toBe(2 ** -127);
  });

  it('nvfp4: a scale byte without exponent counts in steps of 2^-10', () => {
    const out = decode('nvfp4', blockOf('nvfp4', { 0: 3, 1: 0x38, 2: 0x7f, 4: 0x02, 12: 0x02, 20: 0x02 }));
    expect([out[0], out[16], out[32]]).toEqual([6 * 2 ** -10, 1, 0]);
  });

  it('iq2_xxs: seven stored signs make the eighth', () => {
    // Scale 1, sub-scale 15, point 0 (all 8), stored signs 1: weights 0 and 7 negative.
    const out = decode('iq2_xxs', blockOf('iq2_xxs', { 1: one, 6: 1, 9: 0xf0 }));
    expect([...out.slice(0, 8)]).toEqual([-31, 31, 31, 31, 31, 31, 31, -31]);
  });

  it('iq1_m: the scale is spread over the top nibbles of four words', () => {
    // Half 0x3c00; point 0 is eight times -1; group 0 shifted up, group 1 down.
    const out = decode('iq1_m', blockOf('iq1_m', { 32: 0x80, 53: 0xc0, 55: 0x30 }));
    expect([out[0], out[8]]).toEqual([-0.875, -1.125]);
  });
});

/** Bit for bit, but that any NaN is as good as another. */
const expectSameBits = (found: Float32Array, expected: Float32Array) => {
  expect(found.length).toBe(expected.length);
  const different = found.findIndex((value, i) => !Object.is(value, expected[i]));
  expect(different, `weight ${different}: ${found[different]} is not ${expected[different]}`).toBe(-1);
};

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
const floatsOf = (base64: string) => new Float32Array(bytesOf(base64).buffer);
const readJson = (path: string) => JSON.parse(readFileSync(sharedPath(path), 'utf8'));

const vectors = 'facts/vectors/dequant.json';
describe.skipIf(!hasShared(vectors))('recorded blocks decode bit for bit (needs ../shared/facts)', () => {
  const { types } = hasShared(vectors) ? readJson(vectors) : { types: {} };

  it('cover every format but the plain single', () => {
    const seen = Object.values<{ ggufType: number }>(types).map((t) => formatOfGgufType(t.ggufType)?.name);
    expect(seen.toSorted()).toEqual(
      Object.keys(decoders)
        .filter((name) => name !== 'f32')
        .sort(),
    );
  });

  it.each(Object.keys(types))('%s', (type) => {
    const { raw, f32 } = types[type];
    expectSameBits(decode(type.toLowerCase() as WeightFormatName, bytesOf(raw)), floatsOf(f32));
  });
});

const rows = 'fixtures/quant-rows.json';
describe.skipIf(!hasShared(rows))('recorded rows decode bit for bit (needs ../shared/fixtures)', () => {
  const { types } = hasShared(rows) ? readJson(rows) : { types: {} };

  it.each(Object.keys(types))('%s', (type) => {
    const { raw, deq_f32, random_raw, random_deq_f32 } = types[type];
    const format = type.toLowerCase() as WeightFormatName;
    expectSameBits(decode(format, bytesOf(raw)), floatsOf(deq_f32));
    if (random_raw) expectSameBits(decode(format, bytesOf(random_raw)), floatsOf(random_deq_f32));
  });
});
