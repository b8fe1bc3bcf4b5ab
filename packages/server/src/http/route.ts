import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { z } from 'zod';
import type { Run, Service } from '../engine/service.js';
import type { ApiError } from '../errors/api-error.js';
import { toApiError } from '../errors/to-api-error.js';
import { type CheckedBody, checkBody } from '../schema/check-body.js';
import { eventStream } from './event-stream.js';
import { readJson } from './read-json.js';

export interface AppEnv {
  /** Absent where the handler is called without Node's server. */
  readonly Bindings: Partial<HttpBindings>;
}
export type App = OpenAPIHono<AppEnv>;

export const warningsHeader = 'x-pocketllm-warnings';
const mostWarnings = 20;

/** The checked body of a request. What has no effect is told in a header, in the streamed answer too. */
export async function readRequest<Schema extends z.ZodObject>(
  c: Context<AppEnv>,
  { settings }: Service,
  schema: Schema,
): Promise<CheckedBody<z.output<Schema>>> {
  const { value, warnings } = checkBody(schema, await readJson(c.req.raw, settings.maxBodyBytes));
  if (warnings.length === 0) return { value, warnings };
  const told = warnings.slice(0, mostWarnings);
  if (warnings.length > told.length) told.push(`${warnings.length - told.length} more fields were ignored.`);
  c.header(warningsHeader, ascii(JSON.stringify(told)));
  return { value, warnings: told };
}

/** An answer as one object. */
export async function whole(
  c: Context<AppEnv>,
  run: Run,
  warnings: readonly string[],
  make: () => Promise<object>,
): Promise<Response> {
  try {
    const body = await make();
    return c.json(warnings.length > 0 ? { ...body, warnings } : body);
  } finally {
    run.end();
  }
}

/** An answer as server-sent events. `frame` writes one; a failure becomes `failed`'s, and the last. */
export function streamed<Chunk extends object>(
  c: Context<AppEnv>,
  { settings, logger }: Service,
  run: Run,
  chunks: AsyncGenerator<Chunk, void>,
  { frame, failed, end }: Framing<Chunk>,
): Response {
  async function* frames(): AsyncGenerator<string, void> {
    try {
      for await (const chunk of chunks) yield frame(chunk);
      if (end !== '') yield end;
    } catch (error) {
      const told = toApiError(error);
      if (told.status === 500) logger('warn', describe(error));
      yield failed(told);
    } finally {
      run.end();
    }
  }
  const stream = eventStream(frames(), {
    maxBufferedBytes: settings.maxBufferedBytes,
    slowReaderMs: settings.slowReaderMs,
    onGone: () => run.end(),
    breakConnection: () => void c.env?.outgoing?.destroy(),
  });
  // Proxies must pass events on as they come.
  return c.body(stream, 200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
}

export interface Framing<Chunk> {
  readonly frame: (chunk: Chunk) => string;
  readonly failed: (error: ApiError) => string;
  /** What follows the last chunk; empty for nothing. */
  readonly end: string;
}

/** As completions are streamed. */
export const dataFrames: Framing<object> = {
  frame: (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
  failed: ({ body }) => `data: ${JSON.stringify(body)}\n\n`,
  end: 'data: [DONE]\n\n',
};

/** For the log. */
export const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

const ascii = (text: string) =>
  text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
