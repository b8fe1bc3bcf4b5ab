import { PocketError, type StepResult } from '@pocketllm/abi';

/** What may come after the last row that was fed. */
export interface NextToken {
  /** The most likely token, the smallest id among the best; its logit. */
  readonly best: number;
  readonly bestLogit: number;
  /** Logits of the whole vocabulary, where they were asked for. */
  readonly logits?: Float32Array;
}

/**
 * Takes the results of a step apart. A backend made them, perhaps a stranger's, and a wrong id would be fed to
 * native code in the next step: LOGITS_INVALID where they are not what the program declares.
 */
export function readNextToken(result: StepResult, vocabularySize: number, readLogits: boolean): NextToken {
  const outputs = result?.outputs ?? {};
  const best = elements(Int32Array, outputs, 'best', 1)[0]!;
  if (best < 0 || best >= vocabularySize) throw invalid(`best below ${vocabularySize}`, String(best));
  const bestLogit = elements(Float32Array, outputs, 'best_logit', 1)[0]!;
  if (!readLogits) return { best, bestLogit };
  return { best, bestLogit, logits: elements(Float32Array, outputs, 'logits', vocabularySize) };
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
