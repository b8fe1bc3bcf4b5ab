import type { SequenceSlice } from '@pocketllm/abi';
import type { Reading } from './next-token.js';
import type { Sequence } from './sequence.js';

/** The rows of one sequence in a step. */
export interface BatchPart {
  readonly sequence: Sequence;
  readonly phase: SequenceSlice['phase'];
  /** Rows from `computed` on, drafts included. */
  readonly rows: number;
  /** Of them, those at the end whose results are wanted. */
  readonly outputs: number;
}

/** What one step computes. */
export class Batch {
  readonly parts: BatchPart[] = [];
  rows = 0;
  outputs = 0;
  /** Sequences that get their next token by one row. */
  decodes = 0;
  readonly extra = { prompt: 0, draft: 0 };
  /** What is wanted of outputs. */
  readonly reads = new Set<Reading>();

  /** @param isPooled Whether outputs are hidden states, to be pooled, rather than what comes next. */
  constructor(readonly isPooled = false) {}

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  /** The sequence's next row, with its drafts behind it. */
  addDecode(sequence: Sequence): void {
    const drafts = sequence.draft.length;
    this.decodes++;
    this.extra.draft += drafts;
    this.#add({ sequence, phase: 'decode', rows: 1 + drafts, outputs: 1 + drafts });
  }

  /** Rows of a text that is read, or read again. */
  addChunk(sequence: Sequence, rows: number, phase: SequenceSlice['phase']): void {
    this.extra.prompt += rows;
    const last = rows === sequence.missing ? 1 : 0;
    this.#add({ sequence, phase, rows, outputs: sequence.needsEveryRow ? rows : last });
  }

  #add(part: BatchPart): void {
    this.parts.push(part);
    this.rows += part.rows;
    this.outputs += part.outputs;
    if (part.outputs > 0) this.reads.add(part.sequence.reads);
  }
}
