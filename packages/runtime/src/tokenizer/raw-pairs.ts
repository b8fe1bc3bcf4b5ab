import { characterMerger, markSpaces } from './characters.js';
import type { MergeTable } from './merge.js';
import { PieceCache } from './piece-cache.js';
import { cutterOf } from './pretokenize.js';
import type { PreTokenizer } from './pretokenizers.js';
import type { Segmenter } from './segmenter.js';
import type { TokenIndex } from './token-index.js';
import { windowsOf } from './windows.js';

/** Byte-pair encoding of characters rather than bytes, with marked spaces, as newer Gemma models have it. */
export function rawPairSegmenter(
  index: TokenIndex,
  merges: MergeTable,
  preTokenizer: PreTokenizer,
  unknown: number | undefined,
): Segmenter {
  const cut = cutterOf(preTokenizer);
  const mergeCharacters = characterMerger(index, merges, unknown);
  const cache = new PieceCache((piece, out) => {
    // A run of line ends that is a token has no merges that make it.
    const run = piece[0] === '\n' && piece.length <= index.longestPlain ? index.plain(piece) : undefined;
    if (run === undefined) mergeCharacters(piece, out);
    else out.push(run);
  });
  return {
    segment(text, _leads, out) {
      for (const window of windowsOf(text)) cut(markSpaces(window), (piece) => cache.append(piece, out));
    },
  };
}
