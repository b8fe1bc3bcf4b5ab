/** Finds the end of an object in a text that may grow between two looks. */
export class ObjectScanner {
  #depth = 0;
  #inString = false;
  #end = -1;

  /** `at`: where the object opens. */
  constructor(private at: number) {}

  /**
   * The offset after the object, by brackets and strings alone; -1 where it is not closed yet. `text` begins with
   * what it was in earlier calls.
   */
  scan(text: string): number {
    for (; this.#end < 0 && this.at < text.length; this.at++) {
      const unit = text[this.at]!;
      if (unit === '"') this.#inString = !this.#inString;
      else if (this.#inString) {
        // The escaped unit may come in a later piece.
        if (unit === '\\') this.at++;
      } else if (unit === '{' || unit === '[') this.#depth++;
      else if ((unit === '}' || unit === ']') && --this.#depth === 0) this.#end = this.at + 1;
    }
    return this.#end;
  }
}

/** The offset after the object that opens at `start`; -1 where it never closes. */
export const endOfObject = (text: string, start: number): number => new ObjectScanner(start).scan(text);

/** Members of an object by name, each as the text that it is written as. `json` must be valid. */
export function members(json: string): Map<string, string> {
  const found = new Map<string, string>();
  let at = json.indexOf('{') + 1;
  while (true) {
    const key = json.indexOf('"', at);
    if (key < 0) return found;
    const keyEnd = endOfString(json, key);
    const start = json.indexOf(':', keyEnd) + 1;
    const end = endOfValue(json, start);
    found.set(JSON.parse(json.slice(key, keyEnd)) as string, json.slice(start, end).trim());
    if (json[end] === '}') return found;
    at = end + 1;
  }
}

/** Parses an object; undefined for anything else. */
export function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The text with line ends and other control characters inside strings escaped, as JSON wants them. */
export function escapeControls(text: string): string {
  let escaped = '';
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? -1 : endOfString(text, quote);
    if (end < 0) return escaped + text.slice(at);
    const string = text.slice(quote, end).replace(/\p{Cc}/gu, (unit) => JSON.stringify(unit).slice(1, -1));
    escaped += text.slice(at, quote) + string;
    at = end;
  }
  return escaped;
}

/** The offset after the string that opens at `start`; -1 where it never closes. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i + 1;
  }
  return -1;
}

/** The offset of the comma or brace after the value that starts at `start`. */
function endOfValue(json: string, start: number): number {
  let at = start;
  while (json[at] !== ',' && json[at] !== '}') {
    if (json[at] === '"') at = endOfString(json, at);
    else if (json[at] === '{' || json[at] === '[') at = endOfObject(json, at);
    else at++;
  }
  return at;
}

export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at]!)) at++;
  return at;
}
