import { isPocketError, recordProgram, type WeightFormatName } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.js';
import { missingNative, native } from './native.js';

interface Encoding {
  readonly format: WeightFormatName;
  readonly cols: number;
  readonly rows: number;
  readonly x: Float32Array;
  readonly importance?: Float32Array;
  readonly threads?: number;
}

async function prepared({ format, cols, rows, x, importance, threads }: Encoding) {
  const program = recordProgram((p) => {
    const input = p.input('x', 'f32', ['rows', cols]);
    const given = importance && p.weight('importance', 'f32', [cols]);
    p.output('out', p.encode(input, { format, importance: given }));
  });
  const [device] = (await plugin.probe()).devices;
  const backend = await plugin.open(device!.id, threads === undefined ? {} : { threads });
  const source = { read: async () => new Uint8Array(importance!.buffer) };
  const executable = await backend.prepare(program, source, { maxRows: rows, maxOutputs: 0 });
  const step = { rows, outputs: 0, sequences: [], inputs: { x } };
  const run = async (signal?: AbortSignal) => (await executable.run(step, signal)).outputs.out!;
  return { run, close: () => backend.close() };
}

async function encoded(encoding: Encoding) {
  const { run, close } = await prepared(encoding);
  try {
    return await run();
  } finally {
    await close();
  }
}

const wave = (count: number) => Float32Array.from({ length: count }, (_, i) => Math.sin(i * i) / 10);
const flat = (cols: number) => new Float32Array(cols).fill(1);
const failureOf = (encoding: Encoding) =>
  encoded(encoding).then(
    () => undefined,
    (error: unknown) => error,
  );

describe.skipIf(missingNative !== undefined)(`encode (${missingNative ?? 'built'})`, () => {
  it.each(['q4_0', 'q4_k', 'q6_k', 'iq2_s', 'iq1_m', 'tq1_0'] as const)(
    'writes the same bytes of %s on one thread and on all, whichever rows stand beside',
    async (format) => {
      const row = { format, cols: 1280, x: wave(1280), importance: wave(1280).map(Math.abs) };
      const rows = { ...row, rows: 9, x: wave(9 * 1280) };
      const all = await encoded({ ...rows, threads: native.cores });
      expect(all).toEqual(await encoded({ ...rows, threads: 1 }));
      const one = await encoded({ ...row, rows: 1 });
      expect(all.slice(0, one.length)).toEqual(one);
    },
  );

  it('refuses a weight that is not finite, with the first of the first row', async () => {
    const x = wave(3 * 1024);
    x[1024 + 700] = Number.NEGATIVE_INFINITY;
    x[1024 + 900] = Number.NaN;
    x[2048 + 3] = Number.NaN;
    expect(await failureOf({ format: 'q4_k', cols: 1024, rows: 3, x })).toMatchObject({
      code: 'REQUEST_INVALID',
      details: { field: 'x', expected: 'finite numbers', found: '-Infinity in column 700' },
    });
  });

  it('keeps such a weight in formats that have it', async () => {
    const x = Float32Array.of(1, Number.POSITIVE_INFINITY, Number.NaN);
    const out = await encoded({ format: 'f16', cols: 3, rows: 1, x });
    expect([...new Uint16Array(out.slice().buffer)].slice(0, 2)).toEqual([0x3c00, 0x7c00]);
  });

  it('refuses importance below 0', async () => {
    const importance = flat(256);
    importance[9] = -0.5;
    expect(await failureOf({ format: 'q4_k', cols: 256, rows: 1, x: wave(256), importance })).toMatchObject({
      code: 'REQUEST_INVALID',
      details: { field: 'importance', found: '-0.5 in column 9' },
    });
  });

  it('refuses formats that cannot do without importance, before anything is read', async () => {
    const failure = await failureOf({ format: 'iq2_xxs', cols: 256, rows: 1, x: wave(256) });
    expect(isPocketError(failure, 'REQUEST_INVALID') && failure.details.field).toBe('importance');
  });

  it('takes importance of nothing as importance of all alike', async () => {
    const row = { format: 'iq2_xxs', cols: 256, rows: 1, x: wave(256) } as const;
    const none = await encoded({ ...row, importance: new Float32Array(256) });
    expect(none).toEqual(await encoded({ ...row, importance: flat(256) }));
  });

  it('ends soon after its signal, within one call that takes seconds', async () => {
    const [rows, cols] = [2048, 4096];
    const x = new Float32Array(rows * cols);
    for (let r = 0; r < rows; r++) x.set(wave(cols), r * cols);
    const encoding = { format: 'iq1_s', rows, cols, x, importance: flat(cols), threads: 1 } as const;
    const { run, close } = await prepared(encoding);
    const start = performance.now();
    const failure = await run(AbortSignal.timeout(50)).catch((error: unknown) => error);
    expect(isPocketError(failure, 'CANCELLED')).toBe(true);
    expect(performance.now() - start).toBeLessThan(1000);
    await close();
  });
});
