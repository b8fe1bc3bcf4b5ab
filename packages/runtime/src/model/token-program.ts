import { decompose, type OpName, type Program, ProgramBuilder, type Rewrite } from '@pocketllm/abi';
import { architectures, type Hyperparameters, ModelTensors } from '../architectures/index.js';
import { displayText, type GgufModel } from '../gguf/index.js';
import { unsupported } from '../gguf/refusal.js';

/** The program of one step of a text model, and where its weights come from. */
export interface TokenProgram {
  readonly program: Program;
  readonly weights: ModelTensors;
  readonly rewrites: readonly Rewrite[];
}

/** Of a vocabulary of so many tokens, those that a device finds as the likeliest of a row. */
export const likeliestOf = (vocabularySize: number): number => Math.min(64, vocabularySize);

/**
 * Records the step of a model: tokens to `logits` [outputs, vocabulary], the most likely token as `best` with its
 * `best_logit` [outputs, 1], the likeliest ones as `likeliest` with their `likeliest_logits` [outputs, 64], and `hidden`
 * [outputs, embedding], what the output matrix is multiplied with. Merged ops that the device lacks are rewritten.
 */
export function recordTokenProgram(
  model: GgufModel,
  sizes: Hyperparameters,
  supports: (op: OpName) => boolean,
): TokenProgram {
  const architecture = architectures.get(sizes.architecture);
  if (!architecture) {
    const known = [...architectures.keys()].join(', ');
    throw unsupported('general.architecture', displayText(sizes.architecture), known);
  }
  const p = new ProgramBuilder();
  const weights = new ModelTensors(p, model);
  const step = {
    tokens: p.input('tokens', 'i32', ['rows']),
    positions: p.input('positions', 'i32', ['rows']),
    selection: p.input('selection', 'i32', ['outputs']),
  };
  const logits = architecture.record(p, step, weights, sizes);
  const { ids, values } = p.topK(logits, { k: 1 });
  p.output('logits', logits);
  p.output('best', ids);
  p.output('best_logit', values);
  const likeliest = p.topK(logits, { k: likeliestOf(sizes.vocabularySize) });
  p.output('likeliest', likeliest.ids);
  p.output('likeliest_logits', likeliest.values);
  const recorded = p.build();
  const outputs = { ...recorded.outputs, hidden: hiddenOf(recorded, logits.name) };
  return { weights, ...decompose({ ...recorded, outputs }, supports) };
}

/** The value that is multiplied with the output matrix; softcap and the like may follow that product. */
function hiddenOf({ calls }: Pick<Program, 'calls'>, logits: string): string {
  const call = calls.find(({ outputs }) => Object.values(outputs).includes(logits))!;
  return call.op === 'matmul' ? call.inputs.x! : hiddenOf({ calls }, call.inputs.x!);
}
