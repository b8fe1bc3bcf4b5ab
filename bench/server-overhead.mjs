#!/usr/bin/env node
// @ts-check
// What the server adds to the time of a token: the same answer read from the model in its own process, and over HTTP
// by a client in another process, in turn.
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import cpu from '@pocketllm/backend-cpu';
import { openModel } from '@pocketllm/runtime/node';
import { createServer } from '@pocketllm/server';
import { median } from './end-to-end/pairs.mjs';
import { overHttp } from './server/over-http.mjs';

const usage = `node server-overhead.mjs [options]

  --model FILE     a GGUF file; the small model of the repository where absent
  --tokens N       tokens of an answer; 128
  --pairs N        how often each way is measured; 9
  --threads N      ${availableParallelism()} where absent
`;

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: resolve(import.meta.dirname, '../models/tale-q8_0.gguf') },
    tokens: { type: 'string', default: '128' },
    pairs: { type: 'string', default: '9' },
    threads: { type: 'string', default: String(availableParallelism()) },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit();
}
const tokens = Number(values.tokens);
const model = await openModel(values.model, { backend: cpu, threads: Number(values.threads) });
const server = createServer(model);
const url = await server.listen({ port: 0 });
const client = await overHttp(`${url}/v1/completions`);
const prompt = 'Once upon a time there was';

/** Milliseconds a token from the first piece to the last. */
async function direct() {
  let first = 0;
  const answer = model.complete(prompt, { temperature: 0, maxTokens: tokens, ignoreEos: true });
  for await (const _ of answer) first ||= performance.now();
  return (performance.now() - first) / (tokens - 1);
}

try {
  const request = { prompt, temperature: 0, max_tokens: tokens, ignore_eos: true, stream: true };
  await direct();
  await client.msPerToken(request, tokens);
  const pairs = [];
  for (let pair = 0; pair < Number(values.pairs); pair++) {
    const model = await direct();
    pairs.push({ model, server: await client.msPerToken(request, tokens) });
  }
  const middle = {
    model: median(pairs.map((pair) => pair.model)),
    server: median(pairs.map((pair) => pair.server)),
  };
  const added = median(pairs.map((pair) => pair.server / pair.model - 1));
  process.stdout.write(
    `${model.info.name}, ${model.info.device}, ${values.threads} threads, ${tokens} tokens, ${pairs.length} pairs\n` +
      `model ${middle.model.toFixed(3)} ms a token, server ${middle.server.toFixed(3)} ms: ` +
      `${(100 * added).toFixed(1)} % more\n`,
  );
} finally {
  client.close();
  await server.close({ graceMs: 0 });
  await model.close();
}
