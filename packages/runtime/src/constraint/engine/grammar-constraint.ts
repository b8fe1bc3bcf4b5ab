import { PocketError } from '@pocketllm/abi';
import type { TokenConstraint } from '../../sampling/index.js';
import { refused } from '../grammar/grammar.js';
import type { Instance, Matcher } from './binding.js';

/** Milliseconds that one token may take. A grammar that reads one text in very many ways gets slower with each. */
const mostMs = 3000;

/** Holds an answer to a grammar, from the first token on. */
export class GrammarConstraint implements TokenConstraint {
  #matcher: Matcher | undefined;
  readonly #instance: Instance;
  /** Tokens that end an answer, as `possible` gives them. */
  readonly #ends: Int32Array;
  readonly #vocabularySize: number;

  /** @internal Made by `CompiledGrammars`. */
  constructor(instance: Instance, matcher: Matcher, vocabularySize: number, ends: Int32Array) {
    this.#instance = instance;
    this.#matcher = matcher;
    this.#vocabularySize = vocabularySize;
    this.#ends = ends;
  }

  mask(logits: Float32Array): void {
    maskTo(this.possible(), logits);
  }

  /**
   * One bit for each token that may come next, 32 a word. After the end these are the tokens that end an answer:
   * where they do not, nothing else follows.
   */
  possible(): Int32Array {
    return this.#ask((matcher) => {
      if (matcher.IsTerminated()) return this.#ends;
      const vector = matcher.GetNextTokenBitmask(this.#vocabularySize);
      const bits = this.#instance.binding.vecIntToView(vector).slice();
      vector.delete();
      return bits;
    });
  }

  accept(token: number): void {
    const isPossible = this.#ask((matcher) => matcher.IsTerminated() || matcher.AcceptToken(token, false));
    if (!isPossible) throw new TypeError(`the constraint had left token ${token} no place`);
  }

  /** Goes on past a piece of text; false, and nothing has changed, where it cannot come next. */
  acceptText(text: string): boolean {
    return this.#ask((matcher) => !matcher.IsTerminated() && matcher.AcceptString(text, false));
  }

  dispose(): void {
    this.#matcher?.delete();
    this.#matcher = undefined;
  }

  #ask<Result>(question: (matcher: Matcher) => Result): Result {
    if (this.#matcher === undefined) throw new PocketError('CLOSED', { what: 'the constraint' });
    const started = performance.now();
    const result = this.#instance.guard(() => question(this.#matcher!));
    if (performance.now() - started > mostMs) {
      throw refused('grammar', `one that takes at most ${mostMs} ms for a token`, 'one that takes longer');
    }
    return result;
  }
}

/** Sets the logits of tokens whose bit is 0, or that have none, to -Infinity. */
export function maskTo(bits: Int32Array, logits: Float32Array): void {
  for (let first = 0; first < logits.length; first += 32) {
    const allowed = bits[first >> 5] ?? 0;
    if (allowed === -1) continue;
    const end = Math.min(first + 32, logits.length);
    if (allowed === 0) {
      logits.fill(Number.NEGATIVE_INFINITY, first, end);
      continue;
    }
    for (let id = first; id < end; id++) {
      if (((allowed >>> (id - first)) & 1) === 0) logits[id] = Number.NEGATIVE_INFINITY;
    }
  }
}

/** The bits of these tokens. */
export function bitsOf(tokens: Iterable<number>, vocabularySize: number): Int32Array {
  const bits = new Int32Array(Math.ceil(vocabularySize / 32));
  for (const id of tokens) bits[id >> 5]! |= 1 << (id & 31);
  return bits;
}
