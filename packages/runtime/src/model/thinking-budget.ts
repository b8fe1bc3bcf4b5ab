import { ReasoningSplitter, type ReasoningTags } from '../chat/reasoning.js';
import type { TextStream } from '../tokenizer/index.js';

/** Ends a model's reasoning after so many tokens, by the tag that it would end it with itself. */
export class ThinkingBudget {
  readonly #splitter: ReasoningSplitter;
  #left: number;
  #isInside: boolean;
  /** Output until it is known whether it begins with reasoning. */
  #start = '';
  /** What is still to be said of the closing tag, once the budget is spent. */
  #forced: number[] | undefined;

  /** @param closing Tokens of the tag that ends the reasoning. */
  constructor(
    budget: number,
    private readonly tags: ReasoningTags,
    startsInside: boolean,
    private readonly closing: readonly number[],
  ) {
    this.#left = budget;
    this.#isInside = startsInside;
    this.#splitter = new ReasoningSplitter({ ...tags, startsInside });
  }

  /** The token that has to come next; undefined where the model is free. */
  forced(): number | undefined {
    if (this.#isInside && !this.#splitter.hasEnded && this.#left <= 0) this.#forced ??= [...this.closing];
    return this.#forced?.shift();
  }

  /** The same stream of text, which it follows. */
  watch(stream: TextStream): TextStream {
    return {
      push: (id) => {
        const text = stream.push(id);
        this.#follow(text);
        return text;
      },
      flush: () => stream.flush(),
    };
  }

  /** Takes the text that a token has added to the output. */
  #follow(text: string): void {
    if (this.#isInside) this.#left--;
    this.#splitter.push(text);
    if (this.#isInside || this.#splitter.hasEnded) return;
    this.#start += text;
    this.#isInside = this.#start.trimStart().startsWith(this.tags.open);
  }
}
