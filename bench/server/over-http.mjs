// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(import.meta.url);

/** A client in a process of its own, which asks one URL for streamed answers. @param {string} url */
export async function overHttp(url) {
  const child = fork(file, [url]);
  await once(child, 'message');
  /** @param {object} asked */
  const told = async (asked) => {
    child.send(asked);
    const [{ failure }] = await once(child, 'message');
    if (failure) throw new Error(failure);
  };
  return {
    /** Reads an answer as it comes. @param {object} request */
    read: (request) => told({ request }),
    /**
     * Asks, and leaves the answer in the socket until `isOver` has ended: a client that takes no time of the cores that
     * the model has. @param {object} request @param {() => Promise<void>} isOver
     */
    async readLater(request, isOver) {
      await told({ request, later: true });
      await isOver();
      await told({});
    },
    close: () => child.kill(),
  };
}

/** @param {string} url @param {unknown} request */
async function read(url, request) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  const text = await response.text();
  return response.ok ? {} : { failure: text };
}

/** @param {URL} url @param {unknown} request */
async function ask({ host, hostname, port, pathname }, request) {
  const body = JSON.stringify(request);
  const socket = connect(Number(port), hostname);
  // Before it is connected, so that nothing is read.
  socket.pause();
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  await once(socket, 'connect');
  return socket;
}

/** @param {import('node:net').Socket} socket */
async function readRest(socket) {
  let text = '';
  for await (const bytes of socket) text += bytes;
  return text.startsWith('HTTP/1.1 200') ? {} : { failure: text };
}

if (process.argv[1] === file) {
  const url = process.argv[2] ?? '';
  /** @type {import('node:net').Socket | undefined} */
  let unread;
  process.on('message', async (/** @type {{ request?: unknown, later?: boolean }} */ { request, later }) => {
    if (later) {
      unread = await ask(new URL(url), request);
      process.send?.({});
    } else process.send?.(unread && !request ? await readRest(unread) : await read(url, request));
  });
  process.send?.('ready');
}
