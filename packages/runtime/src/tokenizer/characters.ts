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
  return (text: string, out: number[]) => {
    const symbols = new Int32Array(text.length);
    let count = 0;
    for (const character of text) symbols[count++] = index.plain(character) ?? ~character.codePointAt(0)!;
    count = merger.merge(symbols, count);
    for (let i = 0; i < count; i++) {
      const symbol = symbols[i]!;
      if (symbol >= 0) out.push(symbol);
      else appendBytes(String.fromCodePoint(~symbol), out);
    }
  };

  function appendBytes(character: string, out: number[]): void {
    for (const byte of encoder.encode(character)) {
      const id = idOfByte[byte];
      if (id !== undefined) out.push(id);
    }
  }
}
