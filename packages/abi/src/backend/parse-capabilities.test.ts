import { describe, expect, it } from 'vitest';
import { isPocketError, type PocketError } from '../errors.js';
import { parseCapabilities } from './parse-capabilities.js';

const sound = {
  abi: 1,
  name: 'sample-2',
  deviceClasses: ['cpu'],
  bitExact: ['batch'],
  ops: [
    { op: 'add' },
    { op: 'matmul', formats: ['q8_0', 'f32'], limits: { inFeatures: { multipleOf: 32 } } },
    { op: 'attention', caches: ['f16'], limits: { headSize: { max: 256, multipleOf: 8 } } },
    { op: 'rms_norm', limits: { 'cols/groups': { max: 4096 } } },
    { op: 'activation', attributes: { function: ['silu'] } },
  ],
};

const faultOf = (file: unknown): PocketError => {
  try {
    parseCapabilities(file, 'sample');
  } catch (error) {
    if (isPocketError(error)) return error;
    throw error;
  }
  throw new Error('the file was accepted');
};

describe('parseCapabilities', () => {
  it('gives back a sound file', () => {
    expect(parseCapabilities(sound, 'sample')).toEqual(sound);
  });

  it('passes over fields that it does not know, so that later files stay readable', () => {
    const later = { ...sound, since: 2, ops: [{ op: 'add', speed: 'high' }] };
    expect(parseCapabilities(later, 'sample')).toEqual(later);
  });

  it('passes over ops and formats of a later version, names that every object has included', () => {
    const later = [
      { op: 'fft' },
      { op: 'toString' },
      { op: 'matmul', formats: ['q9', 'f32', 'constructor'] },
    ];
    expect(parseCapabilities({ ...sound, ops: later }, 'sample').ops).toEqual([
      { op: 'matmul', formats: ['f32'] },
    ]);
  });

  it('tells a file for another version of the ABI from a broken one', () => {
    expect(faultOf({ ...sound, abi: 2 })).toMatchObject({
      code: 'ABI_MISMATCH',
      details: { plugin: 'sample', wants: 2, has: 1 },
    });
    expect(faultOf({ ...sound, abi: undefined }).code).toBe('PLUGIN_INVALID');
    expect(faultOf({ ...sound, abi: '1' }).code).toBe('PLUGIN_INVALID');
  });

  it.each([
    ['no object', null, 'the file is not an object'],
    ['a list', [], 'the file is not an object'],
    ['a name with a capital', { ...sound, name: 'Sample' }, 'name is not'],
    ['an unknown device class', { ...sound, deviceClasses: ['tpu'] }, 'deviceClasses entry tpu'],
    ['no device classes', { ...sound, deviceClasses: undefined }, 'deviceClasses is not a list'],
    ['an unknown equality', { ...sound, bitExact: ['always'] }, 'bitExact entry always'],
    ['ops that are no list', { ...sound, ops: {} }, 'ops is not a list'],
    ['an op without a name', { ...sound, ops: [{ op: 7 }] }, 'ops[0].op is not the name of an op'],
    ['a matmul without formats', { ...sound, ops: [{ op: 'matmul' }] }, 'ops[0].formats is not a list'],
    ['attention without caches', { ...sound, ops: [{ op: 'attention' }] }, 'ops[0].caches is not a list'],
    ['formats of an op without weights', { ...sound, ops: [{ op: 'add', formats: [] }] }, 'ops[0].formats'],
    ['a limit on nothing', { ...sound, ops: [{ op: 'add', limits: { width: { max: 1 } } }] }, 'limits.width'],
    [
      'an unknown bound',
      { ...sound, ops: [{ op: 'add', limits: { cols: { min: 1 } } }] },
      'limits.cols.min is not max or multipleOf',
    ],
    ['a bound of 0', { ...sound, ops: [{ op: 'add', limits: { cols: { max: 0 } } }] }, 'limits.cols.max'],
    [
      'a bound as text',
      { ...sound, ops: [{ op: 'add', limits: { cols: { max: '8' } } }] },
      'limits.cols.max',
    ],
    [
      'a choice that the op lacks',
      { ...sound, ops: [{ op: 'add', attributes: { function: ['silu'] } }] },
      'ops[0].attributes.function is not a choice of add',
    ],
    [
      'a value that the choice lacks',
      { ...sound, ops: [{ op: 'activation', attributes: { function: ['relu'] } }] },
      'ops[0].attributes.function entry relu',
    ],
  ])('refuses %s', (_what, file, reason) => {
    const { code, details } = faultOf(file);
    expect(code).toBe('PLUGIN_INVALID');
    expect(details).toMatchObject({ plugin: 'sample', reason: expect.stringContaining(reason) });
  });
});
