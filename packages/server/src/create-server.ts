import type { Model } from '@pocketllm/runtime';
import { createApp } from './app.js';
import { Service } from './engine/service.js';
import { type Listener, listen } from './http/listen.js';
import { checkHost, type ServerOptions, settle } from './options.js';

export interface ListenOptions {
  /** 127.0.0.1 by default. Any address that others can reach needs an `apiKey`. */
  readonly host?: string;
  /** 8000 by default; 0 for any that is free. */
  readonly port?: number;
}

/** One model behind HTTP. */
export interface PocketServer {
  /** What clients call the model. */
  readonly modelName: string;
  /** Answers one request; for other servers than Node's. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Listens; gives the URL. REQUEST_INVALID for an address that needs a key, and Node's error for one in use. */
  listen(options?: ListenOptions): Promise<string>;
  /**
   * Takes no more requests, lets those that run finish, and ends them after `graceMs` (30 s by default). The model
   * stays open. Twice is fine.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Serves a model. It must stay open as long as the server; REQUEST_INVALID for an option that cannot be. */
export function createServer(model: Model, options: ServerOptions = {}): PocketServer {
  const settings = settle(options, model);
  const service = new Service(model, settings);
  const app = createApp(service);
  const listeners = new Set<Listener>();
  return {
    modelName: settings.modelName,
    fetch: async (request) => app.fetch(request),
    async listen({ host = '127.0.0.1', port = 8000 } = {}) {
      checkHost(host, settings);
      const address = host.replace(/^\[(.*)\]$/, '$1');
      const listener = await listen(app, address, port);
      listeners.add(listener);
      return `http://${address.includes(':') ? `[${address}]` : address}:${listener.port}`;
    },
    async close({ graceMs = 30_000 } = {}) {
      const started = performance.now();
      const closed = Promise.all([...listeners].map((listener) => listener.close()));
      const impatience = setTimeout(() => service.abortAll(), graceMs);
      await service.drain();
      clearTimeout(impatience);
      // All answers are made; what is left are readers who have not fetched theirs.
      const left = Math.max(graceMs - (performance.now() - started), 1000);
      const breaking = setTimeout(() => {
        for (const listener of listeners) listener.breakConnections();
      }, left);
      await closed;
      clearTimeout(breaking);
      listeners.clear();
    },
  };
}
