import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { cors } from 'hono/cors';
import type { Service } from './engine/service.js';
import { ApiError } from './errors/api-error.js';
import { toApiError } from './errors/to-api-error.js';
import { checkHostHeader, keyCheck } from './http/access.js';
import { type App, type AppEnv, describe, warningsHeader } from './http/route.js';
import { addChatCompletions } from './routes/chat-completions.js';
import { addCompletions } from './routes/completions.js';
import { addEmbeddings } from './routes/embeddings.js';
import { addModels } from './routes/models.js';
import { addOpenApi, endpoints } from './routes/openapi.js';
import { addPage } from './routes/page.js';
import { addResponses } from './routes/responses.js';
import { addStatus } from './routes/status.js';
import { addTokenize } from './routes/tokenize.js';

/** What fields a request has its prompt in, by path. */
const promptFields: Readonly<Record<string, string>> = {
  '/v1/completions': 'prompt',
  '/v1/responses': 'input',
  '/v1/embeddings': 'input',
};

/** All routes, with what stands before each of them. */
export function createApp(service: Service): App {
  const app: App = new OpenAPIHono<AppEnv>();
  app.use(async (c, next) => {
    const started = performance.now();
    await next();
    c.header('x-content-type-options', 'nosniff');
    const route = endpointOf(c)?.path ?? 'other';
    const { status } = c.res;
    service.metrics.httpRequest(route, c.req.method, status);
    service.logger(
      'debug',
      `${c.req.method} ${route} ${status} ${Math.round(performance.now() - started)} ms`,
    );
  });
  const { corsOrigins, apiKey } = service.settings;
  if (corsOrigins.length > 0) {
    const origin = corsOrigins.includes('*') ? '*' : [...corsOrigins];
    app.use(cors({ origin, exposeHeaders: [warningsHeader, 'retry-after'], maxAge: 600 }));
  }
  addPage(app, service);
  const checkKey = apiKey === undefined ? checkHostHeader : keyCheck(apiKey);
  app.use(async (c, next) => {
    const isOpen = endpointOf(c)?.isOpen ?? false;
    if (!isOpen || apiKey === undefined) checkKey(c.req.raw);
    if (!isOpen && service.isDraining) throw shuttingDown();
    await next();
  });
  addChatCompletions(app, service);
  addCompletions(app, service);
  addResponses(app, service);
  addEmbeddings(app, service);
  addModels(app, service);
  addTokenize(app, service);
  addStatus(app, service);
  addOpenApi(app);
  app.notFound((c) => unknownUrl(c).toResponse());
  app.onError((error, c) => {
    const told = toApiError(error, promptFields[c.req.path]);
    if (told.status === 500) service.logger('warn', describe(error));
    return told.toResponse();
  });
  return app;
}

/** The endpoint that a request is for, whatever its method. */
function endpointOf({ req }: Context<AppEnv>) {
  const named = req.path.startsWith('/v1/models/') ? '/v1/models/{name}' : req.path;
  return endpoints.find(({ path }) => path === named);
}

function unknownUrl(c: Context<AppEnv>): ApiError {
  const endpoint = endpointOf(c);
  if (endpoint) {
    const allow = endpoint.method.toUpperCase();
    const message = `${endpoint.path} takes ${allow} only.`;
    return new ApiError(message, { status: 405, code: 'method_not_allowed', headers: { allow } });
  }
  const message = `There is nothing at ${c.req.method} ${c.req.path.slice(0, 100)}; /openapi.json lists what there is.`;
  return new ApiError(message, { status: 404, code: 'unknown_url' });
}

function shuttingDown(): ApiError {
  const headers = { 'retry-after': '5', connection: 'close' };
  return new ApiError('The server is shutting down.', { status: 503, code: 'shutting_down', headers });
}
