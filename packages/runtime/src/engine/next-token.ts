import { PocketError, type StepResult } from '@pocketllm/abi';

/** What is wanted of a row: its most likely token, a list of the likeliest, or the logits of all. */
export type Reading = 'best' | 'likeliest' | 'logits';

/** What may come after a row that was fed. */
export interface NextToken {
  /** The most likely token, the smallest id among the best; its logit. */
  readonly best: number;
  readonly bestLogit: number;
  /** The likeliest tokens, likeliest first, where they were asked for. Valid until the next step. */
  readonly likeliest?: { readonly ids: Int32Array; readonly logits: Float32Array };
  /** Logits of the whole vocabulary, where they were asked for. Valid until the next step. */
  readonly logits?: Float32Array;
}

/** Sizes of a row's results. */
export interface RowSizes {
  readonly vocabulary: number;
  readonly likeliest: number;
}

/**
 * Takes the results of a step apart: `output` of `outputs` rows. A backend made them, perhaps a stranger's, and a
 * wrong id would be fed to native code in the next step: LOGITS_INVALID where they are not what the program declares.
 */
export function readNextToken(
  result: StepResult,
  { vocabulary, likeliest: count }: RowSizes,
  reading: Reading,
  output = 0,
  outputs = 1,
): NextToken {
  const found = result?.outputs ?? {};
  if (reading === 'likeliest') {
    const ids = rowOf(Int32Array, found, 'likeliest', count, output, outputs);
    for (const id of ids) checkId('likeliest', id, vocabulary);
    const logits = rowOf(Float32Array, found, 'likeliest_logits', count, output, outputs);
    return { best: ids[0]!, bestLogit: logits[0]!, likeliest: { ids, logits } };
  }
  const best = elements(Int32Array, found, 'best', outputs)[output]!;
  checkId('best', best, vocabulary);
  const bestLogit = elements(Float32Array, found, 'best_logit', outputs)[output]!;
  if (reading === 'best') return { best, bestLogit };
  return { best, bestLogit, logits: rowOf(Float32Array, found, 'logits', vocabulary, output, outputs) };
}

/** One row of `count` floats of the output `name`, of `outputs` rows. LOGITS_INVALID where it is not there. */
export function readRow(result: StepResult, name: string, count: number, output: number, outputs: number) {
  return rowOf(Float32Array, result?.outputs ?? {}, name, count, output, outputs);
}

function rowOf<T extends Float32Array | Int32Array>(
  type: ArrayOf<T>,
  found: StepResult['outputs'],
  name: string,
  count: number,
  output: number,
  outputs: number,
): T {
  const all = elements(type, found, name, outputs * count);
  return all.subarray(output * count, (output + 1) * count) as T;
}

type ArrayOf<T> = { new (length: number): T; readonly name: string };

function elements<T extends Float32Array | Int32Array>(
  type: ArrayOf<T>,
  outputs: StepResult['outputs'],
  name: string,
  count: number,
): T {
  const found = outputs[name];
  if (found instanceof type && found.length === count) return found;
  const what = found instanceof type ? `${found.length} elements` : typeof found;
  throw invalid(`${name} as ${type.name} of ${count}`, what);
}

function checkId(name: string, id: number, vocabulary: number): void {
  if (id < 0 || id >= vocabulary) throw invalid(`${name} below ${vocabulary}`, String(id));
}

const invalid = (expected: string, found: string) => new PocketError('LOGITS_INVALID', { expected, found });
