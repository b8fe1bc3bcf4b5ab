import type { ReasoningTags } from '../chat/index.js';
import type { Tokenizer } from '../tokenizer/index.js';
import { bitsOf } from './engine/grammar-constraint.js';
import type { TokenTable } from './engine/token-table.js';

const decoder = new TextDecoder();

/** Which tokens may come where a text has part of a tag; found when it is first asked for. */
export class ReasoningTokens {
  readonly #opening = new Map<number, Int32Array>();
  readonly #closing = new Map<number, Int32Array>();
  readonly #texts: readonly string[];
  readonly #ends: ReadonlySet<number>;

  /** `shown`: control tokens that are shown all the same, tags that are tokens among them. */
  constructor(
    private readonly tags: ReasoningTags,
    tokenizer: Pick<Tokenizer, 'tokenBytes' | 'endOfGeneration'>,
    table: TokenTable,
    shown: ReadonlySet<number>,
  ) {
    this.#texts = table.bytes.map((bytes, id) =>
      decoder.decode(shown.has(id) ? tokenizer.tokenBytes(id) : bytes),
    );
    this.#ends = tokenizer.endOfGeneration;
  }

  /** Tokens that go on with the opening tag, of which `length` units are there. */
  opening(length: number): Int32Array {
    const rest = this.tags.open.slice(length);
    return cached(this.#opening, length, () =>
      this.#bits((text) => text !== '' && (rest.startsWith(text) || text.startsWith(rest))),
    );
  }

  /** Tokens that begin a line, which nothing does that comes before a tag. */
  get lineBeginning(): Int32Array {
    return cached(this.#opening, -1, () => this.#bits((text) => text.startsWith('\n')));
  }

  /**
   * Tokens that may come within the reasoning, where `length` units of the closing tag are there. Not those that end
   * the answer, and not those that end the tag and go on with more than newlines: that would be part of the answer.
   */
  closing(length: number): Int32Array {
    const { close } = this.tags;
    return cached(this.#closing, length, () =>
      this.#bits((text, id) => {
        const [, rest = ''] = (close.slice(0, length) + text).split(close);
        return /^\n*$/.test(rest) && !this.#ends.has(id);
      }),
    );
  }

  #bits(isPossible: (text: string, id: number) => boolean): Int32Array {
    const ids = this.#texts.flatMap((text, id) => (isPossible(text, id) ? [id] : []));
    return bitsOf(ids, this.#texts.length);
  }
}

function cached(values: Map<number, Int32Array>, key: number, make: () => Int32Array): Int32Array {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}
