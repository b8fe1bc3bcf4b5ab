#!/usr/bin/env node
// @ts-check
// What the HTTP server adds to the time of a token: the same answer read from the model in its own process, and over HTTP
// by a client in another process, in turn. Timed where steps end.
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import cpu from '@pocketllm/backend-cpu';
import { openModel } from '@pocketllm/runtime/node';
import { createServer } from '@pocketllm/server';
import { median } from './end-to-end/pairs.mjs';
import { overHttp } from './server/over-http.mjs';
import { stepClock } from './server/step-clock.mjs';

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
const { plugin, ends } = stepClock(cpu);
// A step a token: drafts come and go with measured times.
const model = await openModel(values.model, {
  backend: plugin,
  threads: Number(values.threads),
  drafts: 'never',
});
const server = createServer(model);
const url = await server.listen({ port: 0 });
const client = await overHttp(`${url}/v1/completions`);
const prompt = 'Once upon a time there was';
const request = { prompt, temperature: 0, max_tokens: tokens, ignore_eos: true, stream: true };

/** Over when the answer has been computed. */
async function isOver() {
  while (ends.length < tokens) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Each way to read an answer. @type {Record<string, () => Promise<void>>} */
const ways = {
  model: async () => {
    for await (const _ of model.complete(prompt, { temperature: 0, maxTokens: tokens, ignoreEos: true }));
  },
  server: () => client.readLater(request, isOver),
  'server, and a client on the same cores': () => client.read(request),
};

/** Milliseconds a token from the first to the last. @param {() => Promise<void>} read */
async function msPerToken(read) {
  ends.length = 0;
  await read();
  return /** @type {number} */ (ends.at(-1) - /** @type {number} */ (ends.at(-tokens))) / (tokens - 1);
}

try {
  /** @type {Record<string, number>[]} */
  const rounds = [];
  for (let round = -1; round < Number(values.pairs); round++) {
    /** @type {Record<string, number>} */
    const ms = {};
    for (const [name, read] of Object.entries(ways)) ms[name] = await msPerToken(read);
    if (round >= 0) rounds.push(ms);
  }
  process.stdout.write(
    `${model.info.name}, ${model.info.device}, ${values.threads} threads, ${tokens} tokens, ${rounds.length} rounds\n`,
  );
  for (const name of Object.keys(ways)) {
    const ms = median(rounds.map((round) => round[name] ?? 0));
    const added = median(rounds.map((round) => (round[name] ?? 0) / (round.model ?? 0) - 1));
    process.stdout.write(`${name}: ${ms.toFixed(3)} ms a token, ${(100 * added).toFixed(1)} % more\n`);
  }
} finally {
  client.close();
  await server.close({ graceMs: 0 });
  await model.close();
}
