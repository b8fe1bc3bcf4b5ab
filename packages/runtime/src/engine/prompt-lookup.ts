/** The last tokens that are looked for: as many of them as stood together before, but at least two. */
const longestRun = 4;
const shortestRun = 2;
/** How far back they are looked for. */
const farthest = 4096;

/**
 * Proposes what may follow: where the last tokens stood before, what came after them there; the latest place of those
 * where most of them stood. Summaries, code and calls of tools repeat what they were given.
 */
export function proposeFromPrompt(tokens: readonly number[], most: number): readonly number[] {
  const last = tokens.length - 1;
  const oldest = Math.max(0, tokens.length - farthest);
  let place = -1;
  let longest = shortestRun - 1;
  for (let end = last - 1; end >= oldest && longest < longestRun; end--) {
    let run = 0;
    while (run < longestRun && end - run >= 0 && tokens[end - run] === tokens[last - run]) run++;
    if (run <= longest) continue;
    longest = run;
    place = end;
  }
  const draft: number[] = [];
  // What repeats itself up to the end goes on doing so.
  for (let next = place + 1; place >= 0 && draft.length < most; next++) {
    draft.push(next < tokens.length ? tokens[next]! : draft[next - tokens.length]!);
  }
  return draft;
}

/** The probability that a draft is right, before there is anything to go by. */
const firstGuess = 0.5;

/** How often the drafts of one sequence are right: a mean that forgets, and forgives. */
export class DraftRecord {
  #acceptance = firstGuess;

  /** The probability that a draft is right. */
  get acceptance(): number {
    return this.#acceptance;
  }

  /** Of so many drafts of a step, the first `accepted` were right, and the one behind them, if any, was wrong. */
  note(proposed: number, accepted: number): void {
    // Without any, what is known loses weight, so that drafts get another chance some day.
    if (proposed === 0) this.#acceptance += 0.005 * (firstGuess - this.#acceptance);
    const judged = Math.min(accepted + 1, proposed);
    for (let i = 0; i < judged; i++) this.#acceptance += 0.1 * ((i < accepted ? 1 : 0) - this.#acceptance);
  }
}
