/** Weight of a new measurement in means of what a step costs now, and of how it depends on its rows. */
const weight = 0.2;
const slowWeight = 0.05;
/** Steps of which one tries two rows, where one is all. */
const tryEach = 16;
/** Part of their number by which sizes of steps have to differ to say much. */
const doubtful = 32;
/** What rows may cost at least, as a share of what any number of them costs. */
const leastShare = 0.25;

/**
 * What rows of prompts add to a step. A part of it comes with the first row, since a device may read all weights again for
 * them, and may be more than a step of decodes takes: then fewer rows would make no step short, and prompts would never
 * come to their end. So that part is told apart from what each row costs, by steps of different sizes.
 */
export class PromptCost {
  /** Means of the last few steps. */
  #rows = 0;
  #ms = 0;
  /** Means of many, of which the slope of a line follows. */
  readonly #long = { count: 0, rows: 0, ms: 0, squares: 0, products: 0 };

  note(rows: number, ms: number): void {
    const long = this.#long;
    const first = long.count++ === 0;
    const mean = (before: number, value: number, share: number) =>
      first ? value : before + share * (value - before);
    // As many count alike as there are, at the beginning.
    const share = Math.max(1 / long.count, slowWeight);
    this.#rows = mean(this.#rows, rows, weight);
    this.#ms = mean(this.#ms, ms, weight);
    long.rows = mean(long.rows, rows, share);
    long.ms = mean(long.ms, ms, share);
    long.squares = mean(long.squares, rows * rows, share);
    long.products = mean(long.products, rows * ms, share);
  }

  /** Milliseconds a row, all that is added counted; undefined where none was measured. */
  get rowMs(): number | undefined {
    return this.#long.count === 0 ? undefined : Math.max(this.#ms, 0) / this.#rows;
  }

  /**
   * As many rows as add so many milliseconds, or few enough to be cheap beside what any number adds; at most `most`, and at
   * least one. Undefined where none was measured.
   *
   * Steps of different sizes tell what a row costs, so every other step has less than it might; where rows are cheap, more.
   */
  rowsWithin(ms: number, most: number): number | undefined {
    const { rowMs } = this;
    if (rowMs === undefined) return undefined;
    const slope = this.#slope(rowMs);
    const fixed = Math.max(this.#ms - slope * this.#rows, 0);
    const left = ms - fixed;
    const areCheap = left < leastShare * fixed;
    const rows = Math.min(Math.max(Math.floor((areCheap ? leastShare * fixed : left) / slope), 1), most);
    const { count } = this.#long;
    if (areCheap) return count % 2 === 0 ? rows : Math.min(2 * rows, most);
    if (rows > 1) return count % 2 === 0 ? rows : Math.floor(0.75 * rows);
    return count % tryEach === 2 ? Math.min(2, most) : 1;
  }

  /** Milliseconds that one more row adds: at most what a row costs in all, which it is taken for where nothing says else. */
  #slope(rowMs: number): number {
    const { rows, ms, squares, products } = this.#long;
    const variance = squares - rows * rows;
    // Noise looks like a slope where steps are nearly alike: some weight goes to a line through zero.
    const doubt = (rows / doubtful) ** 2;
    const slope = (products - rows * ms + doubt * rowMs) / (variance + doubt);
    return Math.min(Math.max(slope, rowMs / 16), rowMs);
  }
}
