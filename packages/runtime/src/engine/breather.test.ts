import { describe, expect, it } from 'vitest';
import { Breather } from './breather.js';

const busy = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
};
const elsewhere = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a breather', () => {
  it('gives others a turn where steps are computed on this thread', async () => {
    const breather = new Breather();
    let turns = 0;
    let isOver = false;
    const other = () => {
      turns++;
      if (!isOver) setImmediate(other);
    };
    setImmediate(other);
    for (let step = 0; step < 8; step++) {
      breather.stepBegins();
      busy(12);
      await breather.breathe();
    }
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(7);
  });

  it('holds up no step where others had their turn meanwhile', async () => {
    const breather = new Breather();
    for (let step = 0; step < 4; step++) {
      breather.stepBegins();
      await elsewhere(15);
      let hasBreathed = false;
      void breather.breathe().then(() => {
        hasBreathed = true;
      });
      // Tasks of their own would come later than these.
      for (let i = 0; i < 4; i++) await undefined;
      expect(hasBreathed).toBe(true);
    }
  });

  it('lets short steps run one after another', async () => {
    const breather = new Breather();
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    for (let step = 0; step < 1000; step++) {
      breather.stepBegins();
      await breather.breathe();
    }
    clearInterval(timer);
    expect(turns).toBeLessThan(10);
  });
});
