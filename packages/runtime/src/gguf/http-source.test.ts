import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { httpSource } from './http-source.js';

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i & 255);

/** What the server does wrong, by path; whole.gguf does nothing wrong. */
const answers: Readonly<Record<string, (range: [number, number], response: ServerResponse) => void>> = {
  '/whole.gguf'([from, to], response) {
    response.writeHead(206, { 'Content-Range': `bytes ${from}-${to}/${bytes.length}`, ETag: '"1"' });
    response.end(bytes.subarray(from, to + 1));
  },
  '/no-ranges.gguf': (_range, response) => void response.writeHead(200).end(bytes),
  '/no-size.gguf': (_range, response) => void response.writeHead(206).end('x'),
  '/other-range.gguf': (_range, response) =>
    void response.writeHead(206, { 'Content-Range': 'bytes 5-5/1000' }).end('x'),
  '/longer.gguf': ([from, to], response) =>
    void response.writeHead(206, { 'Content-Range': `bytes ${from}-${to}/1000` }).end(bytes),
  '/shorter.gguf': ([from, to], response) =>
    void response.writeHead(206, { 'Content-Range': `bytes ${from}-${to}/1000` }).end(),
  '/empty.gguf': (_range, response) => void response.writeHead(416, { 'Content-Range': 'bytes */0' }).end(),
  '/changes.gguf'([from, to], response) {
    const headers = { 'Content-Range': `bytes ${from}-${to}/1000`, ETag: `"${to}"` };
    response.writeHead(206, headers).end(bytes.subarray(from, to + 1));
  },
};

function answer(request: IncomingMessage, response: ServerResponse): void {
  const range = /^bytes=(\d+)-(\d+)$/
    .exec(request.headers.range ?? '')
    ?.slice(1)
    .map(Number);
  const path = new URL(request.url ?? '', 'http://localhost').pathname;
  const send = answers[path];
  if (send && range) send(range as [number, number], response);
  else response.writeHead(404).end();
}

const server = createServer(answer);
let origin = '';
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('ranges of a served file are read, and its query kept out of the name', async () => {
  const source = await httpSource(`${origin}/whole.gguf?token=secret`);
  expect([source.name, source.size]).toEqual([`${origin}/whole.gguf`, 1000]);
  expect(await source.read(10, 3)).toEqual(Uint8Array.of(10, 11, 12));
  expect(await source.read(1000, 0)).toEqual(new Uint8Array(0));
  await expect(source.read(999, 2)).rejects.toMatchObject({ code: 'MODEL_MALFORMED' });
});

it.each([
  ['missing.gguf', /answers 404/],
  ['no-ranges.gguf', /ignores range requests/],
  ['no-size.gguf', /Content-Range/],
  ['other-range.gguf', /sends bytes 5-5/],
  ['longer.gguf', /not 1 bytes long/],
  ['shorter.gguf', /not 1 bytes long/],
  ['empty.gguf', /empty/],
])('%s is refused with the reason', async (path, reason) => {
  await expect(httpSource(`${origin}/${path}`)).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
    details: { path: `${origin}/${path}`, reason: expect.stringMatching(reason) },
  });
});

it('a file that was replaced between two reads is refused', async () => {
  const source = await httpSource(`${origin}/changes.gguf`);
  await expect(source.read(10, 3)).rejects.toMatchObject({ details: { reason: 'the file has changed' } });
});

it('a server that cannot be reached is MODEL_NOT_FOUND, an abort CANCELLED', async () => {
  await expect(httpSource('http://127.0.0.1:1/x.gguf')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  const signal = AbortSignal.abort();
  await expect(httpSource(`${origin}/whole.gguf`, { signal })).rejects.toMatchObject({ code: 'CANCELLED' });
});
