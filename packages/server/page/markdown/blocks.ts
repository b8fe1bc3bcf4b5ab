import { lexer, type MarkedToken } from 'marked';

/** Markdown that grows at its end, block by block. */
export interface Blocks {
  /** Blocks that later text cannot change. */
  readonly settled: readonly MarkedToken[];
  /** The last block, which later text may still change. */
  readonly open: MarkedToken | undefined;
  /** Where in the text the open block begins. */
  readonly openAt: number;
}

/** The blocks of a text. Its lines end with \n. */
export function blocksOf(text: string): Blocks {
  const tokens = lexer(text) as MarkedToken[];
  // Blank lines after a list can still belong to it, so what stands before them is open too.
  const last = tokens.findLastIndex(({ type }) => type !== 'space');
  const settled = tokens.slice(0, Math.max(last, 0));
  const openAt = settled.reduce((sum, { raw }) => sum + raw.length, 0);
  return { settled, open: tokens[last], openAt };
}

/** Whether a text names targets of links apart from them, which blocks before it may use. */
export const definesLinks = (text: string): boolean => /^ {0,3}\[[^\]\n]+\]:/m.test(text);
