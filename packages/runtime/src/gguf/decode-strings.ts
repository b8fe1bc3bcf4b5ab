import { decodeUtf8, strictUtf8 } from './utf8.js';

/** Texts of a run of strings, and the bytes of those that are not UTF-8, by index. */
export interface Strings {
  readonly values: readonly string[];
  readonly raw: ReadonlyMap<number, Uint8Array>;
}

/** A vocabulary has a few of these at most. Each costs far more memory than it takes in a file. */
export const mostRawStrings = 65536;

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;

/**
 * Decodes `count` strings that follow each other in `run`, each behind a uint64 length; the lengths fill the run.
 *
 * A vocabulary has 300,000 of them, and a call of the decoder costs more than a short string does. So all are
 * decoded in one call and cut: sound UTF-8 that no cut divides is sound in every piece.
 * Undefined where more than `mostRawStrings` are not UTF-8.
 */
export function decodeStrings(run: Uint8Array, count: number): Strings | undefined {
  const view = new DataView(run.buffer, run.byteOffset, run.byteLength);
  const bytes = new Uint8Array(run.length - 8 * count);
  const ends = new Uint32Array(count);
  const units = new Uint32Array(count);
  let filled = 0;
  let unit = 0;
  let divided = false;
  for (let i = 0, at = 0; i < count; i++) {
    const end = at + 8 + view.getUint32(at, true);
    at += 8;
    divided ||= at < end && isContinuation(run[at]!);
    for (; at < end; at++) {
      const byte = run[at]!;
      bytes[filled++] = byte;
      // Four bytes make two UTF-16 units; all shorter sequences make one.
      if (!isContinuation(byte)) unit += byte >= 0xf0 ? 2 : 1;
    }
    ends[i] = filled;
    units[i] = unit;
  }
  const joined = divided ? undefined : strictUtf8(bytes);
  if (joined === undefined) return decodeEach(bytes, ends);
  const values = new Array<string>(count);
  for (let i = 0, start = 0; i < count; i++) {
    values[i] = joined.slice(start, units[i]);
    start = units[i]!;
  }
  return { values, raw: new Map() };
}

function decodeEach(bytes: Uint8Array, ends: Uint32Array): Strings | undefined {
  const raw = new Map<number, Uint8Array>();
  const values = new Array<string>(ends.length);
  for (let i = 0, start = 0; i < ends.length; i++) {
    const piece = bytes.subarray(start, ends[i]);
    const { text, sound } = decodeUtf8(piece);
    values[i] = text;
    if (!sound) raw.set(i, piece.slice());
    if (raw.size > mostRawStrings) return undefined;
    start = ends[i]!;
  }
  return { values, raw };
}
