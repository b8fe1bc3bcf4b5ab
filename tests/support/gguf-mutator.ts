import type { GgufLayout, Span } from './gguf-writer.js';

/** Numbers from 0 up to `below`, the same for the same seed. */
export type Random = (below: number) => number;

/** A small generator (mulberry32): its stream is a function of the seed alone. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

type Bytes = Uint8Array<ArrayBuffer>;
type Mutation = (bytes: Bytes, layout: GgufLayout, random: Random) => Bytes;

/** Values at which sums, products and conversions of 64 bits go wrong. */
const edges = [
  0n,
  1n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 53n,
  2n ** 61n,
  2n ** 63n,
  2n ** 64n - 32n,
  2n ** 64n - 1n,
];

const mutations: Readonly<Record<string, Mutation>> = {
  'byte flips'(bytes, _layout, random) {
    const flips = 1 + random(8);
    for (let i = 0; i < flips && bytes.length > 0; i++) bytes[random(bytes.length)] = random(256);
    return bytes;
  },
  'a field spliced in'(bytes, _layout, random) {
    const width = 1 << random(4);
    if (bytes.length < 2 * width) return bytes;
    const from = random(bytes.length - width);
    bytes.copyWithin(random(bytes.length - width), from, from + width);
    return bytes;
  },
  truncation(bytes, _layout, random) {
    return bytes.slice(0, random(bytes.length));
  },
  'a length blown up'(bytes, { lengths }, random) {
    const at = lengths.length > 0 ? pick(lengths, random) : random(bytes.length);
    if (at + 8 > bytes.length) return bytes;
    const view = new DataView(bytes.buffer);
    const near = view.getBigUint64(at, true) + BigInt(random(9) - 4);
    view.setBigUint64(at, random(3) === 0 ? BigInt.asUintN(64, near) : pick(edges, random), true);
    return bytes;
  },
  'a record duplicated'(bytes, { pairs, tensorInfos }, random) {
    return insertRecord(bytes, random(2) === 0 ? pairs : tensorInfos, pairs, random);
  },
};

export interface Mutant {
  readonly bytes: Uint8Array;
  /** The mutations in order, for a message. */
  readonly how: string;
}

/** One to three mutations of a file. The layout is that of the whole file, so later ones may hit elsewhere. */
export function mutate(layout: GgufLayout, random: Random): Mutant {
  let bytes = new Uint8Array(layout.bytes);
  const how: string[] = [];
  const times = 1 + random(3);
  for (let i = 0; i < times; i++) {
    const name = pick(Object.keys(mutations), random);
    how.push(name);
    bytes = mutations[name]!(bytes, layout, random);
  }
  return { bytes, how: how.join(', ') };
}

/** Copies a record behind another of its kind, and counts it. */
function insertRecord(bytes: Bytes, records: readonly Span[], pairs: readonly Span[], random: Random) {
  if (records.length === 0) return bytes;
  const { start, end } = pick(records, random);
  const at = pick(records, random).end;
  if (at > bytes.length) return bytes;
  const longer = new Uint8Array(bytes.length + end - start);
  longer.set(bytes.subarray(0, at));
  longer.set(bytes.subarray(start, end), at);
  longer.set(bytes.subarray(at), at + end - start);
  const view = new DataView(longer.buffer);
  const countAt = records === pairs ? 16 : 8;
  view.setBigUint64(countAt, view.getBigUint64(countAt, true) + 1n, true);
  return longer;
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[random(values.length)]!;
}
