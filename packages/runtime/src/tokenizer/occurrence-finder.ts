const units = 2 ** 16;

/**
 * Finds which of many patterns occur in a text, in one pass over it whatever they are: a tree of the patterns'
 * characters, in which each node knows the longest other node that its text ends with (Aho and Corasick).
 */
export class OccurrenceFinder {
  /** Child nodes by `node * 2^16 + UTF-16 unit`. Node 0 is the root. */
  readonly #children = new Map<number, number>();
  readonly #fallback: number[] = [0];
  /** The pattern that ends at a node. */
  readonly #patternAt = new Map<number, number>();

  /** Patterns are not empty, differ from each other, and come longest first. */
  constructor(patterns: readonly string[]) {
    // One level after another, since a fallback leads to a higher one.
    const nodes = new Int32Array(patterns.length);
    for (let depth = 0; depth < (patterns[0]?.length ?? 0); depth++) {
      for (const [which, pattern] of patterns.entries()) {
        if (pattern.length <= depth) break;
        nodes[which] = this.#grow(nodes[which]!, pattern.charCodeAt(depth));
        if (depth === pattern.length - 1) this.#patternAt.set(nodes[which]!, which);
      }
    }
  }

  /** The numbers of the patterns that occur, ascending. */
  find(text: string): number[] {
    const found: number[] = [];
    const seen = new Uint8Array(this.#fallback.length);
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      node = this.#step(node, text.charCodeAt(at));
      for (let end = node; !seen[end]; end = this.#fallback[end]!) {
        seen[end] = 1;
        const pattern = this.#patternAt.get(end);
        if (pattern !== undefined) found.push(pattern);
      }
    }
    return found.sort((a, b) => a - b);
  }

  #grow(parent: number, unit: number): number {
    const key = parent * units + unit;
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    const node = this.#fallback.length;
    this.#fallback.push(parent === 0 ? 0 : this.#step(this.#fallback[parent]!, unit));
    this.#children.set(key, node);
    return node;
  }

  #step(from: number, unit: number): number {
    for (let node = from; ; node = this.#fallback[node]!) {
      const child = this.#children.get(node * units + unit);
      if (child !== undefined) return child;
      if (node === 0) return 0;
    }
  }
}
