import { CACHE_PAGE_POSITIONS, type CacheFormat, ops, type SequenceSlice } from '@pocketllm/abi';
import { gains } from '../data/filler.js';
import { Random } from '../data/random.js';
import { programOfCall } from './call-program.js';
import type { Case, CaseData, CaseStep } from './case.js';
import { judgeFloats } from './judges.js';
import { byHead, headOf, softmaxTerms } from './softmax-terms.js';

/** Gives the q, k or v of all positions of one sequence. */
export type HistoryFiller = (count: number, random: Random, sequence: number) => Float32Array;

/** A few sequences that grow step by step, and the attention they pass through. */
export interface AttentionScript {
  readonly name: string;
  readonly format: CacheFormat;
  readonly kvHeads: number;
  /** Query heads for each key head. */
  readonly group: number;
  readonly headSize: number;
  /** That of the keys where absent. */
  readonly valueSize?: number;
  readonly window?: number;
  readonly softcap?: number;
  readonly sinks?: boolean;
  /** The rows that each sequence adds at each step; 0 where it waits. */
  readonly sequences: readonly (readonly number[])[];
  /** The first step that is judged, where bounds for all rows of a long prompt would take too long. */
  readonly judgedFrom?: number;
  readonly q?: HistoryFiller;
  readonly k?: HistoryFiller;
  readonly v?: HistoryFiller;
}

interface History {
  readonly q: Float32Array;
  readonly k: Float32Array;
  readonly v: Float32Array;
  readonly pages: readonly number[];
}

interface Sizes {
  readonly heads: number;
  readonly kvHeads: number;
  readonly headSize: number;
  readonly valueSize: number;
}

/** Rows of one sequence in one step. */
interface Slice {
  readonly history: History;
  readonly start: number;
  readonly rows: number;
}

const scale = 0.125;

export function attentionCase(script: AttentionScript): Case {
  const { format, kvHeads, group, headSize, window = 0, softcap = 0, sinks } = script;
  const sizes = { heads: group * kvHeads, kvHeads, headSize, valueSize: script.valueSize ?? headSize };
  const attributes = { heads: sizes.heads, kvHeads, scale, window, softcap };
  const operands = sinks ? ['q', 'k', 'v', 'sinks'] : ['q', 'k', 'v'];
  const steps = Math.max(...script.sequences.map((rows) => rows.length));
  const rowsOf = (step: number) => script.sequences.reduce((sum, rows) => sum + (rows[step] ?? 0), 0);
  const pages = script.sequences.reduce((sum, rows) => sum + pagesFor(total(rows)), 0);
  return {
    op: 'attention',
    format,
    name: script.name,
    program: programOfCall({ op: ops.attention, sizes, attributes, operands, format: undefined }),
    cache: { pages: pages + 2, format },
    maxRows: Math.max(...Array.from({ length: steps }, (_, step) => rowsOf(step))) + 3,
    maxOutputs: 1,
    make: () => dataOf(script, sizes, steps, pages + 2),
  };
}

function dataOf(script: AttentionScript, sizes: Sizes, steps: number, pageCount: number): CaseData {
  const { heads, kvHeads, headSize, valueSize } = sizes;
  const random = new Random(`attention ${script.format} ${script.name}`);
  const filler = defaultFillers[script.format];
  const free = random.order(pageCount);
  const histories = script.sequences.map((rows, sequence): History => {
    const positions = total(rows);
    return {
      q: (script.q ?? anyValues)(positions * heads * headSize, random, sequence),
      k: (script.k ?? filler)(positions * kvHeads * headSize, random, sequence),
      v: (script.v ?? filler)(positions * kvHeads * valueSize, random, sequence),
      pages: free.splice(0, pagesFor(positions)),
    };
  });
  const slicesOf = (step: number): Slice[] =>
    histories.flatMap((history, index) => {
      const lengths = script.sequences[index]!;
      const rows = lengths[step] ?? 0;
      return rows === 0 ? [] : [{ history, rows, start: total(lengths.slice(0, step)) }];
    });
  const sinks = script.sinks ? (gainsOf(heads, random) as Float32Array) : undefined;
  return {
    weights: sinks ? { sinks: new Uint8Array(sinks.buffer) } : {},
    steps: Array.from({ length: steps }, (_, step) => stepOf(slicesOf(step), sizes)),
    judges: (step, expected) => {
      if (step < (script.judgedFrom ?? 0)) return {};
      const out = expected.out as Float32Array;
      return {
        out: judgeFloats(out, ops.attention.tolerance, termsOf(script, sizes, slicesOf(step), sinks)),
      };
    },
  };
}

function stepOf(slices: readonly Slice[], { heads, kvHeads, headSize, valueSize }: Sizes): CaseStep {
  const join = (name: 'q' | 'k' | 'v', width: number) => {
    const parts = slices.map(({ history, start, rows }) =>
      history[name].subarray(start * width, (start + rows) * width),
    );
    return Float32Array.from(parts.flatMap((part) => [...part]));
  };
  return {
    rows: slices.reduce((sum, { rows }) => sum + rows, 0),
    outputs: 0,
    sequences: slices.map(({ history, start, rows }): SequenceSlice => {
      const phase = rows === 1 && start > 0 ? 'decode' : 'prefill';
      return { rows, start, pages: history.pages.slice(0, pagesFor(start + rows)), phase };
    }),
    inputs: {
      q: join('q', heads * headSize),
      k: join('k', kvHeads * headSize),
      v: join('v', kvHeads * valueSize),
    },
  };
}

function termsOf(
  { window = 0, softcap = 0, group }: AttentionScript,
  { heads, kvHeads, headSize, valueSize }: Sizes,
  slices: readonly Slice[],
  sinks: Float32Array | undefined,
) {
  const rows = slices.flatMap(({ history, start, rows }) =>
    Array.from({ length: rows }, (_, row) => ({ history, position: start + row })),
  );
  return byHead(valueSize, (rowAndHead) => {
    const { history, position } = rows[Math.floor(rowAndHead / heads)]!;
    const head = rowAndHead % heads;
    const kvHead = Math.floor(head / group);
    const first = window === 0 ? 0 : Math.max(0, position - window + 1);
    const positions = Array.from({ length: position + 1 - first }, (_, i) => first + i);
    return softmaxTerms({
      q: headOf(history.q, position, heads, head, headSize),
      keys: positions.map((p) => headOf(history.k, p, kvHeads, kvHead, headSize)),
      values: positions.map((p) => headOf(history.v, p, kvHeads, kvHead, valueSize)),
      scale,
      softcap,
      sink: sinks?.[head],
    });
  });
}

const anyValues: HistoryFiller = (count, random) => random.floats(count);

/**
 * Values that have one nearest code in q8_0: multiples of a power of two plus a quarter, and the largest of
 * each block a multiple itself. Values halfway between two codes could be rounded either way.
 */
const betweenCodes: HistoryFiller = (count, random) =>
  Float32Array.from({ length: count }, (_, i) => {
    const code = i % 32 === 11 ? 127 : random.below(240) - 120 + 0.25;
    return (code / 64) * (random.below(2) === 0 ? 1 : -1);
  });

const defaultFillers: Readonly<Record<CacheFormat, HistoryFiller>> = {
  f16: anyValues,
  f32: anyValues,
  q8_0: betweenCodes,
};

const gainsOf = (count: number, random: Random) =>
  gains({ count, random, sizes: {}, attributes: {}, values: {} });

const total = (rows: readonly number[]): number => rows.reduce((sum, count) => sum + count, 0);

const pagesFor = (positions: number): number => Math.ceil(positions / CACHE_PAGE_POSITIONS);
