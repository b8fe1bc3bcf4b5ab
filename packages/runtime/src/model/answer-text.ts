import type { AnswerStream, FinishedAnswer, ParsedToolCall } from '../chat/index.js';
import type { StopStrings } from '../text/index.js';
import type { TextStream } from '../tokenizer/index.js';
import type { GenerationPiece, PositionLogprobs } from './generation.js';

/** How the output of an answer is read. */
export interface TextForm {
  readonly decode: TextStream;
  readonly stops: StopStrings;
  /** Takes the output apart. */
  readonly parts: AnswerStream;
  /** Whether calls are reported as such. */
  readonly readCalls: boolean;
  /** Whether log-probabilities are reported. */
  readonly hasLogprobs: boolean;
}

/** Makes text of an answer's tokens, as soon as no character, stop string or tag can claim it. */
export class AnswerText {
  readonly #form: TextForm;
  readonly #emit: (piece: GenerationPiece) => void;
  #text = '';
  #reasoning = '';
  readonly #calls: ParsedToolCall[] = [];
  readonly #logprobs: PositionLogprobs[] = [];
  /** Of them, those that came with a piece. */
  #logprobsGiven = 0;

  constructor(form: TextForm, emit: (piece: GenerationPiece) => void) {
    this.#form = form;
    this.#emit = emit;
  }

  /** All there is by now. */
  get whole(): GenerationPiece {
    const { readCalls, hasLogprobs } = this.#form;
    return {
      text: this.#text,
      reasoning: this.#reasoning,
      ...(readCalls ? { calls: [...this.#calls] } : {}),
      ...(hasLogprobs ? { logprobs: [...this.#logprobs] } : {}),
    };
  }

  /** Takes a token; true where a stop string ends the answer. */
  push(token: number, scores: PositionLogprobs | undefined): boolean {
    if (scores) this.#logprobs.push(scores);
    return this.#release(this.#form.decode.push(token));
  }

  /** Passes on what was held back, now that nothing follows. */
  end(): void {
    const { decode, stops, parts } = this.#form;
    this.#release(decode.flush());
    this.#piece(parts.push(stops.flush()));
    this.#piece(parts.flush(), true);
  }

  #release(decoded: string): boolean {
    const { text, stopped } = this.#form.stops.push(decoded);
    this.#piece(this.#form.parts.push(text));
    return stopped;
  }

  /** Passes on what there is; of the last piece, log-probabilities that no text came for, too. */
  #piece({ text, reasoning, calls }: FinishedAnswer, isLast = false): void {
    const scores = this.#logprobs.slice(this.#logprobsGiven);
    const isEmpty = text === '' && reasoning === '' && calls.length === 0;
    if (isEmpty && !(isLast && scores.length > 0)) return;
    this.#text += text;
    this.#reasoning += reasoning;
    this.#calls.push(...calls);
    this.#logprobsGiven = this.#logprobs.length;
    const { readCalls, hasLogprobs } = this.#form;
    this.#emit({
      text,
      reasoning,
      ...(readCalls ? { calls } : {}),
      ...(hasLogprobs ? { logprobs: scores } : {}),
    });
  }
}
