import { type Backend, type SequenceSlice, sizeIn } from '@pocketllm/abi';
import type { Case, CaseData, CaseStep, Outputs } from './cases/case.js';
import { firstDifference } from './cases/judges.js';
import { GuardedArrays } from './data/guarded.js';
import { joined, oneByOne } from './one-by-one.js';
import { solve } from './oracle.js';
import { copyOf, type Prepared, prepareCase, runStep, weightsFrom } from './run-steps.js';

/** A case that ran and is still prepared, to run again between the two runs of the next one. */
export interface Neighbour {
  readonly item: Case;
  readonly data: CaseData;
  readonly prepared: Prepared;
}

/**
 * Runs a case twice, with `neighbour` in between, and judges both runs. Before the first, everything that the
 * backend keeps for the case holds NaN as far as the contract lets one see to it: cache pages are overwritten,
 * and a step full of NaN has been computed. Where company is claimed to change no bit, the sequences of each step run
 * one by one as well. Fails with an Error that says what is wrong; where all is well,
 * gives the case as the next neighbour.
 */
export async function tryCase(
  backend: Backend,
  item: Case,
  neighbour: Neighbour | undefined,
): Promise<Neighbour> {
  const { data, judges } = await solve(item);
  const guards = new GuardedArrays();
  const weights = mapValues(data.weights, (bytes, name) => guards.bytes(name, bytes));
  const steps = data.steps.map((step) => ({
    ...step,
    inputs: mapValues(step.inputs, (values, name) => guards.floatsOrIntegers(name, values)),
  }));
  const prepared = await prepareCase(backend, item, weightsFrom(weights));
  try {
    await poison(item, prepared, steps[0]!);
    const runAll = async (run: string) => {
      const results: Outputs[] = [];
      for (const [index, step] of steps.entries()) {
        const outputs = await runStep(item.program, prepared, step);
        for (const [name, judge] of Object.entries(judges[index]!)) {
          const fault = judge(outputs[name]!);
          if (fault) throw new Error(`${placeOf(steps, index)}${name} ${fault}${run}`);
        }
        results.push(outputs);
      }
      return results;
    };
    const first = await runAll('');
    const kept = first.map(copyOf);
    await runAgain(neighbour);
    const second = await runAll(', in the second run');
    const places = steps.map((_, index) => placeOf(steps, index));
    if (backend.device.capabilities.bitExact.includes('batch')) {
      compareBits(first, second, places, 'differs in its bits between two runs');
      const apart = await runApart(item, prepared, steps, first);
      compareBits(first, apart, places, 'differs in its bits where its sequence runs alone');
    }
    compareBits(kept, first, places, 'changed after its step, although results belong to the caller');
    const changed = guards.changed();
    if (changed.length > 0) throw new Error(`the backend wrote to ${changed.join(', ')} or beyond its ends`);
    return { item, data, prepared };
  } catch (error) {
    await prepared.close().catch(() => undefined);
    throw error;
  }
}

/** Runs the sequences of each step one by one, where it has several; gives `together` where it has not. */
async function runApart(
  { program }: Case,
  prepared: Prepared,
  steps: readonly CaseStep[],
  together: readonly Outputs[],
): Promise<Outputs[]> {
  const results: Outputs[] = [];
  for (const [index, step] of steps.entries()) {
    const parts: Outputs[] = [];
    for (const part of oneByOne(program, step) ?? []) parts.push(await runStep(program, prepared, part));
    results.push(parts.length === 0 ? together[index]! : joined(parts));
  }
  return results;
}

/** What goes wrong here was found by the neighbour's own test. */
async function runAgain(neighbour: Neighbour | undefined): Promise<void> {
  if (!neighbour) return;
  for (const step of neighbour.data.steps) {
    await runStep(neighbour.item.program, neighbour.prepared, step).catch(() => undefined);
  }
}

async function poison(item: Case, prepared: Prepared, step: CaseStep): Promise<void> {
  const { cache } = prepared;
  const pages = cache ? Array.from({ length: cache.spec.pages }, (_, page) => page) : [];
  for (const page of pages) {
    const { length } = await cache!.readPage(page);
    await cache!.writePage(page, new Uint8Array(length).fill(0xff));
  }
  if (item.finiteOnly) return;
  const sizes = { rows: item.maxRows, outputs: item.maxOutputs };
  const slice: SequenceSlice = {
    rows: sizes.rows,
    start: 0,
    pages,
    phase: step.sequences[0]?.phase ?? 'prefill',
  };
  const inputs = item.program.inputs.map(({ name, type, dimensions }) => {
    const length = dimensions.reduce<number>((product, size) => product * sizeIn(sizes, size), 1);
    const values = step.inputs[name]!;
    const elements =
      type === 'f32'
        ? new Float32Array(length).fill(Number.NaN)
        : Int32Array.from({ length }, (_, i) => values[i % values.length]!);
    return [name, elements] as const;
  });
  await runStep(item.program, prepared, { ...sizes, sequences: [slice], inputs: Object.fromEntries(inputs) });
}

function compareBits(
  a: readonly Outputs[],
  b: readonly Outputs[],
  places: readonly string[],
  fault: string,
): void {
  a.forEach((outputs, step) => {
    for (const [name, values] of Object.entries(outputs)) {
      const at = firstDifference(values, b[step]![name]!);
      if (at !== -1) throw new Error(`${places[step]}element ${at} of ${name} ${fault}`);
    }
  });
}

const placeOf = (steps: readonly CaseStep[], index: number): string =>
  steps.length === 1 ? '' : `step ${index}: `;

function mapValues<A, B>(
  record: Readonly<Record<string, A>>,
  map: (value: A, name: string) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
