#!/usr/bin/env node
// @ts-check
// Puts a server under load, and counts: more clients than fit, clients that leave, long prompts beside short answers,
// second turns. Ends by itself; with 1 where something is not as it should be.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from './serve-load/client.mjs';
import { overload, speed, stall, turns, vanish } from './serve-load/parts.mjs';

const all = new Map([speed, turns, stall, vanish, overload].map((part) => [part.name, part]));

const usage = `node serve-load.mjs [options]

  --model FILE        a GGUF file; the small model of the repository where absent
  --parts LIST        of ${[...all.keys()].join(', ')}; all where absent
  --clients N         of the overload; 64
  --seconds N         of the overload, 600 at most; 60
  --max-num-seqs N    answers that are computed at the same time; 16
  --max-queue N       requests that may wait; 16
  --max-model-len N   the model's own where absent
  --cache-pages N     of the cache; 256
  --long-prompt N     tokens of the prompt of the part stall; 8000
  --threads N         all where absent
`;

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: resolve(import.meta.dirname, '../models/tale-q8_0.gguf') },
    parts: { type: 'string', default: [...all.keys()].join(',') },
    clients: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '60' },
    'max-num-seqs': { type: 'string', default: '16' },
    'max-queue': { type: 'string', default: '16' },
    'max-model-len': { type: 'string' },
    'cache-pages': { type: 'string', default: '256' },
    'long-prompt': { type: 'string', default: '8000' },
    threads: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit();
}
const length = values['max-model-len'];
const served = await startServer({
  path: values.model,
  maxQueue: Number(values['max-queue']),
  maxSequences: Number(values['max-num-seqs']),
  cachePages: Number(values['cache-pages']),
  ...(length ? { maxModelLen: Number(length) } : {}),
  ...(values.threads ? { threads: Number(values.threads) } : {}),
});
const setting = {
  served,
  clients: Math.min(Number(values.clients), 1000),
  seconds: Math.min(Number(values.seconds), 600),
  longPrompt: Number(values['long-prompt']),
};
try {
  for (const name of values.parts.split(',')) {
    const part = all.get(name);
    if (!part) throw new Error(`there is no part ${name}`);
    const { figures, faults } = await part(setting);
    process.stdout.write(`${name}\n`);
    for (const [what, figure] of Object.entries(figures)) {
      process.stdout.write(`  ${what}: ${[figure].flat().map(shown).join(' and ')}\n`);
    }
    for (const fault of faults) process.stdout.write(`  NOT AS IT SHOULD BE: ${fault}\n`);
    if (faults.length > 0) process.exitCode = 1;
  }
} finally {
  await served.end();
}

function shown(/** @type {unknown} */ figure) {
  return typeof figure === 'number' && !Number.isInteger(figure) ? figure.toPrecision(4) : String(figure);
}
