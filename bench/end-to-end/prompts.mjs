// @ts-check

/** Prompts of random ids, a new one each time, the same for the same seed. */
export class Prompts {
  #state;

  /** @param {number} vocabulary ids from 0 on @param {number} seed */
  constructor(vocabulary, seed) {
    this.vocabulary = vocabulary;
    this.#state = (seed + 1) >>> 0;
  }

  /** @param {number} length */
  next(length) {
    return Array.from({ length }, () => {
      this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
      return Math.floor((this.#state / 2 ** 32) * this.vocabulary);
    });
  }
}
