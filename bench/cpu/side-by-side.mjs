// @ts-check
// node bench/cpu/side-by-side.mjs [MODEL] [ROUNDS]: one process alone, then two at once, each with all threads, and what
// the two reach together as a part of the one. Threads that spin for long while another process needs their core would
// let both collapse. Takes turns, so that a slow minute hits both; runs what `npm run build` built.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const model = process.argv[2] ?? join(root, 'models/tale-q8_0.gguf');
const rounds = Number(process.argv[3] ?? 3);
const flags = [
  '--backend',
  'cpu',
  '--prompt-tokens',
  '256',
  '--answer-tokens',
  '128',
  '--repeats',
  '5',
  '--json',
];

/** Tokens a second of one process, prompt and answer. @returns {Promise<number[]>} */
function measure() {
  const args = [join(root, 'packages/cli/dist/main.js'), 'bench', model, ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`bench ended with ${code}`));
      /** @type {{ tests: { tokensPerSecond: number }[] }} */
      const { tests } = JSON.parse(printed);
      resolve(tests.map(({ tokensPerSecond }) => tokensPerSecond));
    });
  });
}

/** @param {number[]} values */
const median = (values) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;

/** @type {number[][]} */
const alone = [];
/** @type {number[][]} */
const together = [];
for (let round = 0; round < rounds; round++) {
  alone.push(await measure());
  const [one = [], other = []] = await Promise.all([measure(), measure()]);
  together.push(one.map((rate, index) => rate + (other[index] ?? Number.NaN)));
}
for (const [index, name] of ['prompt', 'answer'].entries()) {
  const one = median(alone.map((rates) => rates[index] ?? Number.NaN));
  const two = median(together.map((rates) => rates[index] ?? Number.NaN));
  const part = `${Math.round((100 * two) / one)} %`;
  process.stdout.write(
    `${name}: one alone ${one.toFixed(0)} tokens/s, two together ${two.toFixed(0)} (${part})\n`,
  );
}
