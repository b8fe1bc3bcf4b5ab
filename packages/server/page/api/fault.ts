/** Why there is no answer, or no whole one, in words for the person who asked. */
export interface Fault {
  /** What kind it is; `key` is asked for, `lost` is a connection that broke. */
  readonly kind: 'key' | 'busy' | 'context' | 'refused' | 'server' | 'lost';
  readonly message: string;
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter?: number;
}

/** A failure of the server or of the way to it. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

export const lost = (): ApiFailure =>
  new ApiFailure({ kind: 'lost', message: 'The connection to the server was lost.' });

/** What the server says of a request that it did not serve. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const body: unknown = await response.json().catch(() => undefined);
  const { message, code } = errorIn(body) ?? { message: `The server answered ${response.status}.`, code: '' };
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiFailure({
    kind: kindOf(response.status, code),
    message,
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
  });
}

function kindOf(status: number, code: string): Fault['kind'] {
  if (status === 401) return 'key';
  if (code === 'context_length_exceeded') return 'context';
  if (status === 429 || status === 503) return 'busy';
  return status >= 500 ? 'server' : 'refused';
}

/** The error that an answer or an event of a stream tells of. */
export function errorIn(body: unknown): { message: string; code: string } | undefined {
  const { error } = (body ?? {}) as { error?: { message?: unknown; code?: unknown } };
  if (typeof error?.message !== 'string') return undefined;
  return { message: error.message, code: String(error.code ?? '') };
}
