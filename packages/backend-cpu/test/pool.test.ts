import { recordProgram } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.js';
import { missingNative, native } from './native.js';

const cols = 512;
const program = recordProgram((p) => {
  const x = p.input('x', 'f32', ['rows', cols]);
  p.output('out', p.matmul(x, p.weight('weight', 'f32', [cols, cols])));
});

const weights = {
  async read(_name: string, offset = 0, length = 4 * cols * cols) {
    return new Uint8Array(
      Float32Array.from({ length: length / 4 }, (_, i) => ((i * 37 + offset) % 101) / 50 - 1).buffer,
    );
  },
};

async function open(threads: number) {
  const [device] = (await plugin.probe()).devices;
  const backend = await plugin.open(device!.id, { threads });
  const executable = await backend.prepare(program, weights, { maxRows: 8, maxOutputs: 0 });
  const x = Float32Array.from({ length: 8 * cols }, (_, i) => Math.cos(i));
  const run = async () =>
    (await executable.run({ rows: 8, outputs: 0, sequences: [], inputs: { x } })).outputs.out!;
  return { backend, run };
}

describe.skipIf(missingNative !== undefined)(`thread pool (${missingNative ?? 'built'})`, () => {
  it('gives the same bits on one thread and on all', async () => {
    const [one, all] = await Promise.all([open(1), open(native.cores)]);
    expect(await all.run()).toEqual(await one.run());
    await one.backend.close();
    await all.backend.close();
  });

  it('uses no processor time while it is idle', async () => {
    const { backend, run } = await open(native.cores);
    await run();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const before = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { user, system } = process.cpuUsage(before);
    // In microseconds; the test runner itself takes a little. One thread that spins would take 500,000.
    expect(user + system).toBeLessThan(100_000);
    await backend.close();
  });

  it('never takes more threads than there are cores', async () => {
    const { backend, run } = await open(native.cores + 1000);
    await run();
    await backend.close();
  });

  it('refuses a number of threads that is no count', async () => {
    const [device] = (await plugin.probe()).devices;
    await expect(plugin.open(device!.id, { threads: 0 })).rejects.toThrow(TypeError);
  });
});

describe.skipIf(missingNative !== undefined)(`memory (${missingNative ?? 'built'})`, () => {
  it('refuses what does not fit with the numbers, and goes on', async () => {
    const [device] = (await plugin.probe()).devices;
    const backend = await plugin.open(device!.id);
    const huge = recordProgram((p) => {
      p.output(
        'out',
        p.embedding(p.input('ids', 'i32', ['rows']), p.weight('table', 'f32', [2 ** 31, 1024])),
      );
    });
    await expect(backend.prepare(huge, weights, { maxRows: 1, maxOutputs: 0 })).rejects.toMatchObject({
      code: 'OUT_OF_MEMORY',
      details: { what: 'weights', wanted: 2 ** 43, available: expect.any(Number) },
    });
    const layers = [{ name: 'layer', kvHeads: 8, headSize: 128, valueSize: 128 }];
    await expect(backend.createCache({ layers, pages: 2 ** 30, format: 'f32' })).rejects.toMatchObject({
      code: 'OUT_OF_MEMORY',
      details: { what: 'cache pages' },
    });
    expect(backend.memory()).toEqual({ weights: 0, caches: 0, scratch: 0 });
    await backend.close();
  });
});
