import type { PocketError } from '@pocketllm/abi';
import { requestInvalid } from '../../request-invalid.js';
import type { CodeRange } from './code-ranges.js';

/** What a piece of text may be. */
export type GrammarNode =
  | { readonly kind: 'text'; readonly text: string }
  /** One character of a set; sorted and without surrogates. */
  | { readonly kind: 'character'; readonly ranges: readonly CodeRange[] }
  | { readonly kind: 'sequence'; readonly items: readonly GrammarNode[] }
  | { readonly kind: 'choice'; readonly items: readonly GrammarNode[] }
  /** `max` may be Infinity. */
  | { readonly kind: 'repeat'; readonly item: GrammarNode; readonly min: number; readonly max: number }
  | { readonly kind: 'rule'; readonly name: string };

/** Rules by name, and the one that a whole answer follows. */
export interface Grammar {
  readonly rules: ReadonlyMap<string, GrammarNode>;
  readonly root: GrammarNode;
}

export const text = (value: string): GrammarNode => ({ kind: 'text', text: value });
export const character = (ranges: readonly CodeRange[]): GrammarNode => ({ kind: 'character', ranges });
export const rule = (name: string): GrammarNode => ({ kind: 'rule', name });
export const nothing: GrammarNode = text('');

export const sequence = (...items: readonly GrammarNode[]): GrammarNode =>
  items.length === 1 ? items[0]! : { kind: 'sequence', items };

export const choice = (...items: readonly GrammarNode[]): GrammarNode =>
  items.length === 1 ? items[0]! : { kind: 'choice', items };

export const repeat = (item: GrammarNode, min: number, max = Number.POSITIVE_INFINITY): GrammarNode => ({
  kind: 'repeat',
  item,
  min,
  max,
});

export const optional = (item: GrammarNode) => repeat(item, 0, 1);

/** REQUEST_INVALID of something that an answer is to be held to; `found` is cut to a length that can be shown. */
export function refused(field: string, expected: string, found: unknown): PocketError {
  const shown = typeof found === 'string' ? found : (JSON.stringify(found) ?? typeof found);
  const cut = shown.length > 100 ? `${shown.slice(0, 100)}...` : shown;
  return requestInvalid(field.slice(0, 200), expected, cut);
}
