import { byteCharacters } from './byte-alphabet.js';
import { Merger, type MergeTable } from './merge.js';
import { PieceCache } from './piece-cache.js';
import { cutterOf } from './pretokenize.js';
import type { PreTokenizer } from './pretokenizers.js';
import type { Segmenter } from './segmenter.js';
import type { TokenIndex } from './token-index.js';
import { windowsOf } from './windows.js';

const encoder = new TextEncoder();

/**
 * Byte-level byte-pair encoding: pieces of text become bytes, and bytes merge. Text is not normalized: files do not
 * say whether a model was trained on composed characters (those of Qwen were), and llama.cpp does not either.
 */
export function byteLevelSegmenter(
  index: TokenIndex,
  merges: MergeTable,
  preTokenizer: PreTokenizer,
): Segmenter {
  const cut = cutterOf(preTokenizer);
  const merger = new Merger(merges);
  /** A byte without a token is dropped in the end; until then it keeps its neighbours apart. */
  const symbolOfByte = Int32Array.from(byteCharacters, (character, byte) => index.plain(character) ?? ~byte);

  const cache = new PieceCache((piece, out) => {
    const bytes = encoder.encode(piece);
    if (preTokenizer.ignoreMerges && bytes.length <= index.longestPlain) {
      const whole = index.plain(Array.from(bytes, (byte) => byteCharacters[byte]).join(''));
      if (whole !== undefined) {
        out.push(whole);
        return;
      }
    }
    const symbols = new Int32Array(bytes.length);
    for (let i = 0; i < bytes.length; i++) symbols[i] = symbolOfByte[bytes[i]!]!;
    const count = merger.merge(symbols, symbols.length);
    for (let i = 0; i < count; i++) if (symbols[i]! >= 0) out.push(symbols[i]!);
  });

  return {
    segment(text, _leads, out) {
      for (const window of windowsOf(text)) cut(window, (piece) => cache.append(piece, out));
    },
  };
}
