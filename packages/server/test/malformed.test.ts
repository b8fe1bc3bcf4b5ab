import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenServer, openScriptedServer } from './open-server.js';

let served: OpenServer;
beforeAll(async () => {
  served = await openScriptedServer('Hello.', { maxModelLen: 512, maxBodyBytes: 20_000 });
});
afterAll(() => served?.[Symbol.asyncDispose]());

const sound: Readonly<Record<string, object>> = {
  '/v1/chat/completions': {
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: '5' },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
    tool_choice: 'auto',
    temperature: 1,
    top_p: 1,
    max_tokens: 1,
    n: 1,
    stop: ['x'],
    seed: 1,
    logprobs: true,
    top_logprobs: 1,
    logit_bias: { 5: 1 },
    stream: false,
    response_format: { type: 'text' },
    reasoning_effort: 'none',
  },
  '/v1/completions': {
    prompt: 'Hi',
    max_tokens: 1,
    n: 1,
    logprobs: 1,
    stream: true,
    stream_options: { include_usage: true },
  },
  '/tokenize': { prompt: 'Hi', add_special_tokens: true },
  '/detokenize': { tokens: [1, 2] },
};

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, '', 'x', [], {}, [[]], [null], {
    a: 1,
  }),
  fc.constantFrom<unknown>(
    '\ud800',
    '\u0000',
    'a'.repeat(5000),
    [1, 'a'],
    { type: 'text' },
    { role: 'user' },
    '<|im_end|>',
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Every place in a value, as a path. */
function paths(value: unknown, above: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [above];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [above, ...entries.flatMap(([key, inner]) => paths(inner, [...above, key]))];
}

function changed(
  value: unknown,
  path: readonly (string | number)[],
  change: 'replace' | 'remove' | 'add',
  by: unknown,
): unknown {
  const [key, ...rest] = path;
  if (key === undefined) {
    if (change === 'add' && typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ...value, added: by };
    return by;
  }
  const copy = structuredClone(value) as Record<string | number, unknown>;
  if (rest.length === 0 && change === 'remove') {
    if (Array.isArray(copy)) copy.splice(key as number, 1);
    else delete copy[key];
  } else copy[key] = changed(copy[key], rest, change, by);
  return copy;
}

const request = fc.constantFrom(...Object.keys(sound)).chain((path) =>
  fc.record({
    path: fc.constant(path),
    at: fc.constantFrom(...paths(sound[path])),
    change: fc.constantFrom('replace' as const, 'remove' as const, 'add' as const),
    by: odd,
    // A cut somewhere makes it no JSON at all.
    cut: fc.option(fc.nat(400), { freq: 8 }),
  }),
);

const isFree = () => expect.poll(() => served.model.cacheUse.freePages, { timeout: 10_000 }).toBe(16);

describe('2,000 requests with something wrong', () => {
  it('are answered or refused with 4xx in the shape of the API, and leave nothing behind', async () => {
    const statuses = new Map<number, number>();
    const property = fc.asyncProperty(fc.array(request, { minLength: 8, maxLength: 8 }), async (batch) => {
      await Promise.all(
        batch.map(async ({ path, at, change, by, cut }) => {
          const whole = JSON.stringify(changed(sound[path], at, change, by)) ?? '';
          const response = await served.post(path, cut === null ? whole : whole.slice(0, cut));
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
          const text = await response.text();
          if (response.status === 200) {
            expect(text, whole).not.toMatch(/"code":"(?:internal_error|cancelled)"/);
            return;
          }
          expect([400, 404, 413], `${path} ${whole} ${text}`).toContain(response.status);
          expect(JSON.parse(text).error).toEqual({
            message: expect.stringMatching(/.+/),
            type: expect.stringMatching(/_error$/),
            param:
              response.status === 400
                ? expect.toSatisfy((param) => param === null || typeof param === 'string')
                : expect.anything(),
            code: expect.stringMatching(/^[a-z_]+$/),
          });
        }),
      );
    });
    await fc.assert(property, { numRuns: 250, seed: 21, endOnFailure: true });
    expect(statuses.get(400)).toBeGreaterThan(500);
    expect(statuses.get(200)).toBeGreaterThan(100);
    await isFree();
    expect((await served.post('/v1/chat/completions', sound['/v1/chat/completions'])).status).toBe(200);
  }, 120_000);
});

describe('what is hardly HTTP', () => {
  const exchange = (text: string) =>
    new Promise<string>((resolve) => {
      const socket = connect({ port: Number(new URL(served.url).port), host: '127.0.0.1' });
      let answer = '';
      socket.on('data', (data) => {
        answer += data;
      });
      socket.on('error', () => resolve(answer));
      socket.on('close', () => resolve(answer));
      socket.end(text);
    });

  it.each([
    ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400 .*"code":"invalid_http"/s],
    [
      'a header that is too large',
      `GET / HTTP/1.1\r\nhost: localhost\r\na: ${'b'.repeat(20_000)}\r\n\r\n`,
      /^HTTP\/1\.1 431 /,
    ],
    ['no host', 'GET /health HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['a host that is none', 'GET /health HTTP/1.1\r\nhost: [::\r\n\r\n', /^HTTP\/1\.1 400 /],
    [
      'a path that leads up',
      'GET /../../etc/passwd HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      /^HTTP\/1\.1 404 /,
    ],
    [
      'a body cut short',
      'POST /v1/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"prompt"',
      /^(?:HTTP\/1\.1 400 .*|)$/s,
    ],
  ])('is refused: %s', async (_, text, expected) => {
    expect(await exchange(text)).toMatch(expected);
    expect((await served.get('/health')).status).toBe(200);
  });

  it('is refused beyond the limit of a body, whether its length is told or not', async () => {
    const large = JSON.stringify({ prompt: 'a'.repeat(30_000) });
    expect((await served.post('/v1/completions', large)).status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 100; i++) controller.enqueue(new TextEncoder().encode(large));
        controller.close();
      },
    });
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', body: stream, headers, duplex: 'half' } as RequestInit;
    // The server may break the connection before all of it is sent.
    const status = await fetch(`${served.url}/v1/completions`, init).then(
      (response) => response.status,
      () => 413,
    );
    expect(status).toBe(413);
    expect(
      (await served.post('/v1/completions', 'a=b', { headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(415);
  });
});
