import type { ReasoningTags } from '../chat/index.js';
import { beginningOf } from '../chat/tag-beginning.js';
import type { TokenConstraint } from '../sampling/index.js';
import type { TextStream } from '../tokenizer/index.js';
import { type GrammarConstraint, maskTo } from './engine/grammar-constraint.js';
import type { ReasoningTokens } from './reasoning-tokens.js';

export interface ReasoningStart {
  readonly tags: ReasoningTags;
  readonly tokens: ReasoningTokens;
  /** Whether the prompt ends within the reasoning; otherwise the model may begin one. */
  readonly isInside: boolean;
  /** Texts of tokens as they are shown. */
  readonly texts: TextStream;
}

/**
 * Holds what follows the reasoning, and lets the reasoning go as it likes, but for its end: a closing tag has to come
 * before the end of the answer. What counts as reasoning is what `ReasoningSplitter` makes of it. Where the prompt did
 * not open one, the answer either begins with the opening tag, or is held from its start.
 */
export class AfterReasoning implements TokenConstraint {
  #state: 'start' | 'reasoning' | 'answer';
  /** At the start: what may become the opening tag. In the reasoning: what may become the closing one. */
  #text = '';
  /** What the answer may be; it begins with up to two newlines, which follow the closing tag. */
  readonly #answer: GrammarConstraint;
  readonly #start: ReasoningStart;

  constructor(answer: GrammarConstraint, start: ReasoningStart) {
    this.#answer = answer;
    this.#start = start;
    this.#state = start.isInside ? 'reasoning' : 'start';
  }

  mask(logits: Float32Array): void {
    maskTo(this.#possible(), logits);
  }

  accept(token: number): void {
    const { tags, texts } = this.#start;
    if (this.#state === 'start' && hasBit(this.#answerNow(), token)) this.#state = 'answer';
    if (this.#state === 'answer') {
      this.#answer.accept(token);
      return;
    }
    this.#text += texts.push(token);
    if (this.#state === 'start' && this.#text.startsWith(tags.open)) {
      this.#state = 'reasoning';
      this.#text = this.#text.slice(tags.open.length);
    }
    if (this.#state !== 'reasoning') return;
    if (this.#text.includes(tags.close)) this.#state = 'answer';
    else this.#text = this.#text.slice(this.#text.length - beginningOf(tags.close, this.#text));
  }

  dispose(): void {
    this.#answer.dispose();
  }

  #possible(): Int32Array {
    const { tokens } = this.#start;
    switch (this.#state) {
      case 'answer':
        return this.#answer.possible();
      case 'reasoning':
        return tokens.closing(this.#text.length);
      case 'start': {
        const opening = tokens.opening(this.#text.length);
        return this.#answerNow().map((bits, word) => bits | opening[word]!);
      }
    }
  }

  /** What the answer may begin with where there is no reasoning: not with what may become an opening tag. */
  #answerNow(): Int32Array {
    const { tokens } = this.#start;
    const [opening, lines] = [tokens.opening(0), tokens.lineBeginning];
    // Part of a tag is there already.
    if (this.#text !== '') return new Int32Array(opening.length);
    return this.#answer.possible().map((bits, word) => bits & ~(opening[word]! | lines[word]!));
  }
}

const hasBit = (bits: Int32Array, token: number) => ((bits[token >> 5]! >>> (token & 31)) & 1) === 1;
