import { describe, expect, it } from 'vitest';
import { isPocketError } from '../errors.js';
import { recordProgram } from '../program/index.js';
import type { Cache } from './cache.js';
import { checkStep } from './check-step.js';
import type { Step } from './step.js';

const layer = { kvHeads: 1, headSize: 4, valueSize: 4 };
const withCache = recordProgram((p) => {
  const x = p.input('x', 'f32', ['rows', 4]);
  const selection = p.input('selection', 'i32', ['outputs']);
  const attended = p.attention(x, x, x, p.cache('layer.0', layer), { heads: 1, kvHeads: 1, scale: 0.5 });
  p.output('hidden', p.selectRows(attended, selection));
});
const withoutCache = recordProgram((p) => {
  p.output('doubled', p.scale(p.input('x', 'f32', ['rows', 4]), { factor: 2 }));
});

const cacheOf = (pages: number, layers = [{ name: 'layer.0', ...layer }]) =>
  ({ spec: { layers, pages, format: 'f32' } }) as unknown as Cache;

/** 33 rows of one sequence from position 31 on, so positions 31 .. 63: two pages. */
const sound: Step = {
  rows: 33,
  outputs: 1,
  sequences: [{ rows: 33, start: 31, pages: [2, 0], phase: 'prefill' }],
  inputs: { x: new Float32Array(33 * 4), selection: Int32Array.of(32) },
  cache: cacheOf(3),
  wanted: ['hidden'],
};
const sequence = sound.sequences[0]!;

const faultOf = (step: Step, program = withCache) => {
  try {
    checkStep(program, step);
  } catch (error) {
    if (!isPocketError(error, 'STEP_INVALID')) throw error;
    return error.details;
  }
  return undefined;
};

describe('checkStep', () => {
  it('takes a sound step, one that wants nothing and one without rows', () => {
    expect(faultOf(sound)).toBeUndefined();
    expect(faultOf({ ...sound, wanted: [] })).toBeUndefined();
    const empty = { x: new Float32Array(0), selection: new Int32Array(0) };
    expect(faultOf({ ...sound, rows: 0, outputs: 0, sequences: [], inputs: empty })).toBeUndefined();
  });

  it.each<[string, Partial<Step>, string]>([
    ['rows that are no count', { rows: -1 }, 'rows'],
    ['outputs that are no count', { outputs: 0.5 }, 'outputs'],
    ['an input that is missing', { inputs: { x: sound.inputs.x! } }, 'inputs.selection'],
    [
      'an input of another type',
      { inputs: { ...sound.inputs, selection: new Float32Array(1) } },
      'inputs.selection',
    ],
    [
      'an input of no class at all',
      { inputs: { ...sound.inputs, x: Object.create(null) as Float32Array } },
      'inputs.x',
    ],
    ['an input of another size', { inputs: { ...sound.inputs, x: new Float32Array(4) } }, 'inputs.x'],
    ['an output that the program lacks', { wanted: ['logits'] }, 'wanted'],
    ['sequences with fewer rows', { sequences: [{ ...sequence, rows: 32 }] }, 'sequences'],
    ['rows without a sequence', { sequences: [] }, 'sequences'],
    [
      'a sequence without rows',
      { sequences: [sequence, { ...sequence, rows: 0, pages: [1] }] },
      'sequences[1].rows',
    ],
    ['a start that is no position', { sequences: [{ ...sequence, start: -1 }] }, 'sequences[0].start'],
    ['too few pages', { sequences: [{ ...sequence, start: 32, pages: [2, 0] }] }, 'sequences[0].pages'],
    ['a page beyond the cache', { sequences: [{ ...sequence, pages: [2, 3] }] }, 'sequences[0].pages'],
    ['a page that is no count', { sequences: [{ ...sequence, pages: [2, -1] }] }, 'sequences[0].pages'],
    [
      'a page that was never set',
      { sequences: [{ ...sequence, pages: Object.assign([2], { length: 2 }) }] },
      'sequences[0].pages',
    ],
    ['a cache without the layer', { cache: cacheOf(3, []) }, 'cache.layers.layer.0'],
    [
      'a cache with a layer of other sizes',
      { cache: cacheOf(3, [{ name: 'layer.0', ...layer, headSize: 8 }]) },
      'cache.layers.layer.0',
    ],
  ])('refuses %s', (_what, change, field) => {
    expect(faultOf({ ...sound, ...change })).toMatchObject({ field });
  });

  it('refuses a step without a cache where the program declares one', () => {
    const { cache: _, ...rest } = sound;
    expect(faultOf(rest)).toMatchObject({ field: 'cache' });
  });

  it('lets sequences read the same pages, and refuses a page that one writes and another has', () => {
    const slice = (start: number, pages: number[]) => ({ rows: 1, start, pages, phase: 'decode' as const });
    const together = (...sequences: Step['sequences']) =>
      faultOf({
        ...sound,
        rows: sequences.length,
        sequences,
        inputs: { x: new Float32Array(4 * sequences.length), selection: Int32Array.of(0) },
      });
    expect(together(slice(32, [0, 1]), slice(32, [0, 2]))).toBeUndefined();
    // Pages beyond the last row are neither read nor written.
    expect(together(slice(3, [0, 1]), slice(33, [2, 1]))).toBeUndefined();
    expect(together(slice(32, [0, 1]), slice(33, [2, 1]))).toMatchObject({ field: 'sequences[0].pages' });
    expect(together(slice(32, [0, 1]), slice(64, [1, 0, 2]))).toMatchObject({ field: 'sequences[1].pages' });
  });

  it('says what was expected and what was found', () => {
    expect(faultOf({ ...sound, sequences: [{ ...sequence, start: 32 }] })).toEqual({
      field: 'sequences[0].pages',
      expected: 'at least 3',
      found: '2',
    });
  });

  it('needs no sequences where nothing looks across rows, and checks those that are listed', () => {
    const step: Step = { rows: 2, outputs: 0, sequences: [], inputs: { x: new Float32Array(8) } };
    expect(faultOf(step, withoutCache)).toBeUndefined();
    const oneRow = [{ rows: 1, start: 0, pages: [], phase: 'decode' as const }];
    expect(faultOf({ ...step, sequences: oneRow }, withoutCache)).toMatchObject({ field: 'sequences' });
  });
});
