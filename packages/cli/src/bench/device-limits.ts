import { type Backend, recordProgram, rowBytes, type WeightFormatName, weightFormats } from '@pocketllm/abi';

/** The best that one matrix reached on a device: what steps of a model are held against. */
export interface DeviceLimits {
  /** One row times a large matrix of plain numbers, bytes of the matrix a second. */
  readonly readBytesPerSecond: number;
  /** Many rows times a matrix in `format`. */
  readonly flopsPerSecond: number;
  readonly format: WeightFormatName;
}

/** Each measurement goes on so long. */
const patienceMs = 200;
/** A device that takes longer than this is not asked for more. */
const slowMs = 20;

/** MiB of the matrix: in the end more than any cache holds. */
const readSizes = [1, 16, 256] as const;
/** Rows: in the end as many as a device can spread over all its units. */
const rowCounts = [1, 16, 256] as const;
const features = 2048;

/** Measures a device with programs of one op, which any backend runs. */
export async function measureLimits(
  backend: Backend,
  format: WeightFormatName,
  signal: AbortSignal,
): Promise<DeviceLimits> {
  const read = (mebibytes: number) => {
    const inFeatures = 4096;
    return bestMs(backend, 'f32', 1, inFeatures, (mebibytes * 2 ** 20) / 4 / inFeatures, signal);
  };
  const multiply = (rows: number) => bestMs(backend, format, rows, features, features, signal);
  const bytes = await largest(read, readSizes);
  const rows = await largest(multiply, rowCounts);
  return {
    readBytesPerSecond: (bytes.size * 2 ** 20 * 1000) / bytes.ms,
    flopsPerSecond: (2 * rows.size * features * features * 1000) / rows.ms,
    format,
  };
}

/** Measures one size after another, and gives the last that the device was not too slow for. */
async function largest(measure: (size: number) => Promise<number>, sizes: readonly number[]) {
  for (const size of sizes) {
    const ms = await measure(size);
    if (ms > slowMs || size === sizes.at(-1)) return { size, ms };
  }
  throw new TypeError('nothing to measure');
}

/** Milliseconds of the quickest of several runs of one matmul. */
async function bestMs(
  backend: Backend,
  format: WeightFormatName,
  rows: number,
  inFeatures: number,
  outFeatures: number,
  signal: AbortSignal,
): Promise<number> {
  const program = recordProgram((p) => {
    const x = p.input('x', 'f32', ['rows', inFeatures]);
    const product = p.matmul(x, p.weight('weight', format, [outFeatures, inFeatures]));
    // A cut through the result, so that little is read back.
    p.output('best', p.topK(product, { k: 1 }).ids);
  });
  const bytes = outFeatures * rowBytes(weightFormats[format], inFeatures)!;
  const weights = { read: async (_: string, offset = 0, length = bytes - offset) => new Uint8Array(length) };
  const executable = await backend.prepare(program, weights, { maxRows: rows, maxOutputs: 0, signal });
  const x = Float32Array.from({ length: rows * inFeatures }, (_, i) => Math.sin(i));
  try {
    let best = Number.POSITIVE_INFINITY;
    const started = performance.now();
    do {
      const before = performance.now();
      await executable.run({ rows, outputs: 0, sequences: [], inputs: { x } }, signal);
      best = Math.min(best, performance.now() - before);
    } while (performance.now() - started < patienceMs);
    return best;
  } finally {
    await executable.release();
  }
}
