import { z } from 'zod';
import { refused, reported, supported } from './field.js';

const mostInputs = 2048;
const tokens = z.array(z.int().min(0)).min(1);

/** The body of POST /v1/embeddings. */
export const embeddingRequest = z
  .strictObject({
    input: supported(
      z.union([
        z.string().min(1),
        z.array(z.string().min(1)).min(1).max(mostInputs),
        tokens,
        z.array(tokens).min(1).max(mostInputs),
      ]),
      'A text, token ids, or up to 2048 of either. Special tokens written in a text stay text.',
    ),
    model: supported(
      z.string().optional(),
      'The name of the model that is served, or nothing. Any other is 404.',
    ),
    encoding_format: supported(
      z.enum(['float', 'base64']).optional(),
      '`float` by default, or `base64`: the floats of 4 bytes, little-endian.',
    ),
    dimensions: refused('Vectors have the length that the model gives them.'),
    user: reported('Requests are not told apart by user.'),
  })
  .meta({ id: 'EmbeddingRequest' });

export type EmbeddingRequest = z.output<typeof embeddingRequest>;
