import { endianness } from 'node:os';
import type { Service } from '../engine/service.js';
import { type App, readRequest, whole } from '../http/route.js';
import { type EmbeddingRequest, embeddingRequest } from '../schema/embedding-request.js';

/** POST /v1/embeddings */
export function addEmbeddings(app: App, service: Service): void {
  const { model, settings } = service;
  app.post('/v1/embeddings', async (c) => {
    const { value: request, warnings } = await readRequest(c, service, embeddingRequest);
    service.checkModel(request.model);
    const encode = request.encoding_format === 'base64' ? base64 : (vector: Float32Array) => [...vector];
    const run = service.start(c.req.raw.signal, () => []);
    return whole(c, run, warnings, async () => {
      const texts = textsOf(request.input).map((text) =>
        typeof text === 'string' ? model.tokenizer.encode(text, { addBos: true, addEos: true }) : text,
      );
      const vectors = await model.embed(texts, { signal: run.signal });
      const prompt_tokens = texts.reduce((sum, { length }) => sum + length, 0);
      return {
        object: 'list',
        model: settings.modelName,
        data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: encode(vector) })),
        usage: { prompt_tokens, total_tokens: prompt_tokens },
      };
    });
  });
}

/** The texts of a request: one or several, as text or token ids. */
function textsOf(input: EmbeddingRequest['input']): readonly (string | number[])[] {
  if (typeof input === 'string') return [input];
  return typeof input[0] === 'number' ? [input as number[]] : (input as (string | number[])[]);
}

function base64(vector: Float32Array): string {
  const bytes = Buffer.from(vector.slice().buffer);
  if (endianness() === 'BE') bytes.swap32();
  return bytes.toString('base64');
}
