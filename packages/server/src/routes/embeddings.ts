import type { Service } from '../engine/service.js';
import { badRequest } from '../errors/api-error.js';
import { type App, readRequest } from '../http/route.js';
import { embeddingRequest } from '../schema/embedding-request.js';

/** POST /v1/embeddings, which ends with 400 whatever is asked. */
export function addEmbeddings(app: App, service: Service): void {
  app.post('/v1/embeddings', async (c) => {
    await readRequest(c, service, embeddingRequest);
    throw badRequest('Embeddings cannot be made yet.', 'unsupported_endpoint');
  });
}
