import { describe, expect, it } from 'vitest';
import { expectCloseTo } from '../../test/close-to.js';
import { runOp } from '../../test/run-op.js';

const { cos, sin } = Math;
/** Base 100 over 4 dimensions: the second pair turns by 100^(-1/2) = 0.1 of a radian a position. */
const attributes = { heads: 1, dimensions: 4, base: 100, pairing: 'neox' };

describe('rope', () => {
  it('leaves position 0 as it is', async () => {
    const { out } = await runOp('rope', { x: [[1, 2, 3, 4]], positions: [0] }, { attributes });
    expect(out).toEqual([[1, 2, 3, 4]]);
  });

  it('turns a and b by one radian at position 1', async () => {
    const one = { attributes: { ...attributes, dimensions: 2 } };
    const { out } = await runOp('rope', { x: [[1, 0]], positions: [1] }, one);
    expectCloseTo(out!, [[0.5403023058681398, 0.8414709848078965]]);
  });

  it('pairs the halves of a head (neox)', async () => {
    const { out } = await runOp('rope', { x: [[1, 2, 3, 4]], positions: [1] }, { attributes });
    expectCloseTo(out!, [
      [cos(1) - 3 * sin(1), 2 * cos(0.1) - 4 * sin(0.1), sin(1) + 3 * cos(1), 2 * sin(0.1) + 4 * cos(0.1)],
    ]);
  });

  it('pairs neighbours (interleaved)', async () => {
    const interleaved = { attributes: { ...attributes, pairing: 'interleaved' } };
    const { out } = await runOp('rope', { x: [[1, 2, 3, 4]], positions: [1] }, interleaved);
    expectCloseTo(out!, [
      [cos(1) - 2 * sin(1), sin(1) + 2 * cos(1), 3 * cos(0.1) - 4 * sin(0.1), 3 * sin(0.1) + 4 * cos(0.1)],
    ]);
  });

  it('turns every head alike and passes the rest of a head through', async () => {
    const twoHeads = { attributes: { ...attributes, heads: 2, dimensions: 2 } };
    const { out } = await runOp('rope', { x: [[1, 0, 7, 2, 0, 8]], positions: [2] }, twoHeads);
    expectCloseTo(out!, [[cos(2), sin(2), 7, 2 * cos(2), 2 * sin(2), 8]]);
  });

  it('applies frequency factors, scale and magnitude', async () => {
    const operands = { x: [[1, 0, 0, 1]], positions: [4], frequencyFactors: [2, 0.5] };
    const scaled = { ...attributes, pairing: 'interleaved', scale: 0.5, magnitude: 3 };
    const { out } = await runOp('rope', operands, { attributes: scaled });
    // Angles 4 * 0.5 * 1 / 2 = 1 and 4 * 0.5 * 0.1 / 0.5 = 0.4.
    expectCloseTo(out!, [[3 * cos(1), 3 * sin(1), -3 * sin(0.4), 3 * cos(0.4)]]);
  });

  it('keeps angles exact at far positions', async () => {
    const one = { attributes: { ...attributes, dimensions: 2 } };
    const { out } = await runOp('rope', { x: [[1, 0]], positions: [1_000_003] }, one);
    expectCloseTo(out!, [[cos(1_000_003), sin(1_000_003)]]);
  });

  it('keeps what is no number in its row', async () => {
    const one = { attributes: { ...attributes, dimensions: 2 } };
    const x = [
      [Number.NaN, 0],
      [1, 0],
    ];
    const { out } = await runOp('rope', { x, positions: [1, 0] }, one);
    expect(out![1]).toEqual([1, 0]);
  });
});
