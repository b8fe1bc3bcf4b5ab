/** Characters that JSON leaves as they are and a terminal does not. */
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** As JSON.stringify indents it. A string holds no line feed, so nothing within one is taken for it. */
const numberList = /\[\n\s*-?\d[^[\]{}"]*\]/g;

/**
 * One JSON value, indented, for people and programs. Integers beyond 2^53 and numbers that JSON has no word for
 * become strings; characters that steer a terminal are escaped. A list of numbers is one line.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, plain, 2).replace(numberList, (list) => list.replace(/\n\s*/g, ' '));
  return text.replace(steering, (character) => (character === '\n' ? character : escaped(character)));
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** Each UTF-16 unit as JSON writes it. */
const escaped = (character: string) =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
