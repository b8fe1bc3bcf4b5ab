import { describe, expect, test } from 'vitest';
import { devicesOf, mergeDevices, supportPage } from './support/support-table.mjs';

const counts = { passed: 3, failed: 1, skipped: 2 };
const reportOf = (support, complete = true) => ({
  complete,
  plugin: { name: 'fast' },
  platform: 'node v1',
  devices: [{ id: 'one', name: 'A card', bitExact: [], counts, support }],
});
const entry = (op, passed, failed, skipped, format) => ({
  op,
  passed,
  failed,
  skipped,
  ...(format && { format }),
});

describe('the support table', () => {
  test('tells passes, failures, limits and what is not claimed apart', () => {
    const page = supportPage(
      devicesOf(
        reportOf([
          entry('add', 5, 0, 0),
          entry('rope', 4, 0, 3),
          entry('scale', 2, 1, 0),
          entry('top_k', 0, 0, 1),
          entry('matmul', 7, 0, 0, 'q4_k'),
        ]),
      ),
    );
    expect(page).toContain('| `add` | ✓ |');
    expect(page).toContain('| `rope` | ✓ 4 of 7 |');
    expect(page).toContain('| `scale` | ✗ 1 of 3 |');
    expect(page).toContain('| `top_k` | – |');
    expect(page).toContain('## matmul, by format');
    expect(page).toContain('| `q4_k` | ✓ |');
    expect(page).toContain('| fast | one (A card) | node v1 | 3 passed, 1 failed, 2 skipped | nothing |');
  });

  test('a device without the op has a dash in each of its formats', () => {
    const [has] = devicesOf(reportOf([entry('matmul', 7, 0, 0, 'q4_k')]));
    const [lacks] = devicesOf(reportOf([entry('matmul', 0, 0, 1)]));
    expect(supportPage([has, { ...lacks, device: 'another' }])).toContain('| `q4_k` | ✓ | – |');
  });

  test('a device that was reported on again replaces itself, and others stay', () => {
    const [first] = devicesOf(reportOf([entry('add', 5, 0, 0)]));
    const other = { ...first, device: 'another' };
    const again = { ...first, platform: 'node v2' };
    expect(mergeDevices([first, other], [again]).map(({ device, platform }) => [device, platform])).toEqual([
      ['another', 'node v1'],
      ['one', 'node v2'],
    ]);
  });

  test('a report that leaves tests out is refused', () => {
    expect(() => devicesOf(reportOf([], false))).toThrow('without options');
  });
});
