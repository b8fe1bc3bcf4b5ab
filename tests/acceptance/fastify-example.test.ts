import { loadAddon } from '@pocketllm/backend-cpu';
import { describe, expect, it, vi } from 'vitest';

const { missing } = loadAddon();

describe.skipIf(missing !== undefined)(`the Fastify example (${missing ?? 'built'})`, () => {
  it('streams answers, and at a signal finishes those that run before it closes', async () => {
    vi.stubEnv('PORT', '0');
    const { app } = await import('../../examples/fastify/main.js');
    const [address] = app.addresses();
    const port = typeof address === 'object' ? address.port : 0;
    const ask = (question: unknown) =>
      fetch(`http://127.0.0.1:${port}/ask`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ question }),
      });
    expect(await (await ask('What is the opposite of cold?')).text()).toBe('The opposite of cold is hot.');
    expect((await ask(undefined)).status).toBe(400);

    const running = await ask('Tell me a tale about a fox named Pip who lives by the river.');
    const reader = running.body!.pipeThrough(new TextDecoderStream()).getReader();
    let tale = (await reader.read()).value ?? '';
    process.emit('SIGTERM');
    for (let next = await reader.read(); !next.done; next = await reader.read()) tale += next.value;
    expect(tale).toMatch(/Pip.*\.$/s);
    await app.close();
    await expect(ask('Are you there?')).rejects.toThrow();
  }, 60_000);
});
