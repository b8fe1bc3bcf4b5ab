import { isPocketError, type WeightFormatName, weightFormats } from '@pocketllm/abi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRow } from '../formats/index.js';
import { encodeRow } from './encode-row.js';

const formats = Object.keys(weightFormats) as WeightFormatName[];
const blockFormats = formats.filter((name) => weightFormats[name].block.weights > 1);

function roundTrip(format: WeightFormatName, x: Float32Array, importance?: Float32Array): Float32Array {
  const needed = weightFormats[format].importance === 'required';
  const bytes = encodeRow(format, x, importance ?? (needed ? new Float32Array(x.length).fill(1) : undefined));
  const out = new Float32Array(x.length);
  decodeRow(format, bytes, out);
  return out;
}

function squaredError(x: Float32Array, y: ArrayLike<number>, importance?: Float32Array): number {
  return x.reduce((sum, value, i) => sum + (importance?.[i] ?? 1) * (value - y[i]!) ** 2, 0);
}

/** Pseudo-random weights of a bell shape, the same on every run. */
function bell(count: number, seed: number): Float32Array {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return Float32Array.from({ length: count }, () => (uniform() + uniform() + uniform() + uniform() - 2) / 10);
}

function errorOf(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('encodeRow refuses', () => {
  it.each(['iq1_s', 'iq1_m', 'iq2_xxs', 'iq2_xs', 'iq2_s', 'iq3_xxs'] as const)(
    '%s without importance',
    (format) => {
      const error = errorOf(() => encodeRow(format, new Float32Array(256)));
      expect(isPocketError(error, 'REQUEST_INVALID') && error.details.field).toBe('importance');
    },
  );

  it('a weight that is not finite, with its column', () => {
    const x = new Float32Array(32);
    x[7] = Number.NaN;
    const error = errorOf(() => encodeRow('q8_0', x));
    expect(isPocketError(error, 'REQUEST_INVALID') && error.details).toEqual({
      field: 'x',
      expected: 'finite numbers',
      found: 'NaN in column 7',
    });
  });

  it('negative importance', () => {
    const importance = new Float32Array(32).fill(-1);
    const error = errorOf(() => encodeRow('q4_0', new Float32Array(32), importance));
    expect(isPocketError(error, 'REQUEST_INVALID')).toBe(true);
  });

  it('a row that is not whole blocks, or importance of another length', () => {
    expect(() => encodeRow('q4_k', new Float32Array(255))).toThrow(TypeError);
    expect(() => encodeRow('q4_0', new Float32Array(32), new Float32Array(31))).toThrow(TypeError);
  });
});

describe('a row encoded as', () => {
  it.each(blockFormats)('%s stays zero where all of it is zero', (format) => {
    const out = roundTrip(format, new Float32Array(2 * weightFormats[format].block.weights));
    expect(out.every((value) => value === 0)).toBe(true);
  });

  it.each(blockFormats)('%s is finite, and no worse than zeros, for any weights and importance', (format) => {
    const { weights } = weightFormats[format].block;
    const magnitude = fc.constantFrom(0, 0, 0.001, 0.02, 1, 300);
    const weight = fc.tuple(magnitude, fc.float({ min: -1, max: 1, noNaN: true })).map(([m, x]) => m * x);
    const row = fc.array(weight, { minLength: weights, maxLength: weights });
    const column = fc.array(fc.constantFrom(0, 1e-3, 1, 50), { minLength: weights, maxLength: weights });
    fc.assert(
      fc.property(row, column, (x, u) => {
        const weightsOfRow = Float32Array.from(x);
        const importance = weightFormats[format].importance === 'ignored' ? undefined : Float32Array.from(u);
        const out = roundTrip(format, weightsOfRow, importance);
        expect(out.every(Number.isFinite)).toBe(true);
        const zeros = squaredError(weightsOfRow, new Float32Array(weights), importance);
        // Columns without any importance count for a millionth of the mean.
        const slack = 1e-5 * squaredError(weightsOfRow, new Float32Array(weights)) * (importance ? 50 : 0);
        expect(squaredError(weightsOfRow, out, importance)).toBeLessThanOrEqual(zeros + slack);
      }),
      { numRuns: 20 },
    );
  });

  it.each(['f32', 'f16', 'bf16'] as const)('%s is the nearest value of that type', (format) => {
    const out = roundTrip(format, Float32Array.of(0.333333343, -65504, 1e-3));
    const relative = { f32: 0, f16: 2 ** -11, bf16: 2 ** -8 }[format];
    for (const [i, value] of [0.333333343, -65504, 1e-3].entries()) {
      expect(Math.abs(out[i]! - Math.fround(value))).toBeLessThanOrEqual(relative * Math.abs(value));
    }
  });

  it.each(['tq1_0', 'tq2_0'] as const)('%s keeps ternary weights as they are', (format) => {
    const x = Float32Array.from({ length: 256 }, (_, i) => 0.25 * ((i * i) % 3 === 1 ? (i % 2) - 1 || 1 : 0));
    expect(roundTrip(format, x)).toEqual(x);
  });

  it('tq2_0 has the scale that is best for the weights it keeps', () => {
    // Keeping the four of magnitude 4 and one of 1 at their mean would lose; 4 alone is best.
    const x = new Float32Array(256);
    x.set([4, -4, 4, 4, 1]);
    expect([...roundTrip('tq2_0', x).slice(0, 6)]).toEqual([4, -4, 4, 4, 0, 0]);
  });

  it('q1_0 has the mean magnitude as scale, weighted by importance', () => {
    const x = new Float32Array(128).fill(1);
    x[0] = -3;
    const importance = new Float32Array(128).fill(1);
    importance[0] = 127;
    expect([...roundTrip('q1_0', x, importance).slice(0, 2)]).toEqual([-2, 2]);
  });

  it('q4_0 is exact for multiples of one step', () => {
    const x = Float32Array.from({ length: 32 }, (_, i) => 0.5 * ((i % 16) - 8));
    expect(roundTrip('q4_0', x)).toEqual(x);
  });

  it('q4_1 is exact for a constant', () => {
    const x = new Float32Array(32).fill(-0.75);
    expect(roundTrip('q4_1', x)).toEqual(x);
  });

  it('iq3_s keeps what follows a run of zeros in its place', () => {
    const x = bell(256, 5);
    x.fill(0, 64, 96);
    expect(squaredError(x, roundTrip('iq3_s', x))).toBeLessThan(
      0.04 * squaredError(x, new Float32Array(256)),
    );
  });

  it.each(['q2_k', 'q4_k', 'iq2_xxs', 'iq1_m'] as const)(
    '%s errs less where importance is high',
    (format) => {
      const x = bell(256, 7);
      const importance = Float32Array.from({ length: 256 }, (_, i) => (i % 4 === 0 ? 20 : 0.1));
      const flat = squaredError(x, roundTrip(format, x), importance);
      expect(squaredError(x, roundTrip(format, x, importance), importance)).toBeLessThan(0.9 * flat);
    },
  );
});
