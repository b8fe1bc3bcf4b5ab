import { beginningOf } from './tag-beginning.js';

export interface ReasoningTags {
  readonly open: string;
  readonly close: string;
}

const knownTags: readonly ReasoningTags[] = [
  { open: '<think>', close: '</think>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<|START_THINKING|>', close: '<|END_THINKING|>' },
];

/** The tags around the reasoning of a model, as far as its template tells; undefined where it has none. */
export function reasoningTagsOf(templateSource: string): ReasoningTags | undefined {
  return knownTags.find((tags) => templateSource.includes(tags.close));
}

/** Whether an answer to this prompt begins inside the reasoning: the prompt ends with the opening tag. */
export function endsInReasoning(prompt: string, tags: ReasoningTags): boolean {
  return prompt.trimEnd().endsWith(tags.open);
}

export interface SplitText {
  readonly reasoning: string;
  readonly text: string;
}

/**
 * Tells a model's reasoning from its answer while the output arrives in pieces.
 *
 * Reasoning is what stands between the tags when the opening one is the first thing in the output, or from
 * the start where the prompt opened it; without a closing tag it is all there is. Newlines around the
 * reasoning and after the closing tag belong to neither. What may still become a tag or such a newline is
 * held back until it is clear, so how the output is cut makes no difference.
 */
export class ReasoningSplitter {
  #state: 'start' | 'reasoning' | 'gap' | 'text' = 'start';
  /** Output that is not released yet. */
  #held = '';
  #reasoned = false;
  readonly #startsInside: boolean;
  readonly #open: string;
  readonly #close: string;

  constructor(options: ReasoningTags & { readonly startsInside: boolean }) {
    this.#startsInside = options.startsInside;
    this.#open = options.open;
    this.#close = options.close;
  }

  /** Whether the reasoning is over, or there is none. */
  get hasEnded(): boolean {
    return this.#state === 'gap' || this.#state === 'text';
  }

  /** Takes the next piece of output; gives what is clear by now. */
  push(piece: string): SplitText {
    this.#held += piece;
    if (this.#state === 'start') this.#begin();
    const reasoning = this.#state === 'reasoning' ? this.#reason() : '';
    if (this.#state === 'gap') this.#skipGap();
    return { reasoning, text: this.#state === 'text' ? this.#release(this.#held.length) : '' };
  }

  /** Ends the output; gives what was held back. */
  flush(): SplitText {
    if (this.#state === 'start' && this.#startsInside) this.#state = 'reasoning';
    if (this.#state !== 'reasoning') return { reasoning: '', text: this.#release(this.#held.length) };
    if (!this.#reasoned) this.#dropLeadingNewlines();
    return { reasoning: this.#release(withoutNewlines(this.#held, this.#held.length)), text: '' };
  }

  /** Waits for something that is not blank, which is the opening tag or not. */
  #begin(): void {
    const start = this.#held.trimStart();
    if (start.length < this.#open.length && this.#open.startsWith(start)) return;
    if (start.startsWith(this.#open)) this.#held = start.slice(this.#open.length);
    this.#state = start.startsWith(this.#open) || this.#startsInside ? 'reasoning' : 'text';
  }

  #reason(): string {
    if (!this.#reasoned) this.#dropLeadingNewlines();
    const close = this.#held.indexOf(this.#close);
    const end = close >= 0 ? close : this.#held.length - beginningOf(this.#close, this.#held);
    const released = this.#release(withoutNewlines(this.#held, end));
    this.#reasoned ||= released !== '';
    if (close >= 0) {
      this.#held = this.#held.slice(this.#held.indexOf(this.#close) + this.#close.length);
      this.#state = 'gap';
    }
    return released;
  }

  #skipGap(): void {
    this.#dropLeadingNewlines();
    if (this.#held !== '') this.#state = 'text';
  }

  #dropLeadingNewlines(): void {
    this.#held = this.#held.replace(/^\n+/, '');
  }

  #release(end: number): string {
    const released = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return released;
  }
}

/** `end`, or the place before the newlines that lie in front of it. */
function withoutNewlines(text: string, end: number): number {
  let last = end;
  while (last > 0 && text[last - 1] === '\n') last--;
  return last;
}
