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
  readonly vocabulary?: number;
}

const rows = Object.values<OpDeclaration>(ops).map((op): CapabilityRow => {
  const { formats, caches } = claimableOf(op);
  return {
    op: op.name as CapabilityRow['op'],
    ...(formats ? { formats: Object.keys(weightFormats) as WeightFormatName[] } : {}),
    ...(caches ? { caches: cacheFormats } : {}),
  };
});

export const scriptedCapabilities: Capabilities = {
  abi: 1,
  name: 'scripted',
  deviceClasses: ['cpu'],
  ops: rows,
  bitExact: [],
};

/**
 * A backend that claims every op and computes nothing: each step that wants a token gets the next of `script`,
 * whose last one is repeated. Logits, where they are wanted, are 1 at that token and 0 elsewhere.
 */
export function scriptedBackend(
  script: readonly number[],
  { run, backend = {}, vocabulary = 4096 }: ScriptedParts = {},
): BackendPlugin {
  const device = {
    id: 'script',
    name: 'a script',
    class: 'cpu',
    capabilities: scriptedCapabilities,
  } as const;
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
    release: async () => {},
  };
  return definePlugin({
    abi: 1,
    name: 'scripted',
    probe: async () => ({ devices: [device] }),
    open: async () =>
      ({
        device,
        prepare: async () => executable,
        createCache: async (spec: unknown) => ({ spec, close: async () => {} }),
        memory: () => ({ weights: 0, caches: 0, scratch: 0 }),
        close: async () => {},
        ...backend,
      }) as unknown as Backend,
  });
}
