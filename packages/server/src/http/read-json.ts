import { ApiError, badRequest } from '../errors/api-error.js';

/**
 * The JSON of a request's body. Only `application/json` is taken: a web page can send any other type to this
 * machine without being asked first.
 */
export async function readJson(request: Request, mostBytes: number): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(?:;|$)/i.test(type.trim())) {
    const message = 'The body must be JSON, with the header `content-type: application/json`.';
    throw new ApiError(message, { status: 415, code: 'unsupported_media_type' });
  }
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    throw new ApiError('The body must not be compressed.', { status: 415, code: 'unsupported_encoding' });
  }
  const text = decode(await readBytes(request, mostBytes));
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON.', 'invalid_json');
  }
}

async function readBytes(request: Request, mostBytes: number): Promise<Uint8Array> {
  const tooLarge = () => {
    const message = `The body has more than ${mostBytes} bytes.`;
    // What is left of it is not worth reading.
    return new ApiError(message, { status: 413, code: 'body_too_large', headers: { connection: 'close' } });
  };
  if (Number(request.headers.get('content-length')) > mostBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size > mostBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw badRequest('The body ended early.', 'incomplete_body');
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The body is not UTF-8 text.', 'invalid_json');
  }
}
