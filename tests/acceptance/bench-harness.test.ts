import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readOptions } from '../../bench/end-to-end/options.mjs';
import { median, type RawRow, summarize } from '../../bench/end-to-end/pairs.mjs';
import { entryText } from '../../bench/end-to-end/report.mjs';
import { bytesOfStep, operationsOfPrompt, workOfModel } from '../../bench/end-to-end/work-of-model.mjs';
import { instructionSetsOf } from '../../bench/machine/describe.mjs';
import { measureMachine } from '../../bench/machine/measure.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const tale = join(repository, 'models/tale-q8_0.gguf');

const about = { engine: 'an engine' };
const raw = (role: 'peer' | 'ours', pair: number, values: number[], otherCores = 0): RawRow => ({
  at: '',
  row: 'decode-0',
  model: 'q4_k_m',
  side: role,
  role,
  pair,
  threads: 2,
  context: 128,
  unit: 'tokens/s',
  values,
  otherCores,
  about,
  counts: {},
});

it('the ratio is the median of the ratios of pairs, each of the medians of its repeats', () => {
  const raws = [1, 2, 3].flatMap((pair) => [
    raw('peer', pair, [10]),
    raw('ours', pair, [pair * 10, pair * 20]),
  ]);
  expect(summarize(raws)).toMatchObject({ peer: 10, ours: 30, ratio: 3, pairs: 3, quiet: 3, leftOut: [] });
});

it('where some pairs were quiet, the others do not count', () => {
  const raws = [raw('peer', 1, [1], 0.5), raw('ours', 1, [9]), raw('peer', 2, [10]), raw('ours', 2, [20])];
  expect(summarize(raws)).toMatchObject({ peer: 10, ours: 20, ratio: 2, pairs: 2, quiet: 1 });
  expect(summarize(raws.slice(0, 2))).toMatchObject({ ratio: 9, pairs: 1, quiet: 0 });
});

it('of times and bytes, less is better', () => {
  const raws = [raw('peer', 1, [100]), raw('ours', 1, [50])].map((row) => ({ ...row, unit: 'ms' as const }));
  expect(summarize(raws)).toMatchObject({ unit: 'ms', ratio: 2 });
});

it('a side that is left out leaves the figures of the other', () => {
  const { values: _, ...asked } = raw('ours', 1, []) as RawRow & { values: number[] };
  const summary = summarize([raw('peer', 1, [10]), { ...asked, leftOut: 'no kernel' }]);
  expect(summary).toMatchObject({ peer: 10, leftOut: ['ours left out: no kernel'] });
  expect(summary).not.toHaveProperty('ratio');
});

it('the median of an even number of values is the mean of the middle two', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
});

it('instruction sets are listed best first, and only where all they need is there', () => {
  const narrow = ['avx2', 'fma', 'f16c'];
  const wide = [...narrow, 'avx512f', 'avx512bw', 'avx512vl', 'avx512_vnni'];
  expect(instructionSetsOf('x64', new Set(narrow))).toEqual(['avx2']);
  expect(instructionSetsOf('x64', new Set(wide))).toEqual(['avx512vnni', 'avx2']);
  expect(instructionSetsOf('x64', new Set([...wide, 'amx_tile', 'amx_int8']))).toEqual([
    'avx512vnni',
    'avx2',
  ]);
  expect(instructionSetsOf('arm64', new Set(wide))).toEqual([]);
});

it('the command line chooses entries of the table, and refuses what it does not know', () => {
  const entries = (...args: string[]) => {
    const options = readOptions(args);
    return options === 'help'
      ? options
      : options.entries.map(({ row, model, isa }) => [row, model, isa].join(' '));
  };
  expect(entries('--rows', 'prefill-512', '--model', 'f16,q8_0')).toEqual([
    'prefill-512 f16 ',
    'prefill-512 q8_0 ',
  ]);
  expect(entries('--isa', 'avx2')).toEqual(['prefill-512 q4_k_m avx2']);
  expect(entries('--rows', 'memory', '--model', 'bf16')).toEqual(['memory bf16 ']);
  expect(() => entries('--rows', 'prefill')).toThrow('no row is named prefill');
  expect(() => entries('--pairs', '0')).toThrow('--pairs takes a whole number from 1 on, not 0');
  expect(() => entries('--peer', 'none', '--ours', 'none')).toThrow('both sides are none');
});

it('a line says what part of the machine a figure is, and whether the goal is reached', async () => {
  const work = await workOfModel(tale);
  const instructionSets = ['amx', 'avx512vnni', 'avx2'];
  const bytes = bytesOfStep(work, 1, 1 + 65 / 2);
  const limits = {
    threads: 2,
    read: { bytesPerSecond: bytes * 100, streams: 1 },
    peaks: [{ isa: 'amx', type: 'bf16', operationsPerSecond: (operationsOfPrompt(work, 512) / 512) * 400 }],
  };
  const line = (row: string, summary: ReturnType<typeof summarize>) =>
    entryText({ row, model: 'q4_k_m', goal: { amx: 2 } }, summary, { work, limits, instructionSets });
  const pair = (peer: number, ours: number) => summarize([raw('peer', 1, [peer]), raw('ours', 1, [ours])]);
  expect(line('decode-0', pair(40, 80))).toBe(
    'decode-0 q4_k_m: peer 40.0 tokens/s (40 % of the read rate), ours 80.0 tokens/s (80 % of the read rate), 2.00x, goal 2x: reached, 1 of 1 pairs quiet',
  );
  expect(line('prefill-512', pair(100, 150))).toBe(
    'prefill-512 q4_k_m: peer 100.0 tokens/s (25 % of amx bf16), ours 150.0 tokens/s (38 % of amx bf16), 1.50x, goal 2x: missed, 1 of 1 pairs quiet',
  );
});

it('the work of a model is counted from its header', async () => {
  const [layers, embedding, feedForward, vocabulary] = [4, 256, 768, 4096];
  const layer = embedding * (256 + 128 + 128 + 256) + 3 * embedding * feedForward;
  expect(await workOfModel(tale)).toMatchObject({
    matrixWeights: layers * layer,
    outputWeights: embedding * vocabulary,
    cacheBytes: layers * 2 * 64 * 2 * 2,
    attentionWidth: layers * 256,
    vocabulary,
    positions: 1024,
    mostlyFloats: false,
  });
});

const compiler = (() => {
  try {
    return execFileSync('g++', ['--version']).length > 0;
  } catch {
    return false;
  }
})();

it.skipIf(!compiler)(
  'what the machine can do at best is measured (needs g++)',
  () => {
    const { read, peaks } = measureMachine(1);
    expect(read.bytesPerSecond).toBeGreaterThan(1e8);
    for (const { operationsPerSecond } of peaks) expect(operationsPerSecond).toBeGreaterThan(1e8);
  },
  120_000,
);

const built =
  existsSync(join(repository, 'packages/runtime/dist')) &&
  existsSync(join(repository, 'packages/reference/dist'));

describe.skipIf(!built || !compiler)('the bench (needs npm run build, g++)', () => {
  it('runs two sides in turn, each in a process of its own, and keeps every row', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pocketllm-bench-'));
    try {
      const out = join(folder, 'rows.jsonl');
      const sides = ['--peer', 'reference', '--ours', 'reference', '--threads', '1', '--out', out];
      const args = [
        'bench/end-to-end.mjs',
        '--model',
        tale,
        '--rows',
        'load-warm,prefill-2048',
        '--pairs',
        '2',
        ...sides,
      ];
      const printed = execFileSync(process.execPath, args, { cwd: repository, encoding: 'utf8' });
      expect(printed).toMatch(
        /load-warm tale-q8_0.gguf: peer [\d.]+ ms, ours [\d.]+ ms, [\d.]+x, .*\d of 2 pairs quiet/,
      );
      expect(printed).toContain('prefill-2048 tale-q8_0.gguf: left out: the model has 1024 positions');
      const kept = readFileSync(out, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(kept.map(({ role, pair }) => role && `${role} ${pair}`)).toEqual([
        undefined,
        'peer 1',
        'ours 1',
        'peer 2',
        'ours 2',
        undefined,
      ]);
      expect(kept[1]).toMatchObject({ unit: 'ms', about: { backend: 'reference' }, context: 64 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 120_000);

  it('says of a side that fails why, and goes on', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pocketllm-bench-'));
    try {
      const sides = [
        '--peer',
        'reference',
        '--ours',
        join(folder, 'missing'),
        '--out',
        join(folder, 'rows.jsonl'),
      ];
      const args = ['bench/end-to-end.mjs', '--model', tale, '--rows', 'load-warm', '--pairs', '1', ...sides];
      const printed = execFileSync(process.execPath, args, { cwd: repository, encoding: 'utf8' });
      expect(printed).toMatch(/load-warm .*: peer [\d.]+ ms, ours left out: .*BACKEND_NOT_FOUND/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 120_000);
});
