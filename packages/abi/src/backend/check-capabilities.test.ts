import { describe, expect, it } from 'vitest';
import { isPocketError } from '../errors.js';
import type { WeightFormatName } from '../formats/index.js';
import { type ProgramBuilder, recordProgram } from '../program/index.js';
import type { Capabilities, CapabilityRow } from './capabilities.js';
import { checkCacheSpec, checkCapabilities, supportsCacheFormat } from './check-capabilities.js';

const claiming = (...ops: CapabilityRow[]): Capabilities => ({
  abi: 1,
  name: 'sample',
  deviceClasses: ['cpu'],
  bitExact: [],
  ops,
});

/** The details of the refusal, or undefined where there is none. */
const refusalOf = (check: () => void) => {
  try {
    check();
  } catch (error) {
    if (!isPocketError(error, 'OP_UNSUPPORTED')) throw error;
    return error.details;
  }
  return undefined;
};

const programRefusal = (record: (p: ProgramBuilder) => void, ...rows: CapabilityRow[]) =>
  refusalOf(() => checkCapabilities(recordProgram(record), claiming(...rows), 'device-1'));

const matmul =
  (format: WeightFormatName, inFeatures = 64) =>
  (p: ProgramBuilder) =>
    p.matmul(p.input('x', 'f32', ['rows', inFeatures]), p.weight('w', format, [8, inFeatures]));

const rms = (p: ProgramBuilder) =>
  p.rmsNorm(p.input('x', 'f32', ['rows', 96]), p.weight('gain', 'f32', [24]), { epsilon: 1e-6, groups: 4 });

describe('checkCapabilities', () => {
  it('accepts a call that one of several rows fits', () => {
    const rows: CapabilityRow[] = [
      { op: 'matmul', formats: ['f32'] },
      { op: 'matmul', formats: ['q8_0'], limits: { inFeatures: { max: 64, multipleOf: 32 } } },
    ];
    expect(programRefusal(matmul('q8_0'), ...rows)).toBeUndefined();
  });

  it('names the device, the op and the format that is missing', () => {
    expect(programRefusal(matmul('q4_0'), { op: 'matmul', formats: ['f32', 'q8_0'] })).toEqual({
      device: 'device-1',
      op: 'matmul',
      format: 'q4_0',
      reason: 'formats are f32, q8_0',
    });
  });

  it('refuses an op without a row', () => {
    expect(programRefusal(rms)).toMatchObject({ op: 'rms_norm', reason: 'the op is not claimed' });
  });

  it('holds sizes to the largest and to multiples, each row with its reason', () => {
    const refusal = programRefusal(
      matmul('f32', 96),
      { op: 'matmul', formats: ['f32'], limits: { inFeatures: { max: 64 } } },
      { op: 'matmul', formats: ['f32'], limits: { inFeatures: { multipleOf: 64 } } },
    );
    expect(refusal?.reason).toBe(
      'inFeatures is at most 64, not 96; or inFeatures is a multiple of 64, not 96',
    );
  });

  it('takes limits at their edge, and on expressions of extents', () => {
    const limitedTo = (max: number): CapabilityRow => ({
      op: 'rms_norm',
      limits: { 'cols/groups': { max } },
    });
    expect(programRefusal(rms, limitedTo(24))).toBeUndefined();
    expect(programRefusal(rms, limitedTo(23))?.reason).toBe('cols/groups is at most 23, not 24');
  });

  it('does not hold what changes from step to step to a limit', () => {
    expect(programRefusal(rms, { op: 'rms_norm', limits: { rows: { max: 1 } } })).toBeUndefined();
  });

  it('holds choices to the claimed values', () => {
    const gelu = (p: ProgramBuilder) =>
      p.activation(p.input('x', 'f32', ['rows', 4]), { function: 'gelu_erf' });
    const row = (...names: string[]): CapabilityRow => ({
      op: 'activation',
      attributes: { function: names },
    });
    expect(programRefusal(gelu, row('silu', 'gelu_erf'))).toBeUndefined();
    expect(programRefusal(gelu, row('silu'))?.reason).toBe('function is one of silu');
  });

  it('takes the format of an encode call from its attribute', () => {
    const encode = (p: ProgramBuilder) => p.encode(p.input('x', 'f32', ['rows', 32]), { format: 'q8_0' });
    expect(programRefusal(encode, { op: 'encode', formats: ['q8_0'] })).toBeUndefined();
    expect(programRefusal(encode, { op: 'encode', formats: ['f16'] })).toMatchObject({ format: 'q8_0' });
  });
});

describe('checkCacheSpec', () => {
  const rows: CapabilityRow[] = [
    { op: 'attention', caches: ['f32'] },
    { op: 'attention', caches: ['q8_0'], limits: { headSize: { multipleOf: 32 } } },
  ];
  const refusal = (format: 'f32' | 'f16' | 'q8_0', headSize: number) => {
    const layers = [{ name: 'layer.0', kvHeads: 1, headSize, valueSize: 5 }];
    return refusalOf(() => checkCacheSpec({ layers, pages: 1, format }, claiming(...rows), 'device-1'));
  };

  it('asks for a row that has the format and allows the sizes', () => {
    expect(refusal('f32', 5)).toBeUndefined();
    expect(refusal('q8_0', 64)).toBeUndefined();
    expect(refusal('q8_0', 48)).toEqual({
      device: 'device-1',
      op: 'attention',
      format: 'q8_0',
      reason: 'layer.0: headSize is a multiple of 32, not 48',
    });
    expect(refusal('f16', 64)?.reason).toBe('no cache of this format is claimed');
  });

  it('agrees with supportsCacheFormat on the formats', () => {
    const formats = (['f32', 'f16', 'q8_0'] as const).filter((format) =>
      supportsCacheFormat(claiming(...rows), format),
    );
    expect(formats).toEqual(['f32', 'q8_0']);
  });
});
