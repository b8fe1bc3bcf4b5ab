import { tokenTypes } from './token-type.js';

const { control, unknown, unused, byte } = tokenTypes;

/**
 * Ids by text. Plain tokens, those that ordinary text may become, are kept apart from all others, so that no
 * merge of user text ever makes a control token. Of several tokens with one text the last counts.
 */
export class TokenIndex {
  readonly #plain = new Map<string, number>();
  readonly #other = new Map<string, number>();
  /** UTF-16 units of the longest plain token. */
  readonly longestPlain: number;

  /** Tokens of the ids in `broken`, whose text is not what stands in the file, are left out. */
  constructor(tokens: readonly string[], types: Uint8Array, broken: ReadonlyMap<number, Uint8Array>) {
    let longest = 0;
    for (const [id, text] of tokens.entries()) {
      if (text === '' || broken.has(id)) continue;
      const plain = isPlain(types[id]!, text);
      (plain ? this.#plain : this.#other).set(text, id);
      if (plain) longest = Math.max(longest, text.length);
    }
    this.longestPlain = longest;
  }

  /** The id of a token of any type; control tokens come before plain ones. */
  any(text: string): number | undefined {
    return this.#other.get(text) ?? this.#plain.get(text);
  }

  /** The id of a token that ordinary text may become. */
  plain(text: string): number | undefined {
    return this.#plain.get(text);
  }

  plainTexts(): Iterable<string> {
    return this.#plain.keys();
  }
}

function isPlain(type: number, text: string): boolean {
  if (type === byte) return byteOf(text) === undefined;
  return type !== control && type !== unknown && type !== unused;
}

/** The byte that a token such as `<0x0A>` spells. */
export function byteOf(text: string): number | undefined {
  const digits = /^<0x([0-9A-F]{2})>$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

export function byteSpelling(byte: number): string {
  return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
}
