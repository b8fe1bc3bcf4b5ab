import { fileURLToPath } from 'node:url';
import type { BackendPlugin } from '@pocketllm/abi';
import cpu, { loadAddon } from '@pocketllm/backend-cpu';
import reference from '@pocketllm/reference';
import type { LoadOptions, Model } from '@pocketllm/runtime';
import { openModel } from '@pocketllm/runtime/node';
import { type ScriptedParts, scriptedBackend } from '../../../tests/support/scripted-backend.js';
import { createServer, type PocketServer, type ServerOptions } from '../src/index.js';

const tale = fileURLToPath(new URL('../../../models/tale-q8_0.gguf', import.meta.url));
const endToken = 4089;

/** A server that listens on this machine, and its model. */
export interface OpenServer extends AsyncDisposable {
  readonly model: Model;
  readonly server: PocketServer;
  readonly url: string;
  get(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
}

/** The processor's backend where it is built, else the reference. */
export const fasterBackend: BackendPlugin = loadAddon().missing === undefined ? cpu : reference;

/** The in-tree model, by default on the reference backend. */
export const openTaleServer = (
  options: ServerOptions = {},
  backend: BackendPlugin = reference,
): Promise<OpenServer> => open(backend, options);

/**
 * The in-tree model on a backend that computes nothing: the first answer is `output`, and every later one ends at
 * once; or it never ends, where `output` is empty.
 */
export async function openScriptedServer(
  output: string,
  options: ServerOptions & { readonly run?: ScriptedParts['run'] } & Pick<
      LoadOptions,
      'maxModelLen' | 'maxSequences'
    > = {},
): Promise<OpenServer> {
  const { run, maxModelLen = 1024, maxSequences = 16, ...serverOptions } = options;
  const script: number[] = [7];
  const opened = await open(scriptedBackend(script, run ? { run } : {}), serverOptions, {
    maxModelLen,
    maxSequences,
    cachePages: maxModelLen / 32,
  });
  if (output !== '') {
    script.splice(0, 1, ...opened.model.tokenizer.encode(output, { parseSpecial: true }), endToken);
  }
  return opened;
}

async function open(
  backend: BackendPlugin,
  options: ServerOptions,
  loadOptions: LoadOptions = {},
): Promise<OpenServer> {
  const model = await openModel(tale, { backend, ...loadOptions });
  const server = createServer(model, options);
  const url = await server.listen({ port: 0 });
  return {
    model,
    server,
    url,
    get: (path, init) => fetch(url + path, init),
    post: (path, body, init = {}) =>
      fetch(url + path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...init,
        headers: { 'content-type': 'application/json', ...init.headers },
      }),
    async [Symbol.asyncDispose]() {
      await server.close({ graceMs: 0 });
      await model.close();
    },
  };
}
