/** A full page whose content is known: it, and the pages in front of it, hold certain tokens. Never written again. */
export interface KnownPage {
  readonly page: number;
  /** The page in front; undefined for the first of a text. */
  readonly parent: KnownPage | undefined;
  /** What stands in it, as `pageKey` writes it. */
  readonly key: string;
  /** Sequences that hold it. */
  holders: number;
  /** Known pages behind it, by key. */
  readonly next: Map<string, KnownPage>;
}

/**
 * Book-keeping of the cache's pages. A page is free, or private to one sequence that writes it, or known and held by
 * any number of sequences, or kept: known, held by nobody, and reused for what it holds until its room is needed.
 * Kept pages go in the order in which they were let go.
 */
export class PageTable {
  readonly #free: number[];
  readonly #first = new Map<string, KnownPage>();
  /**
   * Let go longest ago first. A sequence lets go of its pages from the last to the first and holds all of them in
   * between, so what stands first here has no known page behind it.
   */
  readonly #kept = new Set<KnownPage>();

  constructor(readonly capacity: number) {
    this.#free = Array.from({ length: capacity }, (_, page) => capacity - 1 - page);
  }

  /** Pages that `take` can give: free and kept ones. */
  get available(): number {
    return this.#free.length + this.#kept.size;
  }

  /** Pages that nobody holds and that may be reused for what they hold. */
  get kept(): number {
    return this.#kept.size;
  }

  /** A private page; undefined where all are held. */
  take(): number | undefined {
    if (this.#free.length === 0) this.#dropOldest();
    return this.#free.pop();
  }

  /** Gives a private page back. */
  giveBack(page: number): void {
    this.#free.push(page);
  }

  /** The known page behind `parent` that holds what `key` says. To be held before anything else happens. */
  find(parent: KnownPage | undefined, key: string): KnownPage | undefined {
    return (parent?.next ?? this.#first).get(key);
  }

  hold(known: KnownPage): void {
    if (known.holders++ === 0) this.#kept.delete(known);
  }

  letGo(known: KnownPage): void {
    if (--known.holders === 0) this.#kept.add(known);
  }

  /**
   * Makes a private page, now full, known and held by one. Where another page is known for the same, that one is held
   * and the private page given back.
   */
  publish(parent: KnownPage | undefined, key: string, page: number): KnownPage {
    const siblings = parent?.next ?? this.#first;
    const twin = siblings.get(key);
    if (twin) {
      this.giveBack(page);
      this.hold(twin);
      return twin;
    }
    const known = { page, parent, key, holders: 1, next: new Map<string, KnownPage>() };
    siblings.set(key, known);
    return known;
  }

  #dropOldest(): void {
    for (const known of this.#kept) {
      this.#kept.delete(known);
      (known.parent?.next ?? this.#first).delete(known.key);
      this.#free.push(known.page);
      return;
    }
  }
}
