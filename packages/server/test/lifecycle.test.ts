import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type OpenServer, openScriptedServer } from './open-server.js';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** One step a millisecond: an answer of 1000 tokens takes a second or more. */
const paced = async (usual: () => unknown) => {
  await pause(1);
  return usual();
};
const endless = { prompt: 'Once', temperature: 0 };

let served: OpenServer;
afterEach(() => served?.[Symbol.asyncDispose]());

/** The JSON of an answer, which is looked at field by field. */
const json = (response: Response) =>
  response.json() as Promise<{ usage: { completion_tokens: number }; error: object }>;

const metric = async (name: string) => {
  const text = await (await served.get('/metrics')).text();
  return Number(text.match(new RegExp(`^${name}\\{.*\\} (\\S+)$`, 'm'))?.[1]);
};
const isFree = () =>
  expect
    .poll(() => ({ ...served.model.activity, ...served.model.cacheUse }), { timeout: 10_000 })
    .toMatchObject({ freePages: 32, running: 0, waiting: 0 });

describe('a client that goes away', () => {
  it('ends its answer, streamed or not, running or waiting, and the pages come back', async () => {
    served = await openScriptedServer('', { run: paced, maxSequences: 3 });
    const aborts = Array.from({ length: 8 }, () => new AbortController());
    const asked = aborts.map(({ signal }, index) =>
      served
        .post('/v1/completions', { ...endless, stream: index % 2 === 0, max_tokens: 500 }, { signal })
        .then((response) => response.text()),
    );
    const gone = Promise.allSettled(asked);
    await expect.poll(() => served.model.activity.waiting, { timeout: 10_000 }).toBeGreaterThan(3);
    for (const abort of aborts) abort.abort();
    await gone;
    await isFree();
    expect(await metric('pocketllm:num_requests_running')).toBe(0);
    expect(await metric('pocketllm:num_requests_waiting')).toBe(0);
    expect(await metric('pocketllm:request_success_total')).toBe(8);
  });

  it('ends its answer within a step, while others go on', async () => {
    let steps = 0;
    const run = async (usual: () => unknown) => {
      steps++;
      return paced(usual);
    };
    served = await openScriptedServer('', { run });
    const abort = new AbortController();
    const response = await served.post(
      '/v1/completions',
      { ...endless, stream: true },
      { signal: abort.signal },
    );
    const other = served.post('/v1/completions', { ...endless, max_tokens: 3 });
    const reader = response.body!.getReader();
    await reader.read();
    abort.abort();
    const body = await json(await other);
    expect(body.usage.completion_tokens).toBe(3);
    await isFree();
    const before = steps;
    await pause(50);
    expect(steps).toBe(before);
  });
});

describe('more requests than fit', () => {
  it('are refused with 429 and a time, and no others', async () => {
    served = await openScriptedServer('', { run: paced, maxSequences: 2, maxQueue: 3 });
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const response = await served.post('/v1/completions', { ...endless, max_tokens: 100 });
        const body = await json(response);
        if (response.status === 429) {
          expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
          expect(body.error).toMatchObject({ type: 'rate_limit_error', code: 'queue_full' });
        } else expect(body.usage.completion_tokens).toBe(100);
        return response.status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    await isFree();
    expect((await served.post('/v1/completions', { ...endless, max_tokens: 1 })).status).toBe(200);
  });
});

describe('a slow reader', () => {
  it('is given up after a while, and costs nothing from then on', async () => {
    served = await openScriptedServer('', { maxBufferedBytes: 1000, slowReaderMs: 300, maxModelLen: 1024 });
    // Enough to fill what the system keeps for a connection.
    const body = JSON.stringify({ ...endless, n: 16, stream: true, logprobs: 20 });
    const socket = connect({ port: Number(new URL(served.url).port), host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.pause();
    socket.write(
      `POST /v1/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await expect.poll(() => served.model.activity.running, { timeout: 10_000 }).toBe(16);
    await expect.poll(() => served.model.cacheUse.freePages, { timeout: 50_000 }).toBe(32);
    expect(await metric('pocketllm:num_requests_running')).toBe(0);
    expect(await (await served.get('/metrics')).text()).toMatch(/^pocketllm:.*"abort".*\} [1-9]/m);
    socket.destroy();
  }, 60_000);
});

describe('a fault of the engine', () => {
  it('is a 500, or the last event of a stream, and its details stay in the log', async () => {
    const logged: string[] = [];
    let steps = 0;
    const run = (usual: () => unknown) => (steps++ % 3 === 2 ? { outputs: {} } : usual());
    served = await openScriptedServer('', {
      run,
      logger: (level, message) => {
        if (level === 'warn') logged.push(message);
      },
    });
    const whole = await served.post('/v1/completions', endless);
    expect(whole.status).toBe(500);
    expect(await json(whole)).toMatchObject({ error: { code: 'internal_error' } });
    const streamed = await served.post('/v1/completions', { ...endless, stream: true });
    expect(streamed.status).toBe(200);
    expect(await streamed.text()).toMatch(
      /\n\ndata: \{"error":\{"message":"The server failed.*"internal_error"\}\}\n\n$/,
    );
    expect(logged.filter((message) => message.includes('LOGITS_INVALID'))).toHaveLength(2);
    await isFree();
  });
});

describe('the end of the server', () => {
  it('lets answers finish, takes no others, and says so', async () => {
    served = await openScriptedServer('', { run: paced });
    const answers = [true, false].map((stream) =>
      served
        .post('/v1/completions', { ...endless, stream, max_tokens: 200 })
        .then((response) => response.text()),
    );
    await expect.poll(() => served.model.activity.running, { timeout: 10_000 }).toBe(2);
    const late = await served.server.fetch(
      new Request('http://localhost/ready', { headers: { host: 'localhost' } }),
    );
    expect(late.status).toBe(200);
    const closing = served.server.close();
    const asked = (path: string, init: RequestInit = {}) =>
      served.server.fetch(
        new Request(`http://localhost${path}`, { ...init, headers: { host: 'localhost' } }),
      );
    expect((await asked('/ready')).status).toBe(503);
    expect((await asked('/health')).status).toBe(200);
    const refused = await asked('/v1/completions', { method: 'POST' });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: { code: 'shutting_down' } });
    const [streamed, whole] = await Promise.all(answers);
    expect(streamed).toMatch(/data: \[DONE\]\n\n$/);
    expect(JSON.parse(whole!).usage.completion_tokens).toBe(200);
    await closing;
    await expect(served.get('/health')).rejects.toThrow();
  });

  it('ends answers that take longer than it waits, and tells their readers', async () => {
    served = await openScriptedServer('', { run: paced });
    const streamed = served.post('/v1/completions', { ...endless, stream: true, max_tokens: 400 });
    const whole = served.post('/v1/completions', { ...endless, max_tokens: 400 });
    await expect.poll(() => served.model.activity.running, { timeout: 10_000 }).toBe(2);
    await served.server.close({ graceMs: 20 });
    expect((await whole).status).toBe(503);
    const text = await (await streamed).text();
    expect(text).not.toContain('[DONE]');
    expect(text).toMatch(/data: \{"error":\{"message":"The server ended the answer\.".*\n\n$/);
    await isFree();
  });
});
