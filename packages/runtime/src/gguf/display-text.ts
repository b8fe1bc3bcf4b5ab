/** Control, format (bidirectional overrides too), lone surrogate, line and paragraph separator. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text of a file made fit to be shown: characters that steer a terminal or reorder a line become \u{...}, and
 * what is longer than `limit` UTF-16 units is cut, with a note of the whole length.
 */
export function displayText(text: string, limit = 100): string {
  const shown = text
    .slice(0, limit)
    .replace(unsafe, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
  return text.length > limit ? `${shown}… (${text.length} characters)` : shown;
}
