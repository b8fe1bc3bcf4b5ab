import { utf8Ways } from './code-ranges.js';
import type { Grammar, GrammarNode } from './grammar.js';

const encoder = new TextEncoder();

/** What a grammar costs to prepare for a vocabulary. */
export interface GrammarSize {
  /** Places in a text at which the grammar can stand, about. */
  readonly places: number;
  /** Tokens that are looked at over all places: those that begin with a byte that may come there. */
  readonly tokens: number;
}

/** @param beginnings How many tokens begin with each byte, [256]. */
export function measure({ rules, root }: Grammar, beginnings: ArrayLike<number>): GrammarSize {
  let places = 0;
  let tokens = 0;
  const add = (first: number, last: number, times: number) => {
    for (let byte = first; byte <= last; byte++) tokens += times * beginnings[byte]!;
  };
  const visit = (node: GrammarNode, times: number): void => {
    switch (node.kind) {
      case 'text': {
        const bytes = encoder.encode(node.text);
        places += times * bytes.length;
        for (const byte of bytes) add(byte, byte, times);
        return;
      }
      case 'character':
        places += times;
        for (const way of utf8Ways(node.ranges)) for (const [first, last] of way) add(first, last, times);
        return;
      case 'rule':
        places += times;
        return;
      case 'repeat':
        // One that has no end is one place that leads back to itself.
        visit(node.item, times * (Number.isFinite(node.max) ? node.max : node.min + 1));
        return;
      default:
        places += times;
        for (const item of node.items) visit(item, times);
    }
  };
  for (const node of [root, ...rules.values()]) visit(node, 1);
  return { places, tokens };
}
