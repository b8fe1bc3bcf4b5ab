import {
  type BackendPlugin,
  type CacheFormat,
  type OpName,
  PocketError,
  type WeightFormatName,
} from '@pocketllm/abi';
import { describeFile, openBackend, readHyperparameters, recordTokenProgram } from '@pocketllm/runtime';
import { openGgufFile } from '@pocketllm/runtime/node';
import { BenchSteps, type BenchTest, maxRows, pagesOf } from './bench-steps.js';
import { type DeviceLimits, measureLimits } from './device-limits.js';
import { type Work, workOfStep } from './step-work.js';

export interface BenchJob {
  readonly path: string;
  readonly plugin: BackendPlugin;
  readonly device?: string;
  readonly threads?: number;
  readonly cacheFormat: CacheFormat;
  readonly tests: readonly BenchTest[];
  readonly repeats: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** A test that needs more positions than the model was made for. */
  readonly onLeftOut?: (test: BenchTest, contextLength: number) => void;
}

/** What one test came to. Rates are those of the median repeat. */
export interface BenchResult extends BenchTest {
  /** Of each repeat. */
  readonly ms: readonly number[];
  /** Of all sequences together. */
  readonly tokensPerSecond: number;
  /** Of all steps of the test, by what the ops declare. */
  readonly flops: number;
  readonly bytes: number;
  readonly flopsPerSecond: number;
  readonly bytesPerSecond: number;
}

export interface BenchReport {
  readonly model: ReturnType<typeof describeFile>;
  readonly backend: string;
  readonly device: string;
  readonly deviceName: string;
  readonly threads?: number;
  readonly cacheFormat: CacheFormat;
  readonly limits: DeviceLimits;
  readonly tests: readonly BenchResult[];
}

/** Runs a model's steps on a device without sampling, and measures what the device could do in the same run. */
export async function runBench(job: BenchJob): Promise<BenchReport> {
  const { plugin, device, threads, cacheFormat, signal } = job;
  await using file = closing(await openGgufFile(job.path));
  const sizes = readHyperparameters(file.value);
  const tests = job.tests.filter((test) => {
    const fits = test.depth + test.tokens <= sizes.contextLength;
    if (!fits) job.onLeftOut?.(test, sizes.contextLength);
    return fits;
  });
  if (tests.length === 0) {
    const expected = `at most ${sizes.contextLength} positions`;
    throw new PocketError('REQUEST_INVALID', { field: 'tests', expected, found: 'more in each of them' });
  }
  await using backend = closing(
    await openBackend(plugin, {
      ...(device === undefined ? {} : { deviceId: device }),
      ...(threads === undefined ? {} : { threads }),
    }),
  );
  const { id, name, capabilities } = backend.value.device;
  const model = describeFile(file.value, sizes);
  const before = await measureLimits(backend.value, mainFormat(model.formats), signal);

  const supported = new Set<OpName>(capabilities.ops.map(({ op }) => op));
  const { program, weights } = recordTokenProgram(file.value, sizes, (op) => supported.has(op));
  const maxOutputs = Math.max(...tests.map(({ sequences }) => sequences));
  const executable = await backend.value.prepare(program, weights, { maxRows, maxOutputs, signal });
  const pages = Math.max(...tests.map(pagesOf));
  const cache = await backend.value.createCache({ layers: program.caches, pages, format: cacheFormat });
  const steps = new BenchSteps(executable, cache, sizes.vocabularySize, signal);
  const results: BenchResult[] = [];
  for (const [index, test] of tests.entries()) {
    job.onProgress?.(index, tests.length);
    await steps.fill(test);
    // Touches the weights, and lets JavaScript be compiled.
    await steps.run({ ...test, tokens: Math.min(test.tokens, 4) });
    const ms: number[] = [];
    for (let repeat = 0; repeat < job.repeats; repeat++) ms.push(await steps.run(test));
    const work = workOfTest(test, (shape) => workOfStep(program, cacheFormat, shape));
    results.push(resultOf(test, ms, work));
  }
  const after = await measureLimits(backend.value, mainFormat(model.formats), signal);
  return {
    model,
    backend: plugin.name,
    device: id,
    deviceName: name,
    ...(threads === undefined ? {} : { threads }),
    cacheFormat,
    limits: better(before, after),
    tests: results,
  };
}

/** All steps of a test, cut as BenchSteps cuts them. */
function workOfTest(test: BenchTest, workOf: (shape: Parameters<typeof workOfStep>[2]) => Work): Work {
  const works: Work[] = [];
  if (test.kind === 'answer') {
    for (let token = 0; token < test.tokens; token++) {
      const { sequences } = test;
      works.push(
        workOf({ sequences, rows: 1, start: test.depth + token, outputs: sequences, wanted: ['best'] }),
      );
    }
  } else {
    for (let done = 0; done < test.tokens; done += maxRows) {
      const rows = Math.min(maxRows, test.tokens - done);
      const wanted = done + rows === test.tokens ? ['best'] : [];
      const work = workOf({ sequences: 1, rows, start: test.depth + done, outputs: 1, wanted });
      for (let sequence = 0; sequence < test.sequences; sequence++) works.push(work);
    }
  }
  return works.reduce((sum, { flops, bytes }) => ({ flops: sum.flops + flops, bytes: sum.bytes + bytes }));
}

export function resultOf(test: BenchTest, ms: readonly number[], { flops, bytes }: Work): BenchResult {
  const sorted = [...ms].sort((a, b) => a - b);
  const seconds = sorted[Math.floor((sorted.length - 1) / 2)]! / 1000;
  return {
    ...test,
    ms,
    tokensPerSecond: (test.sequences * test.tokens) / seconds,
    flops,
    bytes,
    flopsPerSecond: flops / seconds,
    bytesPerSecond: bytes / seconds,
  };
}

/** The format that most of the weights' bytes are in. */
function mainFormat(formats: Readonly<Record<string, number>>): WeightFormatName {
  const [first] = Object.entries(formats).sort(([, a], [, b]) => b - a);
  return first![0] as WeightFormatName;
}

/** A busy machine shows its best only now and then. */
const better = (a: DeviceLimits, b: DeviceLimits): DeviceLimits => ({
  readBytesPerSecond: Math.max(a.readBytesPerSecond, b.readBytesPerSecond),
  flopsPerSecond: Math.max(a.flopsPerSecond, b.flopsPerSecond),
  format: a.format,
});

const closing = <T extends { close(): Promise<void> }>(value: T) => ({
  value,
  [Symbol.asyncDispose]: () => value.close(),
});
