import { z } from 'zod';
import { refused } from './field.js';

const note = 'Embeddings cannot be made yet.';

/** The body of POST /v1/embeddings, all of which is refused. */
export const embeddingRequest = z
  .strictObject({
    input: refused(note),
    model: refused(note),
    encoding_format: refused(note),
    dimensions: refused(note),
    user: refused(note),
  })
  .meta({ id: 'EmbeddingRequest' });
