import type { Backend } from '@pocketllm/abi';
import type { Case, CaseData, CaseStep, Outputs } from '../cases/case.js';
import { cachedCase, sampleCase } from '../claims.js';
import { type Solution, solve } from '../oracle.js';
import { type Prepared, prepareCase, runStep, weightsFrom } from '../run-steps.js';
import { ensure } from '../verdict.js';
import type { ContractContext } from './contract-test.js';

/** A case on a backend under test, with what it should answer. */
export class Subject {
  readonly item: Case;
  readonly data: CaseData;
  readonly prepared: Prepared;
  readonly #judges: Solution['judges'];

  constructor(item: Case, { data, judges }: Solution, prepared: Prepared) {
    this.item = item;
    this.data = data;
    this.prepared = prepared;
    this.#judges = judges;
  }

  run(step: CaseStep = this.data.steps[0]!, signal?: AbortSignal): Promise<Outputs> {
    return runStep(this.item.program, this.prepared, step, signal);
  }

  /** Runs all steps and judges them. */
  async check(when: string): Promise<void> {
    for (const [index, step] of this.data.steps.entries()) this.judge(index, await this.run(step), when);
  }

  judge(step: number, outputs: Outputs, when: string): void {
    for (const [name, judge] of Object.entries(this.#judges[step]!)) {
      const fault = judge(outputs[name]!);
      ensure(fault === undefined, `${when}: ${name} ${fault}`);
    }
  }
}

export async function prepareSubject(backend: Backend, item: Case): Promise<Subject> {
  const solution = await solve(item);
  return new Subject(item, solution, await prepareCase(backend, item, weightsFrom(solution.data.weights)));
}

/** A program on a backend of which the caller knows what to expect. */
export async function prepareProgram(
  backend: Backend,
  item: Pick<Case, 'program' | 'maxRows' | 'maxOutputs'>,
  weights: CaseData['weights'],
): Promise<(step: CaseStep) => Promise<Outputs>> {
  const prepared = await prepareCase(backend, item, weightsFrom(weights));
  return (step) => runStep(item.program, prepared, step);
}

/** The sample of the device, prepared on a backend of it. */
export const prepareSample = (backend: Backend): Promise<Subject> =>
  prepareSubject(backend, sampleCase(backend.device)!);

/** Attention on a cache, prepared on a backend of it. */
export const prepareCached = (backend: Backend): Promise<Subject> =>
  prepareSubject(backend, cachedCase(backend.device)!);

export const needsSample = ({ device }: ContractContext): string | undefined =>
  sampleCase(device) ? undefined : 'the device claims no op';

export const needsCache = ({ device }: ContractContext): string | undefined =>
  cachedCase(device) ? undefined : 'the device claims no attention';
