// @ts-check
import { Constraints, createTokenizer } from '../../packages/runtime/dist/index.js';
import { openGgufFile } from '../../packages/runtime/dist/node/index.js';

/** @typedef {import('@pocketllm/runtime').ResponseFormat} ResponseFormat */

const sentence =
  'Pip the fox went over the hill, and there he met an owl who was called Mira; they talked until night.';

/** Forms, each with an answer that is followed token by token. @type {[string, ResponseFormat, string][]} */
const cases = [
  [
    'any object',
    { type: 'json_object' },
    JSON.stringify({ text: sentence, list: [1, 2.5, null, { a: true }] }),
  ],
  [
    'an object with six properties',
    {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          year: { type: 'integer', minimum: 1900, maximum: 2100 },
          rating: { type: 'number', minimum: 0, maximum: 10 },
          tags: { type: 'array', items: { type: 'string' } },
          kind: { enum: ['book', 'film', 'song'] },
          summary: { type: 'string' },
        },
        required: ['title', 'year', 'rating', 'tags', 'kind', 'summary'],
      },
    },
    JSON.stringify({
      title: 'The hill',
      year: 1987,
      rating: 7.5,
      tags: ['fox', 'owl'],
      kind: 'book',
      summary: sentence,
    }),
  ],
  [
    'a string of at most 60 characters',
    { type: 'json_schema', schema: { type: 'string', maxLength: 60 } },
    JSON.stringify(sentence.slice(0, 60)),
  ],
  [
    'a date',
    { type: 'json_schema', schema: { type: 'string', format: 'date-time' } },
    '"2024-02-28T12:30:00Z"',
  ],
  ['an expression', { type: 'regex', pattern: '[A-Z][a-z ,;]*( [A-Z][a-z ,;]*)*\\.' }, sentence],
  [
    'a grammar of sentences',
    { type: 'grammar', grammar: 'root ::= word ([ ,;] " "? word)* "."\nword ::= [A-Za-z]+' },
    sentence,
  ],
];

/**
 * Prints, for each form, the time to prepare it, and the times of one mask and one step.
 *
 * @param {string} path a GGUF file with a vocabulary
 * @param {(line: string) => void} print
 */
export async function timeMasks(path, print) {
  const file = await openGgufFile(path);
  const tokenizer = createTokenizer(file.metadata);
  await file.close();
  const constraints = new Constraints(tokenizer);
  await measured(() => constraints.ofText({ responseFormat: { type: 'choice', choices: ['a'] } })?.());
  print(`${tokenizer.vocabularySize} tokens; times in ms: prepare, mask (median, mean, most), accept (most)`);
  for (const [name, responseFormat, answer] of cases) {
    const make = constraints.ofText({ responseFormat });
    if (make === undefined) throw new Error(`${name} holds to nothing`);
    const [constraint, prepareMs] = await measured(make);
    const logits = new Float32Array(tokenizer.vocabularySize);
    const masks = [];
    const accepts = [];
    for (const id of tokenizer.encode(answer)) {
      logits.fill(0);
      masks.push((await measured(() => constraint.mask(logits)))[1]);
      if (logits[id] !== 0) throw new Error(`${name}: token ${id} should be possible`);
      accepts.push((await measured(() => constraint.accept(id)))[1]);
    }
    constraint.dispose();
    masks.sort((a, b) => a - b);
    const mean = masks.reduce((sum, ms) => sum + ms, 0) / masks.length;
    const shown = [masks[masks.length >> 1], mean, masks.at(-1), Math.max(...accepts)].map((ms) =>
      Number(ms).toFixed(3),
    );
    print(
      `  ${name}: ${prepareMs.toFixed(0)}, ${shown.slice(0, 3).join(' ')}, ${shown[3]} (${masks.length} tokens)`,
    );
  }
}

/**
 * @template Result
 * @param {() => Result | Promise<Result>} work
 * @returns {Promise<[Awaited<Result>, number]>}
 */
async function measured(work) {
  const started = performance.now();
  const result = work();
  const value = result instanceof Promise ? await result : result;
  return [/** @type {Awaited<Result>} */ (value), performance.now() - started];
}
