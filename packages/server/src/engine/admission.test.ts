import { describe, expect, it } from 'vitest';
import { Admission } from './admission.js';

describe('Admission', () => {
  it('takes as many as run and wait, refuses more with a time to come again, and takes others when one has left', () => {
    const admission = new Admission(1, 2);
    const leave = [admission.enter(), admission.enter(), admission.enter()];
    const refusal = expect.objectContaining({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
    });
    expect(() => admission.enter()).toThrow(refusal);
    leave[1]!();
    leave[1]!();
    admission.enter();
    expect(() => admission.enter()).toThrow(refusal);
  });

  it('may let nobody wait', () => {
    const admission = new Admission(1, 0);
    const leave = admission.enter();
    expect(() => admission.enter()).toThrow();
    leave();
    admission.enter();
  });
});
