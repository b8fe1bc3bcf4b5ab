import { describe, expect, it } from 'vitest';
import { offeredIsas } from './isa.js';

const support = { builtIsas: ['avx2', 'scalar'], usableIsas: ['scalar'], reasonsAgainst: {} };

describe('offeredIsas', () => {
  it('gives what the machine runs where nothing is forced', () => {
    expect(offeredIsas(support, undefined)).toEqual(['scalar']);
    expect(offeredIsas(support, '')).toEqual(['scalar']);
  });

  it('gives the one that is forced', () => {
    expect(offeredIsas({ ...support, usableIsas: ['avx2', 'scalar'] }, 'scalar')).toEqual(['scalar']);
  });

  it('refuses a name that it does not know, with those that it knows', () => {
    expect(() => offeredIsas(support, 'avx3')).toThrow(
      expect.objectContaining({
        code: 'BACKEND_UNAVAILABLE',
        details: { backend: 'cpu', reason: 'POCKETLLM_CPU_ISA is avx3; known are avx2, scalar' },
      }),
    );
  });

  it('refuses what the processor lacks, in a sentence', () => {
    expect(() => offeredIsas(support, 'avx2')).toThrow(/avx2, which this processor lacks; it runs scalar/);
  });

  it('says why, where it is known', () => {
    const reasonsAgainst = { avx2: 'the system gives no permission' };
    expect(() => offeredIsas({ ...support, reasonsAgainst }, 'avx2')).toThrow(
      /avx2, which cannot run here: the system gives no permission; it runs scalar/,
    );
  });
});
