import type { Tokenizer } from '../../tokenizer/index.js';

/** A vocabulary as grammars see it. */
export interface TokenTable {
  /** What each token adds to a text; empty for those that must not come. */
  readonly bytes: readonly Uint8Array[];
  /** How many tokens begin with each byte, [256]. */
  readonly beginnings: Uint32Array;
}

type Vocabulary = Pick<
  Tokenizer,
  'vocabularySize' | 'token' | 'tokenBytes' | 'suppressed' | 'endOfGeneration'
>;

const hidden = new Set(['control', 'unknown', 'unused']);
const none = new Uint8Array(0);

/**
 * Tokens that are not shown add nothing and never come; those that end an answer are told to the grammar by id.
 * Tokens with a byte that UTF-8 never has are left out too, whatever their spelling: grammars are written so that
 * byte 0xff stands for nothing.
 */
export function tokenTable(tokenizer: Vocabulary): TokenTable {
  const beginnings = new Uint32Array(256);
  const bytes = Array.from({ length: tokenizer.vocabularySize }, (_, id) => {
    const isLeftOut =
      hidden.has(tokenizer.token(id).type) ||
      tokenizer.suppressed.has(id) ||
      tokenizer.endOfGeneration.has(id);
    const own = isLeftOut ? none : tokenizer.tokenBytes(id);
    return own.some(isNeverInUtf8) ? none : own;
  });
  for (const [first] of bytes) if (first !== undefined) beginnings[first]!++;
  return { bytes, beginnings };
}

const isNeverInUtf8 = (byte: number) => byte === 0xc0 || byte === 0xc1 || byte > 0xf4;
