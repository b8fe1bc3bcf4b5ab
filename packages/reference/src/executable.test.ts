import { isPocketError, type Program, recordProgram } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { memoryWeights } from '../test/memory-weights.js';
import { openSmallModel, stepOf } from '../test/small-model.js';
import plugin from './index.js';

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'fulfilled',
    (error) => (isPocketError(error) ? error.code : error),
  );

const prepare = async (program: Program, maxRows = 4) => {
  const backend = await plugin.open('reference');
  return backend.prepare(program, memoryWeights({}), { maxRows, maxOutputs: maxRows });
};

const stepWith = (x: readonly number[], wanted?: readonly string[]) => ({
  ...{ rows: x.length, outputs: x.length, sequences: [] },
  inputs: { x: Float32Array.from(x) },
  ...(wanted ? { wanted } : {}),
});

/** Three outputs, one of which is an input handed through. */
const doubling = recordProgram((p) => {
  const x = p.input('x', 'f32', ['rows', 1]);
  p.output('given', x);
  p.output('twice', p.scale(x, { factor: 2 }));
  p.output('more', p.add(p.scale(x, { factor: 2 }), p.scale(x, { factor: 3 })));
});

describe('a step', () => {
  it('gives all outputs where none is named, and the named ones else', async () => {
    const executable = await prepare(doubling);
    const all = (await executable.run(stepWith([1, 2]))).outputs;
    expect(all).toEqual({
      given: Float32Array.of(1, 2),
      twice: Float32Array.of(2, 4),
      more: Float32Array.of(5, 10),
    });
    const one = (await executable.run(stepWith([1, 2], ['more']))).outputs;
    expect(Object.keys(one)).toEqual(['more']);
    expect((await executable.run(stepWith([1], []))).outputs).toEqual({});
  });

  it('gives results that later steps leave alone', async () => {
    const executable = await prepare(doubling);
    const input = stepWith([1, 2]);
    const { outputs } = await executable.run(input);
    await executable.run(stepWith([7, 8, 9]));
    expect(outputs.twice).toEqual(Float32Array.of(2, 4));
    (outputs.given as Float32Array).fill(0);
    expect(input.inputs.x).toEqual(Float32Array.of(1, 2));
  });

  it('of fewer rows does not see the rows of an earlier one', async () => {
    const executable = await prepare(doubling);
    await executable.run(stepWith([Number.NaN, Number.NaN, Number.NaN]));
    expect((await executable.run(stepWith([1]))).outputs.more).toEqual(Float32Array.of(5));
    expect((await executable.run(stepWith([]))).outputs.more).toEqual(new Float32Array(0));
  });

  it('passes over inputs that the program does not name', async () => {
    const executable = await prepare(doubling);
    const step = stepWith([1], ['twice']);
    const twice = Object.values(doubling.outputs)[1]!;
    const inputs = { ...step.inputs, [twice]: Float32Array.of(99) };
    expect((await executable.run({ ...step, inputs })).outputs.twice).toEqual(Float32Array.of(2));
  });

  it('of more rows or outputs than were prepared for is refused', async () => {
    const executable = await prepare(doubling);
    await expect(executable.run(stepWith([1, 2, 3, 4, 5]))).rejects.toMatchObject({
      code: 'STEP_INVALID',
      details: { field: 'rows', expected: 'at most 4', found: '5' },
    });
    await expect(executable.run({ ...stepWith([1]), outputs: 5 })).rejects.toMatchObject({
      details: { field: 'outputs' },
    });
  });

  it('with a cache of another backend is refused', async () => {
    const { executable, cache } = await openSmallModel();
    const foreign = Object.create(null, { spec: { value: cache.spec } }) as typeof cache;
    const step = stepOf(foreign, { tokens: [1], start: 0, pages: [0] });
    expect(await codeOf(executable.run(step))).toBe('STEP_INVALID');
  });

  it('writes the cache whatever is wanted', async () => {
    const tokens = [3, 1, 4, 1, 5];
    const whole = await openSmallModel();
    const expected = await whole.logitsOf({ tokens, start: 0, pages: [0] });
    const { executable, cache, logitsOf } = await openSmallModel();
    const first = stepOf(cache, { tokens: tokens.slice(0, 4), start: 0, pages: [0] });
    expect((await executable.run({ ...first, wanted: [] })).outputs).toEqual({});
    const last = await logitsOf({ tokens: [5], start: 4, pages: [0] });
    expect(last).toEqual(expected.slice(-last.length));
  });
});

describe('steps', () => {
  it('run one after another in the order of the calls, with page copies between them', async () => {
    const { executable, cache, logitsOf } = await openSmallModel();
    const order: string[] = [];
    const note = <T>(name: string, promise: Promise<T>) =>
      promise.then((result) => [order.push(name), result][1] as T);
    const tokens = [3, 1, 4];
    const [, , , copied, original] = await Promise.all([
      note('first', logitsOf({ tokens, start: 0, pages: [0] })),
      note('copy', cache.copyPage(0, 1)),
      note('refused', codeOf(executable.run({ ...stepOf(cache), rows: 1000 }))),
      note('second', logitsOf({ tokens: [5], start: 3, pages: [1] })),
      note('third', logitsOf({ tokens: [5], start: 3, pages: [0] })),
    ]);
    expect(order).toEqual(['first', 'copy', 'refused', 'second', 'third']);
    expect(copied).toEqual(original);
  });
});

describe('a long step', () => {
  const size = 512;
  const heavy = recordProgram((p) => {
    let x = p.input('x', 'f32', ['rows', size]);
    const weight = p.weight('w', 'f32', [size, size]);
    for (let i = 0; i < 4; i++) x = p.matmul(x, weight);
    p.output('out', x);
  });
  const step = { rows: 256, outputs: 0, sequences: [], inputs: { x: new Float32Array(256 * size).fill(1) } };
  const zeros = memoryWeights({ w: Array(size * size).fill(0) });
  const open = async () => {
    const backend = await plugin.open('reference');
    return { backend, executable: await backend.prepare(heavy, zeros, { maxRows: 256, maxOutputs: 0 }) };
  };

  it('lets timers fire while it runs', async () => {
    const { executable } = await open();
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await executable.run(step);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(2);
  });

  it('ends with CANCELLED when its signal fires, and leaves the executable as it was', async () => {
    const { executable } = await open();
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 5);
    expect(await codeOf(executable.run(step, controller.signal))).toBe('CANCELLED');
    const { out } = (await executable.run({ ...step, rows: 1, inputs: { x: new Float32Array(size) } }))
      .outputs;
    expect(out).toEqual(new Float32Array(size));
  });

  it('does not begin when its signal has fired while it waited its turn', async () => {
    const { executable } = await open();
    const controller = new AbortController();
    const running = executable.run(step);
    const waiting = codeOf(executable.run(step, controller.signal));
    controller.abort();
    expect(await waiting).toBe('CANCELLED');
    await running;
  });

  it.each(['release', 'close'] as const)('ends with CLOSED on %s, which waits for that', async (how) => {
    const { backend, executable } = await open();
    const running = codeOf(executable.run(step));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await (how === 'release' ? executable.release() : backend.close());
    expect(await Promise.race([running, Promise.resolve('still running')])).toBe('CLOSED');
    expect(backend.memory()).toEqual({ weights: 0, caches: 0, scratch: 0 });
    expect(await codeOf(executable.run(step))).toBe('CLOSED');
  });
});
