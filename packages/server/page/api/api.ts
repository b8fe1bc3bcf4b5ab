import { type ChatEvent, chatEvents } from './chat-stream.js';
import { ApiFailure, failureOf, lost } from './fault.js';

/** The model that is served. */
export interface ServedModel {
  readonly name: string;
  /** Tokens of prompt and answer together, at most. */
  readonly contextTokens: number;
  readonly backend: string;
  readonly device: string;
  readonly architecture: string;
  readonly parameters: number;
}

/** The server this page came from, by its public API. */
export class Api {
  /** Kept for as long as the tab is open, and no longer. */
  get key(): string | undefined {
    return sessionStorage.getItem(keyPlace) ?? undefined;
  }

  set key(key: string | undefined) {
    if (key === undefined) sessionStorage.removeItem(keyPlace);
    else sessionStorage.setItem(keyPlace, key);
  }

  async model(): Promise<ServedModel> {
    const response = await this.#ask('v1/models');
    const { data } = (await response.json()) as { data: readonly Record<string, unknown>[] };
    const [model = {}] = data;
    return {
      name: String(model.id),
      contextTokens: Number(model.max_model_len),
      backend: String(model.backend),
      device: String(model.device),
      architecture: String(model.architecture),
      parameters: Number(model.parameters),
    };
  }

  /** The answer to a request of POST /v1/chat/completions, as it comes; and what of the request had no effect. */
  async chat(
    request: object,
    signal: AbortSignal,
  ): Promise<{ events: AsyncGenerator<ChatEvent, void>; warnings: readonly string[] }> {
    const response = await this.#ask('v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal,
    });
    const warnings: unknown = JSON.parse(response.headers.get('x-pocketllm-warnings') ?? '[]');
    return { events: chatEvents(textOf(response.body!)), warnings: warnings as string[] };
  }

  async #ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.key !== undefined) headers.set('authorization', `Bearer ${this.key}`);
    // Relative to the page, which may stand below a path of a proxy.
    const response = await fetch(path, { ...init, headers }).catch((error: Error) => {
      throw error.name === 'AbortError' ? error : unreachable();
    });
    if (response.ok) return response;
    throw await failureOf(response);
  }
}

const keyPlace = 'pocketllm-key';

const unreachable = () =>
  new ApiFailure({ kind: 'lost', message: 'The server cannot be reached. Is it still running?' });

/** Text as it arrives; a connection that breaks is an ApiFailure. */
async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } catch (error) {
    throw (error as Error).name === 'AbortError' ? error : lost();
  } finally {
    reader.cancel().catch(() => {});
  }
}
