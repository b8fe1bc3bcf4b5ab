/** Control characters but tab and line feed, and marks that reorder a line. */
const steering = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text of a model made fit for a terminal: what would move its cursor, change its colours or turn a line around
 * becomes \u{...}. Lines, and everything else, stay as they are.
 */
export function visibleText(text: string): string {
  return text.replace(steering, (character) =>
    character === '\n' || character === '\t' ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
