import { expect, it, vi } from 'vitest';
import { runCommand } from '../../test/run-command.js';
import { benchText } from '../bench/bench-table.js';
import { testsOf } from './bench.js';

// The reference reads 256 MiB as anyone does, which takes seconds, on a busy machine many.
vi.setConfig({ testTimeout: 120_000 });

const bench = (...argv: string[]) => runCommand(['bench', '--backend', 'reference', ...argv]);

it('measures prompts and answers beside the best of the device, and leaves out what the model was not made for', async () => {
  const flags = ['--prompt-tokens', '5', '--answer-tokens', '2', '--repeats', '1', '--depths', '3,1000000'];
  const { code, stdout, stderr } = await bench(...flags, '--batches', '1,2', '--json');
  expect(code).toBe(0);
  expect(stderr).toMatch(/prompt of 5 behind 1000000 is left out: the model was made for \d+ positions/);
  const { limits, tests, ...rest } = JSON.parse(stdout);
  expect(rest).toMatchObject({ backend: 'reference', device: 'reference', cacheFormat: 'f16' });
  expect(limits).toMatchObject({ format: 'q8_0' });
  expect(limits.readBytesPerSecond).toBeGreaterThan(0);
  expect(tests).toMatchObject([
    { kind: 'prompt', tokens: 5, depth: 3, sequences: 1 },
    { kind: 'answer', tokens: 2, depth: 3, sequences: 1 },
    { kind: 'answer', tokens: 2, depth: 3, sequences: 2 },
  ]);
  for (const test of tests) {
    expect(test.ms).toHaveLength(1);
    expect(test.tokensPerSecond).toBeCloseTo((1000 * test.tokens * test.sequences) / test.ms[0], 6);
    expect(test.partOfFlops).toBeCloseTo(test.flopsPerSecond / limits.flopsPerSecond, 9);
  }
});

it('prints a table for people', () => {
  const test = { kind: 'answer', tokens: 32, depth: 512, sequences: 8, ms: [1], flops: 1, bytes: 1 } as const;
  const rates = { tokensPerSecond: 1234.5, bytesPerSecond: 5e9, flopsPerSecond: 2.5e10 };
  const limits = { readBytesPerSecond: 2e10, flopsPerSecond: 1e11, format: 'q4_k' } as const;
  expect(benchText({ limits, tests: [{ ...test, ...rates }] })).toBe(
    [
      '        tokens  depth  sequences  tokens/s  GB/s  of best  GFLOP/s  of best',
      'answer  32      512    8          1235      5.00  25 %     25.0     25 %',
      'best here: 20.0 GB/s read, 100 GFLOP/s in q4_k',
    ].join('\n'),
  );
});

it.each([
  [['--depths', '1,'], 2],
  [['--batches', '0'], 2],
  [['--prompt-tokens', '0', '--answer-tokens', '0'], 2],
  [['--depths', '1000000'], 1],
])('refuses %s', async (flags, expected) => {
  expect((await bench(...flags)).code).toBe(expected);
});

it('measures prompts at every depth, and answers in every batch too', () => {
  const tests = testsOf({ promptTokens: [8, 0], answerTokens: [4], depths: [0, 64], batches: [1, 2] });
  expect(tests.map(({ kind, depth, sequences }) => `${kind} ${depth} ${sequences}`)).toEqual([
    'prompt 0 1',
    'prompt 64 1',
    'answer 0 1',
    'answer 0 2',
    'answer 64 1',
    'answer 64 2',
  ]);
});
