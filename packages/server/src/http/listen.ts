import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ApiError } from '../errors/api-error.js';
import type { App } from './route.js';

/** A server that listens. */
export interface Listener {
  readonly port: number;
  /** Takes no more connections; resolves when the last one has ended. */
  close(): Promise<void>;
  /** Breaks the connections that are left. */
  breakConnections(): void;
}

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 20_000,
  /** For the whole request to arrive; an answer may take as long as it needs. */
  requestTimeout: 60_000,
  keepAliveTimeout: 5_000,
};
const maxConnections = 4096;

/** Listens on an address; fails as Node does where it is taken. */
export async function listen(app: App, host: string, port: number): Promise<Listener> {
  const server = createServer(
    limits,
    getRequestListener(app.fetch, {
      overrideGlobalObjects: false,
      errorHandler: () => malformed('The request is not valid HTTP.').toResponse(),
    }),
  );
  server.maxConnections = maxConnections;
  server.on('clientError', refuse);
  server.on('request', (_, response) => {
    // A connection that was busy when the server closed would be kept for the next request.
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => closed(server),
    breakConnections: () => server.closeAllConnections(),
  };
}

async function closed(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  await once(server, 'close');
}

/** Answers what is no HTTP request, and breaks the connection. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const status = isTooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const { body } = malformed(isTooLarge ? 'The header is too large.' : 'The request is not valid HTTP.');
  const text = JSON.stringify(body);
  const header = `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${text.length}`;
  socket.end(`${header}\r\n\r\n${text}`);
}

const malformed = (message: string) => new ApiError(message, { status: 400, code: 'invalid_http' });
