// Answers over HTTP while they are made:
//   curl -N http://127.0.0.1:3000/ask -H 'content-type: application/json' -d '{"question": "What can you do?"}'
import { Readable } from 'node:stream';
import cpu from '@pocketllm/backend-cpu';
import { openModel } from '@pocketllm/runtime/node';
import Fastify from 'fastify';

const model = await openModel('models/tale-q8_0.gguf', { backend: cpu });
export const app = Fastify();

const body = {
  type: 'object',
  required: ['question'],
  properties: { question: { type: 'string', maxLength: 2000 } },
} as const;

app.post<{ Body: { question: string } }>('/ask', { schema: { body } }, (request, reply) => {
  // A client that leaves ends the work for its answer.
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const answer = model.chat([{ role: 'user', content: request.body.question }], {
    enableThinking: false,
    temperature: 0,
    maxTokens: 200,
    signal: gone.signal,
  });
  const pieces = async function* () {
    for await (const { text } of answer) yield text;
  };
  // Closing would wait for connections that are kept for a next request.
  reply.header('connection', 'close').type('text/plain; charset=utf-8');
  return reply.send(Readable.from(pieces()));
});

// Closing takes no new requests and waits for those that run; the model goes last.
app.addHook('onClose', () => model.close());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close());

await app.listen({ port: Number(process.env.PORT ?? 3000) });
