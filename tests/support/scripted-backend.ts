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
  type StepResult,
  type WeightFormatName,
  weightFormats,
} from '@pocketllm/abi';
import { claimableOf } from '../../packages/abi/src/backend/claimable.js';

/** What may be exchanged in a scripted backend, so that it errs. */
export interface ScriptedParts {
  /** What a step gives; `usual` is what the script says. */
  readonly run?: (usual: () => StepResult, signal: AbortSignal | undefined) => unknown;
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

const vocabulary = 4096;

/**
 * A backend that claims every op and computes nothing: each step that wants a token gets the next of `script`,
 * whose last one is repeated. Logits, where they are wanted, are 1 at that token and 0 elsewhere: a row of the
 * in-tree model's vocabulary.
 */
export function scriptedBackend(
  script: readonly number[],
  { run, backend = {}, attention }: ScriptedParts = {},
): BackendPlugin {
  const ops = attention ? [...rows.filter(({ op }) => op !== 'attention'), ...attention] : rows;
  const capabilities: Capabilities = { abi: 1, name: 'scripted', deviceClasses: ['cpu'], ops, bitExact: [] };
  const device = { id: 'script', name: 'a script', class: 'cpu', capabilities } as const;
  let next = 0;
  const result = (wanted: readonly string[]): StepResult => {
    if (wanted.length === 0) return { outputs: {} };
    const token = script[Math.min(next++, script.length - 1)]!;
    const logits = new Float32Array(vocabulary);
    logits[token] = 1;
    const outputs = { best: Int32Array.of(token), best_logit: Float32Array.of(1), logits };
    return { outputs: Object.fromEntries(Object.entries(outputs).filter(([name]) => wanted.includes(name))) };
  };
  const executable: Executable = {
    run: async (step, signal) => {
      const usual = () => result(step.wanted ?? []);
      return (run ? await run(usual, signal) : usual()) as StepResult;
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

const nothing = async (): Promise<void> => {};
