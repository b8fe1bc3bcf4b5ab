// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(import.meta.url);

/** A client in a process of its own, which reads streamed answers of one URL. @param {string} url */
export async function overHttp(url) {
  const child = fork(file, [url]);
  await once(child, 'message');
  return {
    /** From the first piece of an answer to the last. @param {object} request @param {number} tokens */
    async msPerToken(request, tokens) {
      child.send(request);
      const [{ ms, failure }] = await once(child, 'message');
      if (failure) throw new Error(failure);
      return ms / (tokens - 1);
    },
    close: () => child.kill(),
  };
}

/** Milliseconds from the first piece of a streamed answer to the last. @param {string} url @param {unknown} request */
async function read(url, request) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (!response.ok || !response.body) return { failure: await response.text() };
  let first = 0;
  for await (const _ of response.body) first ||= performance.now();
  return { ms: performance.now() - first };
}

if (process.argv[1] === file) {
  const url = process.argv[2] ?? '';
  process.on('message', async (request) => process.send?.(await read(url, request)));
  process.send?.('ready');
}
