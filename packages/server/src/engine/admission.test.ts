import { describe, expect, it } from 'vitest';
import { Admission } from './admission.js';

const signal = new AbortController().signal;

describe('Admission', () => {
  it('lets some run, others wait in order, and refuses the rest with a time to come again', async () => {
    const admission = new Admission(1, 2);
    const first = admission.enter(signal);
    await first.ready;
    const order: string[] = [];
    const second = admission.enter(signal);
    void second.ready.then(() => order.push('second'));
    const third = admission.enter(signal);
    void third.ready.then(() => order.push('third'));
    expect([admission.running, admission.waiting]).toEqual([1, 2]);
    expect(() => admission.enter(signal)).toThrow(
      expect.objectContaining({
        status: 429,
        headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
      }),
    );
    first.release();
    first.release();
    await second.ready;
    expect([admission.running, admission.waiting]).toEqual([1, 1]);
    second.release();
    await third.ready;
    third.release();
    expect(order).toEqual(['second', 'third']);
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });

  it('gives the place of one who gave up to the next', async () => {
    const admission = new Admission(1, 2);
    const first = admission.enter(signal);
    const abort = new AbortController();
    const second = admission.enter(abort.signal);
    const third = admission.enter(signal);
    abort.abort();
    await expect(second.ready).rejects.toMatchObject({ code: 'CANCELLED' });
    second.release();
    expect(admission.waiting).toBe(1);
    first.release();
    await third.ready;
    expect(admission.running).toBe(1);
  });

  it('takes one who was refused later by the engine out of the queue', () => {
    const admission = new Admission(1, 1);
    admission.enter(signal);
    admission.enter(signal).release();
    expect(admission.waiting).toBe(0);
  });

  it('ends at once for a signal that has fired before', async () => {
    const admission = new Admission(1, 1);
    admission.enter(signal);
    await expect(admission.enter(AbortSignal.abort()).ready).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(admission.waiting).toBe(0);
  });
});
