import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors/api-error.js';
import { isLoopback } from '../options.js';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Checks bearer tokens against a key, in a time that does not tell how much of them is right. */
export function keyCheck(apiKey: string): (request: Request) => void {
  const expected = digest(apiKey);
  return ({ headers }) => {
    const [, token] = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '') ?? [];
    if (token !== undefined && timingSafeEqual(digest(token), expected)) return;
    const message =
      token === undefined
        ? 'An API key is needed: send it as `authorization: Bearer KEY`.'
        : 'The API key is not right.';
    throw new ApiError(message, {
      status: 401,
      code: 'invalid_api_key',
      headers: { 'www-authenticate': 'Bearer' },
    });
  };
}

/**
 * Without a key, a request must name this machine as its host: else a web page could reach the server under a
 * name of its own that leads here.
 */
export function checkHostHeader(request: Request): void {
  const host = request.headers.get('host') ?? '';
  if (isLoopback(host.replace(/:\d+$/, ''))) return;
  const message = 'A server without an API key answers only to localhost, 127.0.0.1 and [::1].';
  throw new ApiError(message, { status: 403, code: 'host_not_allowed' });
}
