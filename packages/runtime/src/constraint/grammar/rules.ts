import { type GrammarNode, rule } from './grammar.js';

/**
 * Collects rules while a grammar is made; what is asked for twice under one key is made once. Keys have a blank in
 * them, but those of a grammar that somebody wrote.
 */
export class Rules {
  readonly #rules = new Map<string, GrammarNode>();

  /** The rule of this key. `make` may ask for it again: rules may lead back to themselves. */
  get(key: string, make: () => GrammarNode): GrammarNode {
    if (!this.#rules.has(key)) {
      this.#rules.set(key, rule(key));
      this.#rules.set(key, make());
    }
    return rule(key);
  }

  get all(): ReadonlyMap<string, GrammarNode> {
    return this.#rules;
  }
}
