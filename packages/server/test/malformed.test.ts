import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Document, describedRequests, mutatedRequests, type OddRequest, sound } from './odd-requests.js';
import { type OpenServer, openScriptedServer } from './open-server.js';

let served: OpenServer;
beforeAll(async () => {
  served = await openScriptedServer('Hello.', { maxModelLen: 512, maxBodyBytes: 20_000 });
});
afterAll(() => served?.[Symbol.asyncDispose]());

const isFree = () => expect.poll(() => served.model.cacheUse.freePages, { timeout: 10_000 }).toBe(16);

/** Sends requests, eight at a time; counts them by status. */
async function send(requests: fc.Arbitrary<OddRequest>, count: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const property = fc.asyncProperty(fc.array(requests, { minLength: 8, maxLength: 8 }), async (batch) => {
    await Promise.all(
      batch.map(async ({ path, body }) => {
        const response = await served.post(path, body);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        const text = await response.text();
        if (response.status === 200) {
          expect(text, body).not.toMatch(/"code":"(?:internal_error|cancelled)"/);
          return;
        }
        expect([400, 404, 413], `${path} ${body} ${text}`).toContain(response.status);
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
  await fc.assert(property, { numRuns: count / 8, seed: 21, endOnFailure: true });
  return statuses;
}

describe('10,000 requests with something wrong are answered or refused with 4xx, and leave nothing behind', () => {
  afterEach(async () => {
    await isFree();
    expect((await served.post('/v1/chat/completions', sound['/v1/chat/completions'])).status).toBe(200);
  });

  it('half of them sound ones with a change', async () => {
    const statuses = await send(mutatedRequests, 5000);
    expect(statuses.get(400)).toBeGreaterThan(1500);
    expect(statuses.get(200)).toBeGreaterThan(300);
  }, 240_000);

  it('half of them made from the schemas of the document', async () => {
    const document = (await (await served.get('/openapi.json')).json()) as Document;
    const statuses = await send(describedRequests(document), 5000);
    expect(statuses.get(400)).toBeGreaterThan(1500);
    expect(statuses.get(200)).toBeGreaterThan(50);
  }, 240_000);
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
