const slots = 2 ** 18;
/** Fuller than that, it is emptied: a text of ever new pairs must not grow it. */
const mostPairs = slots / 2;

/**
 * Remembers a number for each pair of symbols. Typed arrays with open addressing: a Map would make an object of
 * every key, and the lookup is what tokenizing a long text spends its time on.
 */
export class PairTable {
  readonly #lefts = new Int32Array(slots);
  readonly #rights = new Int32Array(slots);
  /** The number plus 2; 0 where the slot is free. */
  readonly #values = new Int32Array(slots);
  #size = 0;

  /** The number of a pair, -1 or more; undefined where it is not known. */
  get(left: number, right: number): number | undefined {
    const value = this.#values[this.#slot(left, right)]!;
    return value === 0 ? undefined : value - 2;
  }

  /** `value`: -1 or more. */
  set(left: number, right: number, value: number): void {
    if (this.#size === mostPairs) {
      this.#values.fill(0);
      this.#size = 0;
    }
    const slot = this.#slot(left, right);
    if (this.#values[slot] === 0) this.#size++;
    this.#lefts[slot] = left;
    this.#rights[slot] = right;
    this.#values[slot] = value + 2;
  }

  /** Where the pair stands, or the free slot where it would. */
  #slot(left: number, right: number): number {
    const mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & (slots - 1);
    while (this.#values[slot] !== 0 && (this.#lefts[slot] !== left || this.#rights[slot] !== right)) {
      slot = (slot + 1) & (slots - 1);
    }
    return slot;
  }
}
