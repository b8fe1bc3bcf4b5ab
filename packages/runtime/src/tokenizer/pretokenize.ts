import type { PreTokenizer } from './pretokenizers.js';

/** Gives the pieces of a text one by one, in order; joined, they are the text. */
export type Cutter = (text: string, piece: (text: string) => void) => void;

/** The cutter of a table entry. The text must not be longer than a window. */
export function cutterOf({ expressions }: PreTokenizer): Cutter {
  let cutter: Cutter = (text, piece) => piece(text);
  for (const expression of expressions.toReversed()) {
    cutter = cutBy(new RegExp(expression, 'gu'), cutter);
  }
  return cutter;
}

/** Cuts at the matches of one expression, and each part, match or gap, by the next cutter. */
function cutBy(expression: RegExp, next: Cutter): Cutter {
  return (text, piece) => {
    let end = 0;
    expression.lastIndex = 0;
    for (let match = expression.exec(text); match; match = expression.exec(text)) {
      if (match.index > end) next(text.slice(end, match.index), piece);
      next(match[0], piece);
      end = match.index + match[0].length;
    }
    if (end < text.length) next(end === 0 ? text : text.slice(end), piece);
  };
}
