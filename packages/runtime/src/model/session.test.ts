import { fileURLToPath } from 'node:url';
import reference from '@pocketllm/reference';
import { describe, expect, it } from 'vitest';
import { openModel } from '../node/index.js';
import type { LoadOptions } from './options.js';

const tale = fileURLToPath(new URL('../../../../models/tale-q8_0.gguf', import.meta.url));
const open = (options: LoadOptions = {}) =>
  openModel(tale, { backend: reference, maxModelLen: 256, ...options });
const greedy = { temperature: 0, maxTokens: 6, ignoreEos: true } as const;
const text = 'Once there was a fox named Pip who lived by a river. Every day Pip went to the river. '.repeat(
  4,
);

describe('a session', () => {
  it('comes back in another process with what was computed, and goes on as it would have', async () => {
    const first = await open();
    const { promptTokens, tokens } = await first.complete(text, greedy).result();
    const session = await first.saveSession([...promptTokens, ...tokens]);
    const next = [...promptTokens, ...tokens, 9, 10, 11];
    await first.close();

    await using second = await open();
    const restored = await second.restoreSession(session);
    const pages = Math.floor(promptTokens.length / 32);
    expect(restored).toEqual({ tokens: [...promptTokens, ...tokens], cachedTokens: 32 * pages });
    expect(second.cacheUse).toMatchObject({ freePages: 8, keptPages: pages });
    const went = await second.complete(next, greedy).result();
    expect(went.timings.cachedTokens).toBe(32 * pages);
    await using third = await open();
    expect((await third.complete(next, greedy).result()).tokens).toEqual(went.tokens);
    // Again is no more.
    expect((await second.restoreSession(session)).cachedTokens).toBe(32 * pages);
    expect(second.cacheUse.freePages).toBe(8);
  }, 60_000);

  it('brings its tokens alone to a cache of another format', async () => {
    await using first = await open();
    const { promptTokens } = await first.complete(text, { ...greedy, maxTokens: 1 }).result();
    const session = await first.saveSession(promptTokens);
    await using second = await open({ cacheFormat: 'f32' });
    expect(await second.restoreSession(session)).toEqual({ tokens: promptTokens, cachedTokens: 0 });
  });

  it('is refused where it is damaged, of another model, or none', async () => {
    await using model = await open();
    await model.complete(text, { ...greedy, maxTokens: 1 }).result();
    const session = await model.saveSession(model.tokenizer.encode(text, { addBos: true }));
    const damaged = session.slice();
    damaged[damaged.length - 100]! ^= 1;
    const other = new TextEncoder().encode(
      new TextDecoder('latin1').decode(session.subarray(0, 400)).replace(/"model":\d+/, '"model":1'),
    );
    for (const bytes of [
      damaged,
      other,
      session.subarray(0, 10),
      session.subarray(0, 500),
      new Uint8Array(0),
    ]) {
      await expect(model.restoreSession(bytes)).rejects.toMatchObject({
        code: 'REQUEST_INVALID',
        details: { field: 'session' },
      });
    }
    const huge = new TextEncoder().encode(
      'pocketllm-session\n{"session":1,"model":1,"tokens":9007199254740991,"pages":9007199254740991}\n',
    );
    await expect(model.restoreSession(huge)).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    await expect(model.saveSession([4096])).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
  });
});
