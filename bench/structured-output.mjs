// @ts-check
// Structured output, shown: answers of the model that ships with the source, at a high temperature, each held to a
// form; and the time that holding takes, for a vocabulary of 151,936 tokens where there is one.
//
//   node bench/structured-output.mjs [--answers 1000] [--vocabulary qwen3-vocab.gguf] [--backend cpu]
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openModel } from '../packages/runtime/dist/node/index.js';
import { forms } from './structured-output/forms.mjs';
import { holdAnswers } from './structured-output/held-answers.mjs';
import { timeMasks } from './structured-output/time-masks.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    answers: { type: 'string', default: '1000' },
    backend: { type: 'string', default: 'cpu' },
    vocabulary: { type: 'string' },
  },
});
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

await timeMasks(values.vocabulary ?? join(repository, 'models/tale-q8_0.gguf'), print);
if (Number(values.answers) > 0) await answers();

async function answers() {
  const folder = values.backend === 'reference' ? 'reference' : `backend-${values.backend}`;
  const { default: backend } = await import(`../packages/${folder}/dist/index.js`);
  const model = await openModel(join(repository, 'models/tale-q8_0.gguf'), { backend });
  for (const enableThinking of [false, true]) {
    const started = performance.now();
    const options = { temperature: 1.5, maxTokens: enableThinking ? 160 : 80, together: 8, firstSeed: 0 };
    const { whole, cut, wrong } = await holdAnswers(model, forms, {
      answers: Number(values.answers),
      enableThinking,
      ...options,
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    print(
      `thinking ${enableThinking ? 'on' : 'off'}: ${whole} whole, ${cut} cut, ${wrong.length} wrong, ${seconds} s`,
    );
    for (const line of wrong.slice(0, 20)) print(`  wrong: ${line}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
  await model.close();
}
