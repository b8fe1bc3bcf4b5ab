#!/usr/bin/env node
// @ts-check
// End-to-end figures beside those of llama.cpp, and beside what the machine could do. See README.md.
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions, usage } from './end-to-end/options.mjs';
import { runTable } from './end-to-end/run-table.mjs';
import { forkSide } from './end-to-end/side.mjs';
import { describeMachine } from './machine/describe.mjs';
import { measureMachine } from './machine/measure.mjs';

/** @returns {ReturnType<typeof readOptions>} */
function options() {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(2);
  }
}

const chosen = options();
if (chosen === 'help') {
  process.stdout.write(usage);
} else {
  const time = new Date().toISOString().slice(0, 19).replace(/:/g, '-').toLowerCase();
  const out = resolve(chosen.out ?? fileURLToPath(new URL(`results/${time}.jsonl`, import.meta.url)));
  mkdirSync(dirname(out), { recursive: true });
  await runTable(chosen, {
    machine: describeMachine(),
    measureMachine,
    run: forkSide,
    print: (line) => process.stdout.write(`${line}\n`),
    keep: (raw) => appendFileSync(out, `${JSON.stringify(raw)}\n`),
  });
  process.stdout.write(`raw rows: ${out}\n`);
}
