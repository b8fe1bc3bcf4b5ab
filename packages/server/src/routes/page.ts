import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Service } from '../engine/service.js';
import { ApiError } from '../errors/api-error.js';
import type { App } from '../http/route.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * The page may load and ask nothing but this server, and no text can become markup or script in it: it has no
 * Trusted Types policy, so that the ways to write HTML throw.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const headers = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Where the build puts the page: beside the built server, and for the source in `dist` of the package. One of the two
 * exists at most.
 */
const places = ['page/', '../../dist/page/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** GET / and the files of the chat page. They hold no secret, and the page itself asks for the key: they are open. */
export function addPage(app: App, { settings }: Service): void {
  if (settings.page === false) return;
  const files = readFiles(settings.page ?? places.find(hasPage));
  for (const [path, { body, type, tag, lasts }] of files) {
    app.get(path, (c) => {
      const caching = {
        etag: tag,
        'cache-control': lasts ? 'public, max-age=31536000, immutable' : 'no-cache',
      };
      if (c.req.header('if-none-match') === tag) return c.body(null, 304, { ...headers, ...caching });
      return c.body(body, 200, { ...headers, ...caching, 'content-type': type });
    });
  }
  if (!files.has('/')) app.get('/', () => notBuilt().toResponse());
}

interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly tag: string;
  /** Whether its name changes with its content. */
  readonly lasts: boolean;
}

function hasPage(folder: string): boolean {
  return readFolder(folder).includes('index.html');
}

/** The files of the page by their paths; those that a browser does not ask for are left out. */
function readFiles(folder: string | undefined): Map<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const name of folder === undefined ? [] : readFolder(folder)) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const body = new Uint8Array(readFileSync(join(folder!, name)));
    const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 20)}"`;
    const path = name === 'index.html' ? '/' : posix.join('/', name);
    files.set(path, { body, type, tag, lasts: name.startsWith('assets/') });
  }
  return files;
}

/** Names with forward slashes; a folder that does not exist has none. */
function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll('\\', '/'),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const notBuilt = () =>
  new ApiError('The chat page is not built here: run `npm run build`. The API is at /v1.', {
    status: 404,
    code: 'unknown_url',
  });
