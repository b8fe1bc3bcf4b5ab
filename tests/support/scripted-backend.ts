import {
  type Backend,
  type BackendPlugin,
  type Capabilities,
  type CapabilityRow,
  cacheFormats,
  definePlugin,
  type Executable,
  type OpDeclaration,
  ops,
  type Step,
  type StepResult,
  type WeightFormatName,
  weightFormats,
} from '@pocketllm/abi';
import { claimableOf } from '../../packages/abi/src/backend/claimable.js';

/** What may be exchanged in a scripted backend, so that it errs. */
export interface ScriptedParts {
  /** What a step gives; `usual` is what the script says. */
  readonly run?: (usual: () => StepResult, signal: AbortSignal | undefined, step: Step) => unknown;
  readonly backend?: Partial<Record<keyof Backend, unknown>>;
  /** What is claimed of attention. */
  readonly attention?: readonly CapabilityRow[];
}

const rows = Object.values<OpDeclaration>(ops).map((op): CapabilityRow => {
  const { formats, caches } = claimableOf(op);
  return {
    op: op.name as CapabilityRow['op'],
    ...(formats ? { formats: Object.keys(weightFormats) as WeightFormatName[] } : {}),
    ...(caches ? { caches: cacheFormats } : {}),
  };
});

// Of the in-tree model.
const vocabulary = 4096;
const hiddenSize = 256;
const likeliest = 64;

/**
 * A backend that claims every op and computes nothing: each row that wants a token gets the next of `script`, whose
 * last one is repeated. A row behind a draft that is wrong takes none. Logits, where they are wanted, are 1 at that
 * token and 0 elsewhere: a row of the in-tree model's vocabulary. Hidden states are ones.
 */
export function scriptedBackend(
  script: readonly number[],
  { run, backend = {}, attention }: ScriptedParts = {},
): BackendPlugin {
  const ops = attention ? [...rows.filter(({ op }) => op !== 'attention'), ...attention] : rows;
  const capabilities: Capabilities = { abi: 1, name: 'scripted', deviceClasses: ['cpu'], ops, bitExact: [] };
  const device = { id: 'script', name: 'a script', class: 'cpu', capabilities } as const;
  let next = 0;
  const tokensOf = ({ inputs }: Step): number[] => {
    const fed = inputs.tokens!;
    const given: number[] = [];
    let isWrong = false;
    let last = -1;
    for (const row of inputs.selection!) {
      isWrong = row === last + 1 && given.length > 0 && (isWrong || fed[row] !== given.at(-1));
      given.push(script[Math.min(isWrong ? next : next++, script.length - 1)]!);
      last = row;
    }
    return given;
  };
  const result = (step: Step): StepResult => {
    const { wanted = [] } = step;
    if (wanted.length === 0) return { outputs: {} };
    if (wanted.includes('hidden')) {
      return { outputs: { hidden: new Float32Array(step.outputs * hiddenSize).fill(1) } };
    }
    const tokens = tokensOf(step);
    const logits = new Float32Array(wanted.includes('logits') ? tokens.length * vocabulary : 0);
    if (logits.length > 0) for (const [row, token] of tokens.entries()) logits[row * vocabulary + token] = 1;
    const outputs = {
      best: Int32Array.from(tokens),
      best_logit: new Float32Array(tokens.length).fill(1),
      logits,
      likeliest: Int32Array.from(tokens.flatMap(firstOf)),
      likeliest_logits: Float32Array.from(
        tokens.flatMap(() => Array.from(firstOf(0), (_, i) => (i === 0 ? 1 : 0))),
      ),
    };
    return { outputs: Object.fromEntries(Object.entries(outputs).filter(([name]) => wanted.includes(name))) };
  };
  const executable: Executable = {
    run: async (step, signal) => {
      const usual = () => result(step);
      return (run ? await run(usual, signal, step) : usual()) as StepResult;
    },
    release: nothing,
  };
  return definePlugin({
    abi: 1,
    name: 'scripted',
    probe: async () => ({ devices: [device] }),
    open: async () =>
      ({
        device,
        prepare: async () => executable,
        createCache: async (spec: unknown) => ({
          ...{ copyPage: nothing, readPage: nothing, writePage: nothing, close: nothing },
          spec,
        }),
        memory: () => ({ weights: 0, caches: 0, scratch: 0 }),
        close: nothing,
        ...backend,
      }) as unknown as Backend,
  });
}

/** The order of all tokens where one has a larger logit than the others, which are alike. */
const firstOf = (token: number): number[] => {
  const others = Array.from({ length: likeliest }, (_, id) => id).filter((id) => id !== token);
  return [token, ...others].slice(0, likeliest);
};

const nothing = async (): Promise<void> => {};
