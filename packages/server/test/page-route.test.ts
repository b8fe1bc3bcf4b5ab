import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type OpenServer, openScriptedServer } from './open-server.js';

const folder = mkdtempSync(join(tmpdir(), 'pocketllm-page-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>A page</title>');
writeFileSync(join(folder, 'assets/index-1a2b.js'), 'export {};');
writeFileSync(join(folder, 'licences.md'), '# Licences');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let served: OpenServer;
afterEach(() => served?.[Symbol.asyncDispose]());

/** Rules of the policy by their names. */
const policyOf = (response: Response) =>
  new Map(
    (response.headers.get('content-security-policy') ?? '').split('; ').map((rule) => {
      const [name = '', ...values] = rule.split(' ');
      return [name, values.join(' ')];
    }),
  );

describe('the page at /', () => {
  it('comes with a policy that lets it reach its own server alone', async () => {
    served = await openScriptedServer('', { page: folder });
    const response = await served.get('/');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await response.text()).toContain('A page');
    const policy = policyOf(response);
    for (const own of ['script-src', 'style-src', 'font-src', 'img-src', 'connect-src']) {
      expect(policy.get(own)).toBe("'self'");
      policy.delete(own);
    }
    expect(Object.fromEntries(policy)).toEqual({
      'default-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    });
  });

  it('is open where the API has a key, and holds no more than its files', async () => {
    served = await openScriptedServer('', { page: folder, apiKey: 'secret' });
    expect((await served.get('/')).status).toBe(200);
    expect((await served.get('/assets/index-1a2b.js')).headers.get('content-type')).toMatch(
      /^text\/javascript/,
    );
    for (const path of [
      '/index.html',
      '/licences.md',
      '/assets/',
      '/assets/../../package.json',
      '/v1/models',
    ]) {
      expect((await served.get(path)).status, path).toBe(401);
    }
    expect((await served.get('/', { method: 'POST' })).status).toBe(401);
    expect((await served.get('/', { method: 'HEAD' })).status).toBe(200);
  });

  it('is asked for again each time, and what has its content in its name never', async () => {
    served = await openScriptedServer('', { page: folder });
    const page = await served.get('/');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const asset = await served.get('/assets/index-1a2b.js');
    expect(asset.headers.get('cache-control')).toContain('immutable');
    const again = await served.get('/', { headers: { 'if-none-match': page.headers.get('etag')! } });
    expect(again.status).toBe(304);
    expect(policyOf(again).get('default-src')).toBe("'none'");
  });

  it('can be left out, and one that is not built says so', async () => {
    served = await openScriptedServer('', { page: false });
    expect((await served.get('/')).status).toBe(404);
    await served[Symbol.asyncDispose]();
    served = await openScriptedServer('', { page: join(folder, 'none') });
    const response = await served.get('/');
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: { code: 'unknown_url', message: expect.stringContaining('npm run build') },
    });
  });

  const built = fileURLToPath(new URL('../dist/page/index.html', import.meta.url));
  it.skipIf(!existsSync(built))('is by default the one that is built (needs npm run build)', async () => {
    served = await openScriptedServer('');
    const text = await (await served.get('/')).text();
    expect(text).toContain('<title>PocketLLM</title>');
    const files = [...text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) => path);
    expect(files.length).toBeGreaterThan(3);
    for (const path of files) expect((await served.get(`/${path}`)).status, path).toBe(200);
  });
});
