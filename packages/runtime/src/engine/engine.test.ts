import type { Step } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { alone, Reader, rememberingEngine } from '../../../../tests/support/remembering-engine.js';
import { Random } from '../sampling/index.js';

const bounds = { maxRows: 64, maxOutputs: 8, maxSequences: 4, drafts: 'measured' } as const;
const promptOf = (length: number, seed = 1) => Array.from({ length }, (_, i) => (i * 7 + seed * 13) % 97);

describe('the engine', () => {
  it('answers as each text alone, however many there are', async () => {
    const engine = rememberingEngine(64, bounds);
    const prompts = Array.from({ length: 12 }, (_, seed) => promptOf(3 + 17 * seed, seed));
    const readers = prompts.map((prompt) => new Reader(engine, prompt, 40));
    await Promise.all(readers.map(({ over }) => over));
    for (const [place, { chosen }] of readers.entries()) expect(chosen).toEqual(alone(prompts[place]!, 40));
    expect(engine.table.available).toBe(64);
  });

  it('brings all to their end where the cache holds the longest alone', async () => {
    const engine = rememberingEngine(4, bounds);
    const readers = Array.from({ length: 6 }, (_, seed) => new Reader(engine, promptOf(30, seed), 90));
    await Promise.all(readers.map(({ over }) => over));
    for (const [seed, { chosen }] of readers.entries()) expect(chosen).toEqual(alone(promptOf(30, seed), 90));
    expect(engine.counts.preemptions).toBeGreaterThan(0);
    expect(engine.table.available).toBe(4);
  });

  it('feeds a row again for an owner who needs its logits', async () => {
    const engine = rememberingEngine(8, bounds);
    const readers = [0, 1, 2, 33].map((asksAt) => {
      const reader = new Reader(engine, promptOf(32, asksAt), 50);
      reader.asksAt = asksAt;
      return reader;
    });
    await Promise.all(readers.map(({ over }) => over));
    for (const { chosen, asksAt } of readers) expect(chosen).toEqual(alone(promptOf(32, asksAt), 50));
  });

  it('reads a prefix once: of those who come together, and of those who come later', async () => {
    let rows = 0;
    const engine = rememberingEngine(64, bounds, (step) => {
      rows += step.rows;
    });
    const together = Array.from({ length: 3 }, () => new Reader(engine, promptOf(200), 1));
    await Promise.all(together.map(({ over }) => over));
    // The last row of a prompt is always computed, with those before it in its page.
    expect(rows).toBe(200 + 2 * 8);
    const later = new Reader(engine, [...promptOf(200), ...promptOf(20, 5)], 5);
    await later.over;
    expect(later.reused).toBe(192);
    expect(later.chosen).toEqual(alone([...promptOf(200), ...promptOf(20, 5)], 5));
  });

  it('does not take pages that were decoded for a prompt', async () => {
    const engine = rememberingEngine(64, bounds);
    const first = new Reader(engine, promptOf(40), 100);
    await first.over;
    const second = [...promptOf(40), ...first.chosen];
    const reader = new Reader(engine, second, 10);
    await reader.over;
    expect(reader.reused).toBe(32);
    expect(reader.chosen).toEqual(alone(second, 10));
  });

  it.each([40, 70, 128])(
    'goes on with another text where its owner says so, at %d tokens',
    async (slidesAt) => {
      const engine = rememberingEngine(16, bounds);
      for (const seed of [1, 2, 1]) {
        const reader = new Reader(engine, promptOf(33, seed), 200);
        Object.assign(reader, { slidesAt, slidesTo: 34 });
        await reader.over;
        expect(reader.chosen).toEqual(alone(promptOf(33, seed), 200, slidesAt, 34));
      }
      expect(engine.table.available).toBe(16);
    },
  );

  it('lets a text rest whose owner does not read, gives its pages to others, and goes on later', async () => {
    const engine = rememberingEngine(4, bounds);
    const slow = new Reader(engine, promptOf(60), 20);
    slow.isReading = false;
    const fast = new Reader(engine, promptOf(90, 2), 30);
    await fast.over;
    expect(fast.chosen).toEqual(alone(promptOf(90, 2), 30));
    slow.isReading = true;
    engine.resume(slow.sequence);
    await slow.over;
    expect(slow.chosen).toEqual(alone(promptOf(60), 20));
  });

  it('ends a text within its chunk, and the step with it where nobody else needs it', async () => {
    const steps: Step[] = [];
    const engine = rememberingEngine(64, bounds, (step) => {
      steps.push(step);
      if (steps.length === 2) void engine.stop(reader.sequence);
    });
    const reader = new Reader(engine, promptOf(1000), 5);
    await reader.over;
    expect(reader.chosen).toEqual([]);
    expect(reader.error).toBeUndefined();
    expect(steps).toHaveLength(2);
    expect(engine.table.available).toBe(64);
  });

  it('keeps prompts from holding up those who decode', async () => {
    const ms: number[] = [];
    const engine = rememberingEngine(128, bounds, (step) => {
      ms.push(1 + step.rows / 8);
      if (talker.chosen.length === 20) long ??= new Reader(engine, promptOf(700, 3), 1);
    });
    const talker = new Reader(engine, promptOf(8), 200);
    let long: Reader | undefined;
    await talker.over;
    await long!.over;
    expect(long!.chosen).toEqual(alone(promptOf(700, 3), 1));
    // A step that decodes one row takes 1.125 here.
    const during = ms.slice(20, 100);
    expect(Math.max(...during)).toBeLessThanOrEqual(2 * 1.125 + 1e-9);
  });

  it('keeps them from it where weights are read once more for a prompt, and rows cost more the longer it gets', async () => {
    const msOf = ({ sequences }: Step) =>
      sequences.reduce(
        (ms, { phase, rows, start }) => (phase === 'decode' ? ms : ms + 10 + rows * (0.4 + start / 1250)),
        20,
      );
    const ms: number[] = [];
    const note = (step: Step) => {
      if (long?.chosen.length === 0) ms.push(msOf(step));
      if (talkers[0]!.chosen.length === 20) long ??= new Reader(engine, promptOf(2048, 4), 1);
    };
    const engine = rememberingEngine(256, { ...bounds, maxRows: 512, drafts: 'never' }, note, msOf);
    const talkers = [1, 2, 3].map((seed) => new Reader(engine, promptOf(8, seed), 500));
    let long: Reader | undefined;
    await Promise.all(talkers.map(({ over }) => over));
    expect(long!.chosen).toHaveLength(1);
    expect(Math.max(...ms)).toBeLessThan(2.2 * 20);
    expect(ms.length).toBeLessThan(360);
  });

  it('does not let a short prompt wait for a long one', async () => {
    const engine = rememberingEngine(128, bounds);
    const long = new Reader(engine, promptOf(700), 1);
    const short = new Reader(engine, promptOf(20, 4), 1);
    await short.over;
    expect(long.chosen).toEqual([]);
    await long.over;
  });

  it('takes no more than may be under way, until one of them is over', async () => {
    const engine = rememberingEngine(8, bounds, undefined, undefined, 3);
    const readers = Array.from({ length: 3 }, () => new Reader(engine, promptOf(4), 5));
    const full = expect.objectContaining({ code: 'QUEUE_FULL', details: { underWay: 3 } });
    expect(() => new Reader(engine, promptOf(4), 5)).toThrow(full);
    await engine.stop(readers[0]!.sequence);
    const late = new Reader(engine, promptOf(4), 5);
    await Promise.all([...readers, late].map(({ over }) => over));
    expect(late.chosen).toEqual(alone(promptOf(4), 5));
  });

  it('ends all with CLOSED, and takes no more', async () => {
    const engine = rememberingEngine(8, bounds);
    const readers = Array.from({ length: 6 }, () => new Reader(engine, promptOf(40), 50));
    await undefined;
    engine.close();
    await Promise.all(readers.map(({ over }) => over));
    for (const { error } of readers) expect(error).toMatchObject({ code: 'CLOSED' });
    expect(() => new Reader(engine, [1], 1)).toThrow(expect.objectContaining({ code: 'CLOSED' }));
  });

  it('fails those who are in a step that fails, and serves the others', async () => {
    let steps = 0;
    const engine = rememberingEngine(64, { ...bounds, maxSequences: 1 }, () => {
      if (++steps === 3) throw new Error('lost');
    });
    const readers = [1, 2].map((seed) => new Reader(engine, promptOf(10, seed), 10));
    await Promise.all(readers.map(({ over }) => over));
    expect(readers[0]!.error).toMatchObject({ message: 'lost' });
    expect(readers[1]!.chosen).toEqual(alone(promptOf(10, 2), 10));
    expect(engine.table.available).toBe(64);
  });
});

describe('with arrivals, cancels and slow readers at random', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'all is as alone, and every page comes back: %d',
    async (seed) => {
      const random = new Random(seed);
      const below = (n: number) => Math.floor(random.next() * n);
      const pages = 5 + below(12);
      const longest = pages * 32;
      const engine = rememberingEngine(
        pages,
        {
          maxRows: 8 + below(60),
          maxOutputs: 8,
          maxSequences: 1 + below(8),
          drafts: below(2) ? 'always' : 'measured',
        },
        () => new Promise((resolve) => setImmediate(resolve)),
      );
      const stopped = new Set<Reader>();
      const readers: Reader[] = [];
      const prompts: number[][] = [];
      for (let turn = 0; turn < 60; turn++) {
        if (readers.length < 24 && below(2) === 0) {
          // Many begin alike.
          const prompt = [...promptOf(below(3) * 40, 1), ...promptOf(1 + below(60), below(4))];
          const count = 1 + below(Math.min(80, longest - prompt.length - 1));
          prompts.push(prompt);
          const reader = new Reader(engine, prompt, count);
          if (below(8) === 0) reader.asksAt = below(count);
          if (below(4) === 0) {
            reader.slidesAt = prompt.length + 5 + below(60);
            reader.slidesTo = 1 + below(prompt.length);
          }
          readers.push(reader);
        }
        const some = readers[below(readers.length || 1)];
        if (some && below(6) === 0) {
          stopped.add(some);
          void engine.stop(some.sequence);
        } else if (some) {
          some.isReading = below(3) > 0;
          if (some.isReading) engine.resume(some.sequence);
        }
        for (let i = below(4); i > 0; i--) await new Promise((resolve) => setImmediate(resolve));
      }
      for (const reader of readers) {
        reader.isReading = true;
        engine.resume(reader.sequence);
      }
      await Promise.all(readers.map(({ over }) => over));
      for (const [place, reader] of readers.entries()) {
        expect(reader.error).toBeUndefined();
        const expected = alone(prompts[place]!, reader.count, reader.slidesAt, reader.slidesTo);
        if (stopped.has(reader)) expect(expected.slice(0, reader.chosen.length)).toEqual(reader.chosen);
        else expect(reader.chosen).toEqual(expected);
      }
      expect(engine.table.available).toBe(pages);
      expect(engine.counts).toMatchObject({ running: 0, waiting: 0 });
    },
  );
});
