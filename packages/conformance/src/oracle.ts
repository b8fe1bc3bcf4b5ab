import type { Backend } from '@pocketllm/abi';
import reference from '@pocketllm/reference';
import type { Case, CaseData, Judge } from './cases/case.js';
import { runSteps } from './run-steps.js';

/** A case with its data, and what is right. */
export interface Solution {
  readonly data: CaseData;
  /** For each step, a judge for each output. */
  readonly judges: readonly Readonly<Record<string, Judge>>[];
}

const solutions = new WeakMap<Case, Promise<Solution>>();
let opened: Promise<Backend> | undefined;

/** Makes a case and solves it on the reference backend: once for all devices that are tried. */
export function solve(item: Case): Promise<Solution> {
  let solution = solutions.get(item);
  if (!solution) {
    solution = solveNow(item);
    solutions.set(item, solution);
  }
  return solution;
}

/** The reference, open for as long as the process runs: it holds nothing but what is being solved. */
export function referenceBackend(): Promise<Backend> {
  opened ??= reference.open('reference');
  return opened;
}

async function solveNow(item: Case): Promise<Solution> {
  const data = item.make();
  const outputs = await runSteps(await referenceBackend(), item, data);
  return { data, judges: outputs.map((expected, step) => data.judges(step, expected)) };
}
