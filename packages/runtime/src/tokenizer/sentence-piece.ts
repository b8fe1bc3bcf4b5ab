import { characterMerger, markSpaces, spaceMark } from './characters.js';
import { PieceCache } from './piece-cache.js';
import { ScoreMerges } from './score-merges.js';
import type { Segmenter } from './segmenter.js';
import type { Vocabulary } from './vocabulary.js';
import { windowsOf } from './windows.js';

/** SentencePiece with a score a token: of all neighbours that join to a token, the best goes first. */
export function sentencePieceSegmenter(
  { tokens, index, named }: Pick<Vocabulary, 'tokens' | 'index' | 'named'>,
  scores: ArrayLike<number>,
  addSpacePrefix: boolean,
): Segmenter {
  const merges = new ScoreMerges(tokens, index, scores);
  const cache = new PieceCache(characterMerger(index, merges, named.unknown));
  // Where no token goes on past the end of a word, words can be merged one by one with the same result.
  const wordByWord = !Array.from(index.plainTexts()).some((text) => crossesWords.test(text));
  return {
    segment(text, leads, out) {
      for (const window of windowsOf(leads && addSpacePrefix ? ` ${text}` : text)) {
        const marked = markSpaces(window);
        for (const part of wordByWord ? wordsOf(marked) : [marked]) cache.append(part, out);
      }
    },
  };
}

const crossesWords = new RegExp(`[^${spaceMark}]${spaceMark}`);

/** Cuts after each word, so that the marks of spaces lead the next one. */
function* wordsOf(text: string): Iterable<string> {
  let start = 0;
  for (let mark = text.indexOf(spaceMark, 1); mark > 0; mark = text.indexOf(spaceMark, mark + 1)) {
    if (text[mark - 1] === spaceMark) continue;
    yield text.slice(start, mark);
    start = mark;
  }
  if (start < text.length) yield text.slice(start);
}
