#!/usr/bin/env node
// @ts-check
// Writes a model of Qwen3-0.6B's shape with random weights in a chosen mix of formats.
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { mixes } from './model/mixes.mjs';
import { modelPath, vocabularyPath } from './model/places.mjs';
import { writeModel } from './model/write-model.mjs';

const usage = `node make-model.mjs MIX [--out FILE] [--seed NUMBER] [--vocabulary FILE]

MIX is one of ${Object.keys(mixes).join(', ')}.
FILE is written to models/ where --out is absent. The vocabulary is ../shared/fixtures/qwen3-vocab.gguf beside
the repository where it is absent.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    seed: { type: 'string', default: '1' },
    vocabulary: { type: 'string', default: vocabularyPath },
    help: { type: 'boolean' },
  },
});
const [mix] = positionals;
if (
  values.help ||
  mix === undefined ||
  !Object.hasOwn(mixes, mix) ||
  !Number.isInteger(Number(values.seed))
) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 2);
}
const path = resolve(values.out ?? modelPath(mix));
mkdirSync(dirname(path), { recursive: true });
const started = performance.now();
await writeModel({ path, mix, vocabulary: values.vocabulary, seed: Number(values.seed) });
const seconds = (performance.now() - started) / 1000;
process.stdout.write(`${path}: ${statSync(path).size} bytes in ${seconds.toFixed(1)} s\n`);
