import { describe, expect, it } from 'vitest';
import { isPocketError } from '../errors.js';
import { decompose, programFromJson, programToJson, recordProgram } from './index.js';

/** Everything that a small gated layer with attention needs. */
const layer = recordProgram((p) => {
  const ids = p.input('tokens', 'i32', ['rows']);
  const positions = p.input('positions', 'i32', ['rows']);
  const x = p.embedding(ids, p.weight('embd', 'q8_0', [100, 64]));
  const normed = p.rmsNorm(x, p.weight('norm', 'f32', [64]), { epsilon: 1e-6 });
  const rope = { dimensions: 16, base: 1e4, pairing: 'neox' } as const;
  const q = p.rope(p.matmul(normed, p.weight('q', 'q8_0', [64, 64])), positions, { ...rope, heads: 4 });
  const k = p.rope(p.matmul(normed, p.weight('k', 'q8_0', [32, 64])), positions, { ...rope, heads: 2 });
  const v = p.matmul(normed, p.weight('v', 'q8_0', [32, 64]));
  const cache = p.cache('layer.0', { kvHeads: 2, headSize: 16, valueSize: 16 });
  const attended = p.attention(q, k, v, cache, { heads: 4, kvHeads: 2, scale: 0.25 });
  const gated = p.gatedActivation(attended, p.add(x, attended), { function: 'silu' });
  const selection = p.input('selection', 'i32', ['outputs']);
  p.output('hidden', p.selectRows(gated, selection));
});

const thrownBy = (action: () => unknown): unknown => {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
};

const faultOf = (record: Parameters<typeof recordProgram>[0]) => {
  const error = thrownBy(() => recordProgram(record));
  if (!isPocketError(error, 'PROGRAM_INVALID')) throw error;
  return error.details;
};

describe('ProgramBuilder', () => {
  it('infers the shapes of results, step dimensions included', () => {
    const shapes = Object.fromEntries(layer.values.map((value) => [value.name, value.dimensions]));
    expect(shapes['attention.7.out']).toEqual(['rows', 64]);
    expect(shapes['select_rows.10.out']).toEqual(['outputs', 64]);
  });

  it('fills in the defaults of attributes', () => {
    expect(layer.calls.find((call) => call.op === 'rms_norm')?.attributes).toEqual({
      epsilon: 1e-6,
      groups: 1,
    });
  });

  it('names the dimension that does not fit', () => {
    const fault = faultOf((p) => {
      const x = p.input('x', 'f32', ['rows', 64]);
      p.matmul(x, p.weight('w', 'f32', [8, 32]));
    });
    expect(fault).toMatchObject({
      where: 'matmul.weight',
      dimension: 'inFeatures (axis 1)',
      expected: '64',
      found: '32',
    });
  });

  it('solves a product for the size that only it holds', () => {
    const fault = faultOf((p) => {
      const q = p.input('q', 'f32', ['rows', 60]);
      const k = p.input('k', 'f32', ['rows', 32]);
      const cache = p.cache('c', { kvHeads: 2, headSize: 16, valueSize: 16 });
      p.attention(q, k, k, cache, { heads: 4, kvHeads: 2, scale: 1 });
    });
    expect(fault).toMatchObject({ where: 'attention.k', expected: '30', found: '32' });
  });

  it('refuses a relation between sizes that does not hold', () => {
    const fault = faultOf((p) => {
      const q = p.input('q', 'f32', ['rows', 48]);
      const k = p.input('k', 'f32', ['rows', 32]);
      const cache = p.cache('c', { kvHeads: 2, headSize: 16, valueSize: 16 });
      p.attention(q, k, k, cache, { heads: 3, kvHeads: 2, scale: 1 });
    });
    expect(fault).toMatchObject({ where: 'attention', expected: 'kvHeads divides heads' });
  });

  it('refuses rows that are not whole blocks', () => {
    expect(faultOf((p) => p.weight('w', 'q8_0', [4, 33]))).toMatchObject({ dimension: 'last', found: '33' });
  });

  it('refuses a cache layer of other sizes', () => {
    const fault = faultOf((p) => {
      const q = p.input('q', 'f32', ['rows', 64]);
      const cache = p.cache('c', { kvHeads: 4, headSize: 8, valueSize: 16 });
      p.attention(q, q, q, cache, { heads: 4, kvHeads: 4, scale: 1 });
    });
    expect(fault).toMatchObject({ dimension: 'headSize', expected: '8', found: '16' });
  });

  it('refuses attention over rows that are not those of the step', () => {
    const fault = faultOf((p) => {
      const q = p.input('q', 'f32', ['outputs', 64]);
      const cache = p.cache('c', { kvHeads: 4, headSize: 16, valueSize: 16 });
      p.attention(q, q, q, cache, { heads: 4, kvHeads: 4, scale: 1 });
    });
    expect(fault).toMatchObject({ dimension: 'rows', found: 'outputs' });
  });

  it('refuses to encode rows that are no whole blocks', () => {
    const fault = faultOf((p) => p.encode(p.input('x', 'f32', ['rows', 48]), { format: 'q8_0' }));
    expect(fault).toMatchObject({ where: 'encode.out', expected: 'rows of whole q8_0 blocks of 32' });
  });

  it('refuses sizes that change from step to step for what is read once and for what is kept', () => {
    const steps = 'rows' as unknown as number;
    expect(faultOf((p) => p.weight('w', 'f32', [steps, 4]))).toMatchObject({
      where: 'w',
      expected: 'a positive integer',
      dimension: 'axis 0',
    });
    expect(faultOf((p) => p.cache('c', { kvHeads: 1, headSize: 4, valueSize: steps }))).toMatchObject({
      where: 'c',
      dimension: 'axis 2',
    });
  });

  it('refuses a tensor whose elements no double counts, given or inferred', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const expected = 'fewer than 2^53 elements';
    expect(faultOf((p) => p.weight('w', 'f32', [2, most]))).toMatchObject({ where: 'w', expected });
    const fault = faultOf((p) => {
      const x = p.input('x', 'f32', [2 ** 27, 1]);
      p.matmul(x, p.weight('w', 'f32', [2 ** 27, 1]));
    });
    expect(fault).toMatchObject({ where: 'matmul.0.out', expected });
  });

  it('keeps an output of any name', () => {
    const program = recordProgram((p) => p.output('__proto__', p.input('x', 'f32', ['rows', 4])));
    expect(Object.entries(program.outputs)).toEqual([['__proto__', 'x']]);
    expect(programFromJson(JSON.parse(JSON.stringify(program)))).toEqual(program);
  });

  it('refuses a tensor of another program, a taken name and an unknown attribute value', () => {
    const other = recordProgram(() => {});
    expect(other.calls).toEqual([]);
    const foreign = { name: 'x', type: 'f32', dimensions: ['rows', 4] } as const;
    expect(faultOf((p) => p.add(foreign, foreign))).toMatchObject({ where: 'add.x' });
    expect(faultOf((p) => [p.weight('w', 'f32', [4]), p.weight('w', 'f32', [4])])).toMatchObject({
      where: 'w',
    });
    expect(faultOf((p) => p.softcap(p.input('x', 'f32', ['rows', 4]), { cap: -1 }))).toMatchObject({
      where: 'softcap.cap',
      expected: 'a number above 0',
    });
  });
});

describe('programs as JSON', () => {
  it('come back equal', () => {
    const text = JSON.stringify(programToJson(layer));
    expect(programFromJson(JSON.parse(text))).toEqual(layer);
  });

  it('are checked like recorded ones', () => {
    const json = JSON.parse(JSON.stringify(layer));
    json.weights.find((weight: { name: string }) => weight.name === 'k').dimensions = [48, 64];
    const error = thrownBy(() => programFromJson(json));
    expect(isPocketError(error, 'PROGRAM_INVALID')).toBe(true);
  });

  it.each([
    ['an input that every object has', { inputs: { x: 'x', constructor: 'x' } }, 'scale.constructor'],
    ['an attribute that every object has', { attributes: { factor: 2, toString: 1 } }, 'scale.toString'],
    ['an output that the op has not', { outputs: { out: 'y', more: 'z' } }, 'scale.outputs'],
    ['an output whose name is no text', { outputs: { out: { name: 'y' } } }, 'scale.outputs.out'],
    ['an operand whose name is no text', { inputs: { x: ['x'] } }, 'scale.inputs.x'],
    ['an operand that is defined later', { inputs: { x: 'y' } }, 'scale.x'],
  ])('are refused with %s', (_, fault, where) => {
    const sound = { op: 'scale', inputs: { x: 'x' }, attributes: { factor: 2 }, outputs: { out: 'y' } };
    const program = (call: object) => ({
      ...{ abi: 1, weights: [], caches: [], outputs: {} },
      inputs: [{ name: 'x', type: 'f32', dimensions: ['rows', 4] }],
      calls: [call],
    });
    expect(thrownBy(() => programFromJson(program(sound)))).toBeUndefined();
    expect(thrownBy(() => programFromJson(program({ ...sound, ...fault })))).toMatchObject({
      code: 'PROGRAM_INVALID',
      details: { where },
    });
  });

  it.each([
    null,
    [],
    { abi: 2 },
    { abi: 1 },
    { abi: 1, inputs: [{}] },
    { abi: 1, inputs: [], weights: [{ name: 'w', format: 'toString' }] },
  ])('refuses %j', (json) => {
    expect(
      isPocketError(
        thrownBy(() => programFromJson(json)),
        'PROGRAM_INVALID',
      ),
    ).toBe(true);
  });
});

describe('decompose', () => {
  it('rewrites a merged op into those it stands for, and says so', () => {
    const { program, rewrites } = decompose(layer, (op) => op !== 'gated_activation');
    expect(rewrites).toEqual([{ op: 'gated_activation', into: ['activation', 'multiply'], calls: 1 }]);
    expect(program.calls.map((call) => call.op).slice(-3)).toEqual(['activation', 'multiply', 'select_rows']);
    expect(program.outputs).toEqual(layer.outputs);
  });

  it('leaves a program alone that needs no rewriting', () => {
    expect(decompose(layer, () => true).program).toBe(layer);
  });
});
