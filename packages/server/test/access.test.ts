import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type OpenServer, openScriptedServer } from './open-server.js';

let served: OpenServer;
afterEach(() => served?.[Symbol.asyncDispose]());

/** fetch does not let a test set the host. */
const statusFor = (host: string) =>
  new Promise<number>((resolve, reject) => {
    request(`${served.url}/v1/models`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    })
      .on('error', reject)
      .end();
  });

describe('a server with a key', () => {
  it('asks for it, but for what probes and scrapers read', async () => {
    served = await openScriptedServer('', { apiKey: 'secret' });
    const status = async (path: string, key?: string) =>
      (await served.get(path, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }))
        .status;
    for (const path of ['/health', '/ready', '/metrics', '/openapi.json'])
      expect(await status(path)).toBe(200);
    for (const path of ['/v1/models', '/tokenize', '/nope']) {
      expect(await status(path)).toBe(401);
      expect(await status(path, 'wrong')).toBe(401);
    }
    expect(await status('/v1/models', 'secret')).toBe(200);
    expect(await statusFor('example.org')).toBe(401);
    const refused = await served.post('/v1/chat/completions', { messages: [] });
    expect(await refused.json()).toMatchObject({
      error: { type: 'authentication_error', code: 'invalid_api_key' },
    });
  });

  it('may listen beyond this machine, and one without may not', async () => {
    served = await openScriptedServer('', { apiKey: 'secret' });
    const url = await served.server.listen({ host: '0.0.0.0', port: 0 });
    expect((await fetch(`${url.replace('0.0.0.0', '127.0.0.1')}/health`)).status).toBe(200);
    await served[Symbol.asyncDispose]();
    served = await openScriptedServer('');
    await expect(served.server.listen({ host: '0.0.0.0', port: 0 })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      details: { field: 'apiKey' },
    });
  });
});

describe('a web page', () => {
  it('cannot reach a server without a key under a name of its own', async () => {
    served = await openScriptedServer('');
    expect(await statusFor('localhost')).toBe(200);
    expect(await statusFor('evil.example')).toBe(403);
  });

  it('cannot read from a server unless its origin is named', async () => {
    served = await openScriptedServer('');
    const preflight = {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    };
    const closed = await served.get('/v1/chat/completions', preflight);
    expect(closed.status).toBe(405);
    expect(closed.headers.get('access-control-allow-origin')).toBeNull();
    await served[Symbol.asyncDispose]();

    served = await openScriptedServer('', { corsOrigins: ['https://a.example'] });
    const open = await served.get('/v1/chat/completions', preflight);
    expect(open.headers.get('access-control-allow-origin')).toBe('https://a.example');
    const other = await served.get('/v1/models', { headers: { origin: 'https://b.example' } });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    const own = await served.get('/v1/models', { headers: { origin: 'https://a.example' } });
    expect(own.headers.get('access-control-allow-origin')).toBe('https://a.example');
    const refused = await served.post('/v1/completions', {}, { headers: { origin: 'https://a.example' } });
    expect(refused.status).toBe(400);
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://a.example');
    const failing = await served.get('/nope', { headers: { origin: 'https://a.example' } });
    expect(failing.headers.get('access-control-allow-origin')).toBe('https://a.example');
  });
});
