// @ts-check
// Blocks as an encoder could have made them: random codes, means near zero, scales that give the weights the
// spread that was asked for.
import { weightFormats } from '@pocketllm/abi';
import { decodeRow } from '@pocketllm/reference';
import { randomBytes } from './random-bytes.mjs';

/** @typedef {import('@pocketllm/abi').WeightFormatName} FormatName */
/** Changes the random bytes of whole blocks in place, all but their scales. @typedef {(bytes: Buffer, blockBytes: number) => void} Shaper */

/** Codes of equal blocks at scale 1 have this range of scales around the mean scale. */
const jitter = { from: 0.75, width: 0.5 };
const sampledBlocks = 256;

/**
 * Makes blocks of a format whose weights have about the given root mean square.
 *
 * @param {FormatName} name
 * @param {number} spread
 * @returns {(random: (length: number) => Buffer<ArrayBuffer>, blocks: number) => Buffer}
 */
export function blockMaker(name, spread) {
  const { block } = weightFormats[name];
  if (name === 'f16' || name === 'bf16') return floatMaker(name, spread);
  const shape = shapers[name] ?? (() => {});
  const setScale = scaleSetter(name);
  const scale = spread / spreadAtOne(name, shape, setScale);
  const scales = Array.from({ length: 256 }, (_, i) => scale * (jitter.from + (jitter.width * i) / 255));
  return (random, blocks) => {
    const bytes = random(blocks * block.bytes);
    const choices = random(blocks);
    shape(bytes, block.bytes);
    for (let i = 0; i < blocks; i++) setScale(bytes, i * block.bytes, scales[choices[i] ?? 0] ?? scale);
    return bytes;
  };
}

/** @param {FormatName} name @param {Shaper} shape @param {(bytes: Buffer, at: number, scale: number) => void} setScale */
function spreadAtOne(name, shape, setScale) {
  const { block } = weightFormats[name];
  const bytes = randomBytes(0, name)(sampledBlocks * block.bytes);
  shape(bytes, block.bytes);
  for (let i = 0; i < sampledBlocks; i++) setScale(bytes, i * block.bytes, 1);
  const weights = new Float32Array(sampledBlocks * block.weights);
  decodeRow(name, bytes, weights);
  return Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0) / weights.length);
}

/** Evenly spread floats, by a table of what each 16 random bits become. @param {'f16' | 'bf16'} name @param {number} spread */
function floatMaker(name, spread) {
  const bound = spread * Math.sqrt(3);
  const toBits = name === 'f16' ? halfBits : bfloatBits;
  const table = Uint16Array.from({ length: 65536 }, (_, i) => {
    const value = ((i + 0.5) / 32768 - 1) * bound;
    return toBits(Math.abs(value)) | (value < 0 ? 0x8000 : 0);
  });
  /** @param {(length: number) => Buffer<ArrayBuffer>} random @param {number} blocks */
  return (random, blocks) => {
    const bytes = random(blocks * 2);
    const words = new Uint16Array(bytes.buffer, bytes.byteOffset, blocks);
    for (let i = 0; i < blocks; i++) words[i] = table[words[i] ?? 0] ?? 0;
    return bytes;
  };
}

/** Writes the scale of a block, and its minimum where it has one. @param {FormatName} name @returns {(bytes: Buffer, at: number, scale: number) => void} */
function scaleSetter(name) {
  if (name === 'iq1_m') {
    return (bytes, at, scale) => {
      const bits = halfBits(scale);
      for (let word = 0; word < 4; word++) {
        const high = at + 48 + 2 * word + 1;
        bytes[high] = ((bytes[high] ?? 0) & 15) | (((bits >> (4 * word)) & 15) << 4);
      }
    };
  }
  /** @type {Readonly<Record<string, { offset: number, type: string }>>} */
  const fields = weightFormats[name].fields;
  const { scale, min } = fields;
  if (scale?.type !== 'f16') throw new TypeError(`${name} has no scale that could be set`);
  const centre = centres[name];
  return (bytes, at, value) => {
    bytes.writeUInt16LE(halfBits(value), at + scale.offset);
    if (min && centre) bytes.writeUInt16LE(halfBits(centre * value), at + min.offset);
  };
}

/** The mean code of formats with a minimum: that minimum puts the mean weight at zero. @type {Partial<Record<FormatName, number>>} */
const centres = { q2_k: 1.5, q4_k: 7.5, q5_k: 15.5 };

/** @type {Partial<Record<FormatName, Shaper>>} */
const shapers = {
  // Scale and minimum of a sub-block are equal, so that each has mean zero.
  q2_k: (bytes, blockBytes) => {
    for (let at = 0; at < bytes.length; at += blockBytes) {
      for (let i = 0; i < 16; i++) bytes[at + i] = ((bytes[at + i] ?? 0) & 15) * 17;
    }
  },
  q4_k: equalPairs,
  q5_k: equalPairs,
  // An encoder makes only codes 0, 1 and 2; a fourth would be twice the scale.
  tq2_0: (bytes) => substitute(bytes, ternaryCodes),
  // Every byte decodes to five digits, but an encoder makes only the 243 that stand for a number.
  tq1_0: (bytes) => substitute(bytes, ternaryFractions),
};

/** Eight sub-blocks with a six-bit scale, and a minimum that is its equal. @param {Buffer} bytes @param {number} blockBytes */
function equalPairs(bytes, blockBytes) {
  for (let at = 4; at < bytes.length; at += blockBytes) {
    for (let i = 0; i < 4; i++) {
      const [first, second] = [(bytes[at + i] ?? 0) & 63, (bytes[at + i + 4] ?? 0) & 63];
      const high = (second >> 4) << 6;
      bytes[at + i] = first | high;
      bytes[at + i + 4] = first | high;
      bytes[at + i + 8] = (second & 15) * 17;
    }
  }
}

const ternaryCodes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const number = Math.floor((byte * 81) / 256);
  return [27, 9, 3, 1].reduce((bits, place, i) => bits | ((Math.floor(number / place) % 3) << (2 * i)), 0);
});

const ternaryFractions = Uint8Array.from({ length: 256 }, (_, byte) =>
  Math.ceil((Math.floor((byte * 243) / 256) * 256) / 243),
);

/** @param {Buffer} bytes @param {Uint8Array} table */
function substitute(bytes, table) {
  for (let i = 0; i < bytes.length; i++) bytes[i] = table[bytes[i] ?? 0] ?? 0;
}

/** The half-precision bits of a number that is not negative, rounded to nearest. @param {number} value */
function halfBits(value) {
  if (value < 2 ** -14) return Math.round(value * 2 ** 24);
  const exponent = Math.floor(Math.log2(value));
  // A mantissa that rounds up to 1024 carries into the exponent, as it should.
  return ((exponent + 15) << 10) + Math.round((value / 2 ** exponent - 1) * 1024);
}

/** @param {number} value */
function bfloatBits(value) {
  const bits = new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
  return (bits + 0x7fff + ((bits >> 16) & 1)) >>> 16;
}
