import { describe, expect, it } from 'vitest';
import { Pacer } from './pacer.js';

const workFor = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

describe('Pacer', () => {
  it('is due after a while, and not right after a pause', async () => {
    const pacer = new Pacer();
    workFor(15);
    expect(pacer.due()).toBe(true);
    await pacer.pause();
    expect(pacer.due()).toBe(false);
  });

  it('lets timers fire in its pauses', async () => {
    const pacer = new Pacer();
    let fired = false;
    setTimeout(() => {
      fired = true;
    }, 1);
    for (let i = 0; i < 20 && !fired; i++) {
      workFor(2);
      await pacer.pause();
    }
    expect(fired).toBe(true);
  });
});
