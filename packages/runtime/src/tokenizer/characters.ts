import { Merger, type MergeTable } from './merge.js';
import { byteSpelling, type TokenIndex } from './token-index.js';

const encoder = new TextEncoder();

/** What stands for a space in vocabularies that are not byte-level. */
export const spaceMark = '\u2581';

export function markSpaces(text: string): string {
  return text.replaceAll(' ', spaceMark);
}

/**
 * Merges characters, and spells what is no token in the end by its bytes.
 * `unknown` stands for a byte that has no token; where it is absent the byte is dropped.
 */
export function characterMerger(index: TokenIndex, merges: MergeTable, unknown: number | undefined) {
  const merger = new Merger(merges);
  const idOfByte = Array.from({ length: 256 }, (_, byte) => index.any(byteSpelling(byte)) ?? unknown);
  const symbolOf = remembered((character) => index.plain(String.fromCodePoint(character)) ?? ~character);
  const bytesOf = remembered((character) =>
    [...encoder.encode(String.fromCodePoint(character))].flatMap((byte) => idOfByte[byte] ?? []),
  );
  return (text: string, out: number[]) => {
    const symbols = new Int32Array(text.length);
    let count = 0;
    for (let at = 0; at < text.length; at++) {
      const character = text.codePointAt(at)!;
      if (character > 0xffff) at++;
      symbols[count++] = symbolOf(character);
    }
    count = merger.merge(symbols, count);
    for (let i = 0; i < count; i++) {
      const symbol = symbols[i]!;
      if (symbol >= 0) out.push(symbol);
      else for (const id of bytesOf(~symbol)) out.push(id);
    }
  };
}

/** Asks once for each of the 65,536 characters that texts are mostly made of. */
function remembered<T>(find: (character: number) => T): (character: number) => T {
  const known: T[] = [];
  return (character) => {
    if (character > 0xffff) return find(character);
    known[character] ??= find(character);
    return known[character];
  };
}
