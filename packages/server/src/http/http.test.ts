import { describe, expect, it } from 'vitest';
import { checkHostHeader, keyCheck } from './access.js';
import { eventStream } from './event-stream.js';
import { readJson } from './read-json.js';

const post = (
  body: string | Uint8Array | ReadableStream,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);

describe('a body', () => {
  it('is JSON', async () => {
    const charset = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect(await readJson(post('{"a": [1]}', charset), 100)).toEqual({ a: [1] });
  });

  it.each([
    [415, '{}', { 'content-type': 'text/plain' }],
    [415, '{}', { 'content-type': 'application/json-seq' }],
    [415, '{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    [400, '{', undefined],
    [400, '', undefined],
    [400, Uint8Array.of(0x22, 0xff, 0x22), undefined],
    [413, `"${'a'.repeat(100)}"`, undefined],
    [413, '{}', { 'content-type': 'application/json', 'content-length': '1000' }],
  ])('is refused with %i: %j, %j', async (status, body, headers) => {
    await expect(readJson(post(body, headers), 100)).rejects.toMatchObject({ name: 'ApiError', status });
  });

  it('is not read beyond its limit', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(60));
      },
    });
    await expect(readJson(post(endless), 100)).rejects.toMatchObject({ status: 413 });
    expect(pulled).toBeLessThan(5);
  });
});

describe('access', () => {
  const request = (headers: Record<string, string>) => new Request('http://localhost/', { headers });

  it('needs the whole key', () => {
    const check = keyCheck('secret');
    expect(() => check(request({ authorization: 'Bearer secret' }))).not.toThrow();
    expect(() => check(request({ authorization: 'bearer  secret' }))).not.toThrow();
    for (const given of ['Bearer secre', 'Bearer secret2', 'Basic secret', 'Bearer', 'secret', '']) {
      expect(() => check(request({ authorization: given }))).toThrow(
        expect.objectContaining({ status: 401 }),
      );
    }
  });

  it('without a key is for those who name this machine', () => {
    for (const host of ['localhost', 'localhost:80', '127.0.0.1:8080', '[::1]:80']) {
      expect(() => checkHostHeader(request({ host }))).not.toThrow();
    }
    for (const host of ['example.org', 'localhost.example.org:80', '', '10.0.0.1']) {
      expect(() => checkHostHeader(request({ host }))).toThrow(expect.objectContaining({ status: 403 }));
    }
  });
});

describe('an event stream', () => {
  /** Frames of 10 bytes, without end, and what became of them. */
  function endless() {
    const state = { made: 0, ended: false, gone: 0, broken: 0 };
    async function* frames(): AsyncGenerator<string, void> {
      try {
        for (;;) {
          await new Promise((resolve) => setTimeout(resolve));
          state.made++;
          yield '123456789\n';
        }
      } finally {
        state.ended = true;
      }
    }
    const stream = (slowReaderMs: number) =>
      eventStream(frames(), {
        maxBufferedBytes: 50,
        slowReaderMs,
        onGone: () => state.gone++,
        breakConnection: () => state.broken++,
      });
    return { state, stream };
  }
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  it('is made no faster than it is read, but for the buffer', async () => {
    const { state, stream } = endless();
    const reader = stream(10_000).getReader();
    await wait(100);
    expect(state.made).toBe(5);
    await reader.read();
    await reader.read();
    await wait(50);
    expect(state.made).toBe(7);
    await reader.cancel();
    await wait(20);
    expect(state).toEqual({ made: 7, ended: true, gone: 1, broken: 0 });
  });

  it('gives up a reader who does not come back', async () => {
    const { state, stream } = endless();
    stream(30);
    await wait(200);
    expect(state).toEqual({ made: 5, ended: true, gone: 1, broken: 1 });
  });

  it('ends with its frames', async () => {
    async function* two(): AsyncGenerator<string, void> {
      yield 'a';
      yield 'b';
    }
    const gone = () => {
      throw new Error('nobody left');
    };
    const limits = { maxBufferedBytes: 1, slowReaderMs: 1000, onGone: gone, breakConnection: gone };
    expect(await new Response(eventStream(two(), limits)).text()).toBe('ab');
  });
});
