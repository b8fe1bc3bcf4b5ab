import type { AnswerForm, FinishedAnswer } from './answer.js';
import { ReasoningSplitter, type SplitText } from './reasoning.js';
import { type AnswerPiece, ToolCallStream } from './tool-call-stream.js';

/**
 * Takes an output apart while it arrives: all pieces together are what `parseAnswer` makes of the whole, however
 * it is cut.
 */
export class AnswerStream {
  readonly #reasoning: ReasoningSplitter | undefined;
  readonly #calls: ToolCallStream | undefined;
  /** Calls in the reasoning, which count only if it never ends. */
  #inside: InsideCalls | undefined;

  constructor({ reasoning, startsInside = false, tools }: AnswerForm) {
    this.#reasoning = reasoning && new ReasoningSplitter({ ...reasoning, startsInside });
    if (tools === undefined) return;
    this.#calls = new ToolCallStream(tools);
    if (reasoning) this.#inside = new InsideCalls(new ToolCallStream(tools));
  }

  /** Takes the next piece of output; gives what is clear by now. */
  push(output: string): FinishedAnswer {
    const split = this.#reasoning?.push(output) ?? { reasoning: '', text: output };
    return this.#read(split);
  }

  /** Ends the output; gives what was held back. */
  flush(): FinishedAnswer {
    const split = this.#reasoning?.flush() ?? { reasoning: '', text: '' };
    const read = this.#read(split);
    const last = this.#calls?.flush() ?? noCalls;
    const inside = this.#inside?.flush() ?? noCalls;
    return {
      reasoning: read.reasoning + inside.text,
      text: read.text + last.text,
      calls: [...read.calls, ...last.calls, ...inside.calls],
    };
  }

  #read({ reasoning, text }: SplitText): FinishedAnswer {
    let shown = this.#inside ? this.#inside.push(reasoning) : reasoning;
    if (this.#reasoning?.hasEnded) {
      shown += this.#inside?.release() ?? '';
      this.#inside = undefined;
    }
    return { reasoning: shown, ...(this.#calls?.push(text) ?? { text, calls: [] }) };
  }
}

const noCalls: AnswerPiece = { text: '', calls: [] };

/** Reasoning that may turn out to hold calls: from the first one on, it is kept both as it is and read. */
class InsideCalls {
  #raw = '';
  #shown = 0;
  #text = '';
  #calls: AnswerPiece['calls'] = [];

  constructor(private readonly stream: ToolCallStream) {}

  /** Gives what is reasoning in either case. */
  push(reasoning: string): string {
    this.#raw += reasoning;
    return this.#take(this.stream.push(reasoning));
  }

  /** All that was held back, as reasoning. */
  release(): string {
    return this.#raw.slice(this.#shown);
  }

  /** The reasoning never ended: what was held back is text around calls, and the calls. */
  flush(): AnswerPiece {
    const shown = this.#take(this.stream.flush());
    return { text: shown + this.#text, calls: this.#calls };
  }

  #take({ text, calls }: AnswerPiece): string {
    this.#calls = [...this.#calls, ...calls];
    if (this.#calls.length === 0) {
      this.#shown += text.length;
      return text;
    }
    this.#text += text;
    return '';
  }
}
