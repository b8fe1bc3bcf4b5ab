/**
 * A stream of numbers that depends on its name alone, on every platform: nothing but integer arithmetic and
 * additions of doubles.
 */
export class Random {
  #state: number;

  constructor(name: string) {
    this.#state = 0x9e3779b9;
    for (let i = 0; i < name.length; i++) {
      this.#state = Math.imul(this.#state ^ name.charCodeAt(i), 0x01000193);
    }
  }

  /** An integer from 0 up to 2^32. */
  word(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  /** From 0 up to 1. */
  unit(): number {
    return this.word() / 2 ** 32;
  }

  /** An integer from 0 up to `below`. */
  below(below: number): number {
    return Math.floor(this.unit() * below);
  }

  /** Mean 0, variance 1, within -3.47 .. 3.47: a sum of four, so that no elementary function is needed. */
  normal(): number {
    return (this.unit() + this.unit() + this.unit() + this.unit() - 2) * Math.sqrt(3);
  }

  floats(count: number): Float32Array {
    return Float32Array.from({ length: count }, () => this.normal());
  }

  /** The numbers from 0 up to `count` in some order. */
  order(count: number): number[] {
    const numbers = Array.from({ length: count }, (_, i) => i);
    for (let i = count - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [numbers[i], numbers[j]] = [numbers[j]!, numbers[i]!];
    }
    return numbers;
  }
}
