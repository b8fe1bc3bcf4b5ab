import { PocketError } from '@pocketllm/abi';
import type { Logger, Model } from '@pocketllm/runtime';

export interface ServerOptions {
  /** What clients call the model; by default what its file says, without characters that URLs take amiss. */
  readonly modelName?: string;
  /** Clients must send it as a bearer token. Needed to listen on more than this machine. */
  readonly apiKey?: string;
  /** Origins of web pages that may call the server, or `*`; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Requests that wait for their turn beside those that the model answers at once; more get 429. 64 by default. */
  readonly maxQueue?: number;
  /** Of a request's body; by default 1 MiB, or 64 for each token of the context where that is more. */
  readonly maxBodyBytes?: number;
  /** Of an answer that its reader does not fetch; 1 MiB by default. Beyond it the answer waits. */
  readonly maxBufferedBytes?: number;
  /** How long an answer waits so before it is given up; 30 s by default. */
  readonly slowReaderMs?: number;
  /** Folder of the chat page that is served at `/`: the one of this package by default; false for none. */
  readonly page?: string | false;
  /** Told of each request and of faults. */
  readonly logger?: Logger;
}

/** Everything settled. */
export interface Settings extends Required<Omit<ServerOptions, 'apiKey' | 'page'>> {
  readonly apiKey: string | undefined;
  readonly page: string | false | undefined;
}

/** REQUEST_INVALID for a value that cannot be. */
export function settle(options: ServerOptions, model: Pick<Model, 'info'>): Settings {
  const count = (name: keyof ServerOptions, fallback: number, least: number): number => {
    const value = options[name] ?? fallback;
    if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
    throw invalid(name, `an integer of at least ${least}`, String(value));
  };
  const modelName =
    options.modelName ?? (model.info.name.replace(/[^\w.:-]+/g, '-').replace(/^-+|-+$/g, '') || 'model');
  if (modelName === '') throw invalid('modelName', 'a name', '""');
  if (options.apiKey !== undefined && !/^[\x21-\x7e]+$/.test(options.apiKey)) {
    throw invalid('apiKey', 'visible ASCII characters without blanks', 'something else');
  }
  return {
    modelName,
    apiKey: options.apiKey,
    corsOrigins: options.corsOrigins ?? [],
    maxQueue: count('maxQueue', 64, 0),
    maxBodyBytes: count('maxBodyBytes', Math.max(2 ** 20, 64 * model.info.maxModelLen), 1),
    maxBufferedBytes: count('maxBufferedBytes', 2 ** 20, 1),
    slowReaderMs: count('slowReaderMs', 30_000, 1),
    page: options.page,
    logger: options.logger ?? (() => {}),
  };
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i;

/** Whether only this machine reaches what listens on `host`. */
export const isLoopback = (host: string): boolean => loopback.test(host);

/** REQUEST_INVALID for a server that would be open to others without a key. */
export function checkHost(host: string, { apiKey }: Pick<Settings, 'apiKey'>): void {
  if (apiKey !== undefined || isLoopback(host)) return;
  throw invalid('apiKey', `an API key, since others can reach ${host}`, 'none');
}

const invalid = (field: string, expected: string, found: string) =>
  new PocketError('REQUEST_INVALID', { field, expected, found });
