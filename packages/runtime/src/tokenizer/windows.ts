/**
 * The most text, in UTF-16 units, that is cut into pieces or merged at once. Expression engines keep a stack
 * that grows with the length of a match: V8's overflows past three million characters. It bounds memory too.
 */
const largestWindow = 2 ** 20;

/**
 * Cuts a very long text into windows that are tokenized one by one. A cut falls where every pre-tokenizer
 * cuts too, after a letter and before a line end, if the last half of the window has such a place; else before
 * a space between letters; else anywhere but within a character.
 */
export function* windowsOf(text: string, largest = largestWindow): Iterable<string> {
  for (let start = 0; start < text.length; ) {
    const end = windowEnd(text, start, largest);
    yield start === 0 && end === text.length ? text : text.slice(start, end);
    start = end;
  }
}

function windowEnd(text: string, start: number, largest: number): number {
  const end = start + largest;
  if (end >= text.length) return text.length;
  const middle = start + Math.ceil(largest / 2);
  return (
    lastWhere(end, middle, (at) => isLetter(text, at - 1) && text[at] === '\n') ??
    lastWhere(end, middle, (at) => isLetter(text, at - 1) && text[at] === ' ' && isLetter(text, at + 1)) ??
    lastWhere(end, middle, (at) => !isTrail(text.charCodeAt(at))) ??
    end
  );
}

function lastWhere(from: number, to: number, holds: (at: number) => boolean): number | undefined {
  for (let at = from; at > to; at--) {
    if (holds(at)) return at;
  }
  return undefined;
}

function isLetter(text: string, at: number): boolean {
  const unit = text.charCodeAt(at) | 0x20;
  return unit >= 0x61 && unit <= 0x7a;
}

/** The second half of a surrogate pair. */
function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
