import { PocketError, type StepResult } from '@pocketllm/abi';

/** What may come after a row that was fed. */
export interface NextToken {
  /** The most likely token, the smallest id among the best; its logit. */
  readonly best: number;
  readonly bestLogit: number;
  /** Logits of the whole vocabulary, where they were asked for. Valid until the next step. */
  readonly logits?: Float32Array;
}

/**
 * Takes the results of a step apart: `output` of `outputs` rows. A backend made them, perhaps a stranger's, and a
 * wrong id would be fed to native code in the next step: LOGITS_INVALID where they are not what the program declares.
 */
export function readNextToken(
  result: StepResult,
  vocabularySize: number,
  readLogits: boolean,
  output = 0,
  outputs = 1,
): NextToken {
  const found = result?.outputs ?? {};
  const best = elements(Int32Array, found, 'best', outputs)[output]!;
  if (best < 0 || best >= vocabularySize) throw invalid(`best below ${vocabularySize}`, String(best));
  const bestLogit = elements(Float32Array, found, 'best_logit', outputs)[output]!;
  if (!readLogits) return { best, bestLogit };
  const logits = elements(Float32Array, found, 'logits', outputs * vocabularySize);
  return { best, bestLogit, logits: logits.subarray(output * vocabularySize, (output + 1) * vocabularySize) };
}

/** One row of `count` floats of the output `name`, of `outputs` rows. LOGITS_INVALID where it is not there. */
export function readRow(result: StepResult, name: string, count: number, output: number, outputs: number) {
  const all = elements(Float32Array, result?.outputs ?? {}, name, outputs * count);
  return all.subarray(output * count, (output + 1) * count);
}

function elements<T extends Float32Array | Int32Array>(
  type: { new (length: number): T; readonly name: string },
  outputs: StepResult['outputs'],
  name: string,
  count: number,
): T {
  const found = outputs[name];
  if (found instanceof type && found.length === count) return found;
  const what = found instanceof type ? `${found.length} elements` : typeof found;
  throw invalid(`${name} as ${type.name} of ${count}`, what);
}

const invalid = (expected: string, found: string) => new PocketError('LOGITS_INVALID', { expected, found });
