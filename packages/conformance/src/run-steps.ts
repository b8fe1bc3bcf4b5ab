import {
  type Backend,
  type Cache,
  checkStep,
  type Executable,
  type Program,
  type Step,
  type WeightSource,
} from '@pocketllm/abi';
import type { Case, CaseData, CaseStep, Elements, Outputs } from './cases/case.js';

/** A case ready to run on a backend. */
export interface Prepared {
  readonly executable: Executable;
  readonly cache: Cache | undefined;
  close(): Promise<void>;
}

/** Reads weights from memory. */
export const weightsFrom = (weights: Readonly<Record<string, Uint8Array>>): WeightSource => ({
  read: async (name, offset = 0, length) => {
    const bytes = weights[name]!;
    return bytes.subarray(offset, length === undefined ? bytes.length : offset + length);
  },
});

/** Prepares a program, with the cache that it needs. */
export async function prepareCase(
  backend: Backend,
  item: Pick<Case, 'program' | 'cache' | 'maxRows' | 'maxOutputs'>,
  weights: WeightSource,
): Promise<Prepared> {
  const { program, maxRows, maxOutputs } = item;
  const executable = await backend.prepare(program, weights, { maxRows, maxOutputs });
  let cache: Cache | undefined;
  if (item.cache) {
    try {
      cache = await backend.createCache({ layers: program.caches, ...item.cache });
    } catch (error) {
      await executable.release();
      throw error;
    }
  }
  return {
    executable,
    cache,
    async close() {
      await cache?.close();
      await executable.release();
    },
  };
}

/** Runs a step as the runtime would: checked first, so that a fault of the kit does not look like the backend's. */
export async function runStep(
  program: Program,
  { executable, cache }: Pick<Prepared, 'executable' | 'cache'>,
  step: CaseStep,
  signal?: AbortSignal,
): Promise<Outputs> {
  const withCache: Step = cache ? { ...step, cache } : step;
  checkStep(program, withCache);
  const { outputs } = await executable.run(withCache, signal);
  return outputs;
}

/** Prepares a case, runs its steps and gives everything back. */
export async function runSteps(backend: Backend, item: Case, data: CaseData): Promise<Outputs[]> {
  const prepared = await prepareCase(backend, item, weightsFrom(data.weights));
  try {
    const outputs: Outputs[] = [];
    for (const step of data.steps) outputs.push(await runStep(item.program, prepared, step));
    return outputs;
  } finally {
    await prepared.close();
  }
}

/** A copy, since later checks ask whether the backend left results alone. */
export const copyOf = (outputs: Outputs): Outputs =>
  Object.fromEntries(Object.entries(outputs).map(([name, values]) => [name, values.slice() as Elements]));
