import type { NextToken } from '../../packages/runtime/src/engine/next-token.js';
import type { RecordedCase } from './recorded-tokens.js';

/** Root mean square of some differences. */
class Rms {
  #squares = 0;
  #count = 0;

  add(difference: number): void {
    this.#squares += difference * difference;
    this.#count++;
  }

  get value(): number {
    return Math.sqrt(this.#squares / Math.max(this.#count, 1));
  }
}

/** How far logits lie from those that were computed in double precision: ours, and llama.cpp's own. */
export class RecordedError {
  readonly #ours = new Rms();
  readonly #llamaCpp = new Rms();

  /** Tokens that differ from llama.cpp's where its lead is larger than any rounding. */
  readonly wrong: string[] = [];

  get ours(): number {
    return this.#ours.value;
  }

  get llamaCpp(): number {
    return this.#llamaCpp.value;
  }

  /** Takes the steps of one case, fed with its recorded tokens. */
  async add(steps: AsyncIterable<NextToken>, recorded: RecordedCase, safeMargin: number): Promise<void> {
    let k = 0;
    for await (const { best, logits } of steps) {
      const { [k]: token } = recorded.tokens;
      if (best !== token && recorded.margins[k]! > safeMargin) {
        this.wrong.push(`${recorded.name}, step ${k}: ${best}, not ${token}`);
      }
      const theirs = new Map(recorded.top5_at[k] ?? []);
      for (const [id, exact] of recorded.exact_top5_at[k] ?? []) {
        this.#ours.add(logits![id]! - exact);
        if (theirs.has(id)) this.#llamaCpp.add(theirs.get(id)! - exact);
      }
      k++;
    }
  }
}
