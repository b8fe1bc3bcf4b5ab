import { activationFunctions, isOpName, ops } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { casesFor } from '../src/cases/cases-for.js';
import { casesOf } from '../src/cases/index.js';
import { judgeExactly, judgeFloats } from '../src/cases/judges.js';
import { around, inBlocks, storedFormats, walk } from '../src/cases/lists.js';

const names = (op: keyof typeof casesOf) => casesOf[op].map(({ format, name }) => `${format} ${name}`);

describe('cases', () => {
  it.each(Object.keys(ops).filter(isOpName))('%s: each has a name of its own', (op) => {
    expect(casesOf[op].length).toBeGreaterThan(3);
    expect(new Set(names(op)).size).toBe(casesOf[op].length);
  });

  it('every format that files hold is tried by every op that reads or writes weights', () => {
    for (const op of ['embedding', 'matmul', 'matmul_experts', 'encode'] as const) {
      expect([...new Set(casesOf[op].map(({ format }) => format))].sort()).toEqual([...storedFormats].sort());
    }
  });

  it('every choice of every op is tried', () => {
    for (const op of Object.values(ops)) {
      for (const [name, spec] of Object.entries(op.attributes)) {
        if (spec.type !== 'choice') continue;
        const tried = new Set(
          casesOf[op.name].map(({ program }) => program.calls.at(-1)!.attributes[name] as string),
        );
        const wanted = op.name === 'encode' ? storedFormats : spec.of;
        expect([...tried].sort()).toEqual([...wanted].sort());
      }
    }
    expect(activationFunctions).toHaveLength(4);
  });

  it('heads of the sizes and ratios that models have are tried', () => {
    const calls = casesOf.attention.map(({ program }) => program.calls.at(-1)!.attributes);
    const ratios = calls.map(({ heads, kvHeads }) => (heads as number) / (kvHeads as number));
    expect([...new Set(ratios)].sort((a, b) => a - b)).toEqual(expect.arrayContaining([1, 2, 3, 4, 8]));
    const sizes = casesOf.attention.map(({ program }) => program.caches[0]!.headSize);
    expect([...new Set(sizes)]).toEqual(expect.arrayContaining([64, 80, 96, 128, 256]));
  });

  it('data are the same each time they are made', () => {
    const item = casesOf.matmul.find(({ format }) => format === 'q4_k')!;
    expect(item.make().weights).toEqual(item.make().weights);
    expect(item.make().steps).toEqual(item.make().steps);
  });

  it('a spec that gives no value to an attribute without default is a mistake', () => {
    expect(() => casesFor(ops.softcap, { sizes: { rows: [1], cols: [4] } })).toThrow('values of cap');
  });

  it('decode cases hold one row for each sequence', () => {
    const item = casesOf.matmul.find(({ name, maxRows }) => name.endsWith('decode') && maxRows > 4)!;
    const [step] = item.make().steps;
    expect(step!.sequences).toHaveLength(step!.rows);
  });
});

describe('lists', () => {
  it('around gives what is below, at and above', () => {
    expect(around(1, 64)).toEqual([1, 2, 63, 64, 65]);
  });

  it('inBlocks counts in blocks of the format', () => {
    const list = inBlocks([1, 3], [7]);
    expect(typeof list === 'function' && [list('q4_k'), list('q8_0'), list('f16')]).toEqual([
      [256, 768],
      [32, 96],
      [7],
    ]);
  });

  it('walk tries every entry, and starts shorter lists over', () => {
    expect(walk<number>({ a: [1, 2, 3], b: [7, 8] })).toEqual([
      { a: 1, b: 7 },
      { a: 2, b: 8 },
      { a: 3, b: 7 },
    ]);
  });
});

describe('judges', () => {
  const judge = judgeFloats(Float32Array.of(1, Number.POSITIVE_INFINITY, Number.NaN), {});

  it('what is within the bound passes, and anything in place of NaN', () => {
    expect(judge(Float32Array.of(1 + 2 ** -23, Number.POSITIVE_INFINITY, 5))).toBeUndefined();
  });

  it('names the element that is farthest off', () => {
    const both = judgeFloats(Float32Array.of(1, 1, 1), {});
    expect(both(Float32Array.of(1.1, 2, 1))).toMatch(/^element 1 is 2, expected 1 within .* \(2 of 3/);
  });

  it('NaN, infinity and missing infinity are faults', () => {
    expect(judge(Float32Array.of(Number.NaN, Number.POSITIVE_INFINITY, 0))).toContain('element 0 is NaN');
    expect(judge(Float32Array.of(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0))).toContain(
      'element 0',
    );
    expect(judge(Float32Array.of(1, 3e38, 0))).toContain('element 1');
  });

  it('another type, another length and nothing at all are faults', () => {
    expect(judge(Int32Array.of(1, 2, 3))).toContain('expected a Float32Array');
    expect(judge(Float32Array.of(1))).toBe('has 1 elements, expected 3');
    expect(judge(undefined as unknown as Float32Array)).toContain('is missing');
  });

  it('exact judges tell zeros apart, and take any NaN for another', () => {
    const exact = judgeExactly(Float32Array.of(0, Number.NaN));
    expect(exact(Float32Array.of(0, Number.NaN))).toBeUndefined();
    expect(exact(Float32Array.of(-0, Number.NaN))).toContain('element 0');
  });
});
