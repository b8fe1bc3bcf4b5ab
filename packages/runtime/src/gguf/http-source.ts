import { PocketError } from '@pocketllm/abi';
import { type ByteSource, checkRange } from './byte-source.js';

export interface HttpSourceOptions {
  /** Stands in for the global fetch. */
  readonly fetch?: typeof fetch;
  /** Sent with every request, such as an Authorization. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends every request of this source: CANCELLED. */
  readonly signal?: AbortSignal;
}

/**
 * A file behind HTTP range requests. One request of one byte finds its size.
 * MODEL_NOT_FOUND where the server does not answer, has no such file, ignores ranges, does not let a page read
 * Content-Range, or has replaced the file since.
 */
export async function httpSource(
  address: string | URL,
  options: HttpSourceOptions = {},
): Promise<ByteSource> {
  const url = new URL(address);
  const name = `${url.origin}${url.pathname}`;
  const first = await request(url, name, 0, 1, options);
  const source: ByteSource = {
    name,
    size: first.total,
    async read(offset, length) {
      checkRange(source, offset, length);
      if (length === 0) return new Uint8Array(0);
      const part = await request(url, name, offset, length, options);
      if (part.total !== first.total || part.tag !== first.tag)
        throw unreadable(name, 'the file has changed');
      return part.bytes;
    },
  };
  return source;
}

interface Part {
  readonly bytes: Uint8Array;
  /** Size of the whole file. */
  readonly total: number;
  readonly tag: string | null;
}

async function request(
  url: URL,
  name: string,
  offset: number,
  length: number,
  options: HttpSourceOptions,
): Promise<Part> {
  const { fetch: send = fetch, signal = null, headers } = options;
  try {
    const range = `bytes=${offset}-${offset + length - 1}`;
    const response = await send(url, { headers: { ...headers, Range: range }, signal });
    const total = totalOf(response, offset, length);
    if (typeof total === 'string') {
      await response.body?.cancel();
      throw unreadable(name, total);
    }
    const bytes = await readExactly(response, length);
    if (!bytes) throw unreadable(name, `the answer to ${range} is not ${length} bytes long`);
    return { bytes, total, tag: response.headers.get('ETag') };
  } catch (cause) {
    if (cause instanceof PocketError) throw cause;
    if (signal?.aborted) throw new PocketError('CANCELLED', { during: `reading ${name}` }, { cause });
    throw unreadable(name, String(cause), cause);
  }
}

/** Size of the whole file by Content-Range, or the reason why the answer is of no use. */
function totalOf(response: Response, offset: number, length: number): number | string {
  // An empty file has no byte 0: the server says so with this status and the size.
  if (response.status === 416) return 'the file has no such bytes, or is empty';
  if (response.status === 200) return 'the server ignores range requests';
  if (response.status !== 206) return `the server answers ${response.status}`;
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '');
  if (!match) return 'no readable Content-Range (a server of another origin must expose it)';
  const [from, to, total] = match.slice(1).map(Number) as [number, number, number];
  if (from !== offset || to !== offset + length - 1) return `the server sends bytes ${from}-${to} instead`;
  return Number.isSafeInteger(total) ? total : 'the server states an impossible size';
}

/** The body, or undefined where it is shorter or longer; never keeps more than `length` bytes. */
async function readExactly(response: Response, length: number): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(length);
  const reader = response.body?.getReader();
  let filled = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    if (value.length > length - filled) {
      await reader.cancel();
      return undefined;
    }
    bytes.set(value, filled);
    filled += value.length;
  }
  return filled === length ? bytes : undefined;
}

function unreadable(path: string, reason: string, cause?: unknown) {
  return new PocketError('MODEL_NOT_FOUND', { path, reason }, { cause });
}
