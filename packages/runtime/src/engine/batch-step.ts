import type { Cache, SequenceSlice, Step } from '@pocketllm/abi';
import type { Batch, BatchPart } from './batch.js';

const wantedBest = ['best', 'best_logit'];
const wantedLikeliest = ['likeliest', 'likeliest_logits'];
const wantedHidden = ['hidden'];
const wantedNothing: readonly string[] = [];

/** Writes batches as steps of a program. Its memory is used again, so one step has to be over before the next. */
export class BatchSteps {
  readonly #tokens: Int32Array;
  readonly #positions: Int32Array;
  readonly #selection: Int32Array;

  constructor(
    private readonly cache: Cache,
    maxRows: number,
    maxOutputs: number,
  ) {
    this.#tokens = new Int32Array(maxRows);
    this.#positions = new Int32Array(maxRows);
    this.#selection = new Int32Array(maxOutputs);
  }

  write(batch: Batch): Step {
    let row = 0;
    let output = 0;
    for (const part of batch.parts) {
      this.#writeRows(part, row);
      row += part.rows;
      for (let back = part.outputs; back > 0; back--) this.#selection[output++] = row - back;
    }
    // One output at least, which nobody looks at where none is wanted.
    if (output === 0) this.#selection[output++] = 0;
    return {
      rows: row,
      outputs: output,
      sequences: batch.parts.map(sliceOf),
      inputs: {
        tokens: this.#tokens.subarray(0, row),
        positions: this.#positions.subarray(0, row),
        selection: this.#selection.subarray(0, output),
      },
      cache: this.cache,
      wanted: wantedOf(batch),
    };
  }

  #writeRows({ sequence, rows }: BatchPart, from: number): void {
    const { tokens, draft, computed } = sequence;
    for (let i = 0; i < rows; i++) {
      const position = computed + i;
      const ahead = position - tokens.length;
      this.#tokens[from + i] = ahead < 0 ? tokens[position]! : draft[ahead]!;
      this.#positions[from + i] = position;
    }
  }
}

function wantedOf({ outputs, isPooled, reads }: Batch): readonly string[] {
  if (outputs === 0) return wantedNothing;
  if (isPooled) return wantedHidden;
  const likeliest = reads.has('likeliest') ? wantedLikeliest : wantedNothing;
  if (reads.has('logits')) return [...wantedBest, 'logits', ...likeliest];
  return reads.has('best') ? [...wantedBest, ...likeliest] : likeliest;
}

function sliceOf({ sequence, rows, phase }: BatchPart): SequenceSlice {
  return { rows, start: sequence.computed, pages: sequence.pages, phase };
}
