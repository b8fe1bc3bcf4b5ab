import { describe, expect, it, vi } from 'vitest';
import { Pacer } from './pacer.js';

const workFor = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

describe('Pacer', () => {
  it('is due after 10 ms, counted anew from each pause', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1000);
    const pacer = new Pacer();
    clock.mockReturnValue(1010);
    expect(pacer.due()).toBe(false);
    clock.mockReturnValue(1011);
    expect(pacer.due()).toBe(true);
    await pacer.pause();
    clock.mockReturnValue(1021);
    expect(pacer.due()).toBe(false);
    clock.mockRestore();
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
