import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedBackend } from '../../../../tests/support/scripted-backend.js';
import { openModel } from '../node/index.js';
import type { TokenConstraint } from '../sampling/index.js';
import type { Model } from './model.js';

const tale = fileURLToPath(new URL('../../../../models/tale-q8_0.gguf', import.meta.url));
let model: Model;

beforeAll(async () => {
  model = await openModel(tale, { backend: scriptedBackend([7]), maxModelLen: 64 });
});
afterAll(() => model?.close());

/** Lets tokens come in this order alone, and notes what happens to it. */
function inOrder(order: readonly number[]) {
  const noted = { made: 0, accepted: [] as number[], disposed: 0 };
  const constraint = async (): Promise<TokenConstraint> => {
    noted.made++;
    return {
      mask: (logits) => {
        for (let id = 0; id < logits.length; id++) {
          if (id !== order[noted.accepted.length]) logits[id] = Number.NEGATIVE_INFINITY;
        }
      },
      accept: (token) => void noted.accepted.push(token),
      dispose: () => void noted.disposed++,
    };
  };
  return { constraint, noted };
}

describe('a constraint', () => {
  it.each([0, 1])('decides which tokens come at temperature %d, and is told of each', async (temperature) => {
    const { constraint, noted } = inOrder([5, 9, 11]);
    const generation = model.complete([1], { temperature, constraint, maxTokens: 3, logitBias: { 9: -100 } });
    expect(noted.made).toBe(0);
    const { tokens } = await generation.result();
    expect(tokens).toEqual([5, 9, 11]);
    expect(noted).toEqual({ made: 1, accepted: [5, 9, 11], disposed: 1 });
  });

  it('is disposed of where the reader leaves', async () => {
    const { constraint, noted } = inOrder([300, 301, 302, 303, 304]);
    for await (const _ of model.complete([1], { constraint, temperature: 0 })) break;
    expect(noted.disposed).toBe(1);
  });

  it('is disposed of where it leaves no token that bias leaves', async () => {
    const { constraint, noted } = inOrder([5]);
    const options = { constraint, temperature: 0, logitBias: { 5: Number.NEGATIVE_INFINITY } };
    await expect(model.complete([1], options).result()).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      details: { expected: 'a token that bias, constraint and penalties leave possible' },
    });
    expect(noted.disposed).toBe(1);
  });

  it('that cannot be made fails the answer, and its room in the cache is free', async () => {
    const constraint = async () => {
      throw new Error('no such grammar');
    };
    await expect(model.complete([1], { constraint }).result()).rejects.toThrow('no such grammar');
    expect(model.cacheUse.freePages).toBe(model.cacheUse.pages);
  });
});
