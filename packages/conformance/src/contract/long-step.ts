import {
  type Backend,
  checkCapabilities,
  type DeviceInfo,
  type Program,
  type ProgramBuilder,
  recordProgram,
  type Value,
} from '@pocketllm/abi';
import type { CaseStep } from '../cases/case.js';
import { storedFormats } from '../cases/lists.js';
import { refusal } from '../claims.js';
import { Random } from '../data/random.js';
import { randomBlocks } from '../data/random-blocks.js';
import { type Prepared, prepareCase, runStep, weightsFrom } from '../run-steps.js';

/** A program of many calls that takes long enough to be interrupted. */
export interface LongStep {
  /** How long one step takes when it is left alone. */
  readonly durationMs: number;
  /** How many calls it has. */
  readonly calls: number;
  run(signal?: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

const rows = 64;
const width = 256;
const enoughMs = 250;
const mostCalls = 2 ** 15;

/**
 * Doubles the number of calls until a step takes long enough. A device that runs tens of thousands of calls
 * in less than that gives the longest tried.
 */
export async function longStep(backend: Backend): Promise<LongStep> {
  for (let calls = 16; ; calls *= 2) {
    const step = await prepareChain(backend, calls);
    await step.run(); // warm
    // The shorter of two: other work on the machine only makes it longer.
    const durationMs = Math.min(await timed(step.run), await timed(step.run));
    if (durationMs >= enoughMs || calls >= mostCalls) return { ...step, durationMs };
    await step.close();
  }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** Why no chain of calls can be built for a device. */
export const needsChain = ({ device }: { device: DeviceInfo }): string | undefined =>
  chainFor(device, 1) ? undefined : 'the device claims no op that can follow itself';

async function prepareChain(backend: Backend, calls: number): Promise<Omit<LongStep, 'durationMs'>> {
  const program = chainFor(backend.device, calls)!;
  const random = new Random('long step');
  const weights = Object.fromEntries(
    program.weights.map(({ name, format, dimensions }) => [
      name,
      randomBlocks(
        format,
        dimensions.reduce((a, b) => a * b, 1),
        random,
      ),
    ]),
  );
  const item = { program, maxRows: rows, maxOutputs: 1 };
  const prepared: Prepared = await prepareCase(backend, item, weightsFrom(weights));
  const step: CaseStep = {
    rows,
    outputs: 0,
    sequences: [{ rows, start: 0, pages: [], phase: 'prefill' }],
    inputs: { x: random.floats(rows * width) },
  };
  return { calls, run: (signal) => runStep(program, prepared, step, signal), close: () => prepared.close() };
}

/** Starts a chain: gives what adds one call to it. */
type Link = (p: ProgramBuilder) => (x: Value) => Value;

const links: readonly Link[] = [
  ...storedFormats.map(
    (format): Link =>
      (p) => {
        const weight = p.weight('weight', format, [width, width]);
        return (x) => p.matmul(x, weight);
      },
  ),
  (p) => (x) => p.gatedActivation(x, x, { function: 'silu' }),
  (p) => (x) => p.add(x, x),
  (p) => (x) => p.scale(x, { factor: 0.99 }),
];

/** Calls of the first op that the device claims and whose result has the shape of its input. */
function chainFor(device: DeviceInfo, calls: number): Program | undefined {
  const link = links.find((candidate) => {
    const program = chain(candidate, 1);
    return !refusal(() => checkCapabilities(program, device.capabilities, device.id));
  });
  return link && chain(link, calls);
}

function chain(link: Link, calls: number): Program {
  return recordProgram((p) => {
    let value = p.input('x', 'f32', ['rows', width]);
    const next = link(p);
    for (let i = 0; i < calls; i++) value = next(value);
    p.output('out', value);
  });
}
