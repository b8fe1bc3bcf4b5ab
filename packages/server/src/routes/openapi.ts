import { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import type { App } from '../http/route.js';
import { chatRequest } from '../schema/chat-request.js';
import { completionRequest } from '../schema/completion-request.js';
import { embeddingRequest } from '../schema/embedding-request.js';
import { responseRequest } from '../schema/response-request.js';
import { detokenizeRequest, tokenizeRequest } from '../schema/tokenize-request.js';

export interface Endpoint {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly summary: string;
  readonly body?: z.ZodObject;
  /** Whether a key is asked for, where the server has one. */
  readonly isOpen?: true;
  /** The answer, where it is not JSON alone. */
  readonly answers?: readonly string[];
}

const json = 'application/json';
const streams = [json, 'text/event-stream'];

/** Every endpoint of the server, with the schema that its requests are held to. */
export const endpoints: readonly Endpoint[] = [
  {
    method: 'post',
    path: '/v1/chat/completions',
    summary: 'Answers a conversation.',
    body: chatRequest,
    answers: streams,
  },
  {
    method: 'post',
    path: '/v1/completions',
    summary: 'Continues a text.',
    body: completionRequest,
    answers: streams,
  },
  {
    method: 'post',
    path: '/v1/responses',
    summary: 'Answers a conversation of items.',
    body: responseRequest,
    answers: streams,
  },
  {
    method: 'post',
    path: '/v1/embeddings',
    summary: 'Vectors that stand for texts.',
    body: embeddingRequest,
  },
  { method: 'get', path: '/v1/models', summary: 'The model that is served, as a list.' },
  { method: 'get', path: '/v1/models/{name}', summary: 'The model that is served.' },
  {
    method: 'post',
    path: '/tokenize',
    summary: 'The tokens of a text or conversation.',
    body: tokenizeRequest,
  },
  { method: 'post', path: '/detokenize', summary: 'The text of tokens.', body: detokenizeRequest },
  { method: 'get', path: '/health', summary: 'Whether the process lives.', isOpen: true },
  {
    method: 'get',
    path: '/ready',
    summary: 'Whether requests are taken; 503 while the server shuts down.',
    isOpen: true,
  },
  {
    method: 'get',
    path: '/metrics',
    summary: 'Metrics for Prometheus.',
    isOpen: true,
    answers: ['text/plain'],
  },
  { method: 'get', path: '/openapi.json', summary: 'This document.', isOpen: true },
];

const errorBody = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
  })
  .meta({ id: 'Error' });

/** GET /openapi.json */
export function addOpenApi(app: App): void {
  for (const { method, path, summary, body, isOpen, answers = [json] } of endpoints) {
    app.openAPIRegistry.registerPath({
      method,
      path,
      summary,
      ...(isOpen ? {} : { security: [{ key: [] }] }),
      request: {
        ...(body ? { body: { required: true, content: { [json]: { schema: body } } } } : {}),
        ...(path.includes('{name}') ? { params: z.object({ name: z.string() }) } : {}),
      },
      responses: {
        200: {
          description: 'The answer.',
          content: Object.fromEntries(answers.map((type) => [type, { schema: z.unknown() }])),
        },
        default: { description: 'A failure.', content: { [json]: { schema: errorBody } } },
      },
    });
  }
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', { type: 'http', scheme: 'bearer' });
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'PocketLLM', version: manifest.version, description: manifest.description },
  });
  app.get('/openapi.json', (c) => c.json(document));
}
