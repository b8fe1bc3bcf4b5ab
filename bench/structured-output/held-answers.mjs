// @ts-check
// Makes answers that are held to forms, and counts those that have them.

/** @typedef {import('@pocketllm/runtime').Model} Model */
/** @typedef {import('./forms.mjs').Form} Form */

/**
 * @typedef {object} Count
 * @property {number} whole answers that ended, each of its form
 * @property {number} cut answers that maxTokens ended, each the beginning of one of its form
 * @property {string[]} wrong all others, with what they were
 */

const prompts = [
  'Tell me about a fox named Pip.',
  'What is the capital of Norway?',
  'How many stones does Ada have?',
  'Hi.',
];

/**
 * @param {Model} model
 * @param {readonly Form[]} forms
 * @param {{ answers: number, enableThinking: boolean, temperature: number, maxTokens: number, together: number, firstSeed: number }} options
 *   `together`: answers that are made side by side
 * @returns {Promise<Count>}
 */
export async function holdAnswers(model, forms, options) {
  /** @type {Count} */
  const count = { whole: 0, cut: 0, wrong: [] };
  let next = 0;
  const work = async () => {
    while (next < options.answers) {
      const index = next++;
      const form = /** @type {Form} */ (forms[index % forms.length]);
      await holdOne(model, form, { ...options, seed: options.firstSeed + index }, count);
    }
  };
  await Promise.all(Array.from({ length: options.together }, work));
  return count;
}

/**
 * An answer that maxTokens cut is made again, with the same seed and more room: it has to go on as it began, and to
 * come to an end of its form; but where answers may go on for ever, to be the beginning of one. One that was cut while the model thought has nothing to be judged by.
 *
 * @param {Model} model
 * @param {Form} form
 * @param {{ enableThinking: boolean, temperature: number, maxTokens: number, seed: number }} options
 * @param {Count} count
 */
async function holdOne(
  model,
  { name, format, fits, begins },
  { enableThinking, temperature, maxTokens, seed },
  count,
) {
  const content = /** @type {string} */ (prompts[seed % prompts.length]);
  const sampling = { temperature, seed, topK: 0, topP: 1, minP: 0 };
  const answer = async (/** @type {number} */ most) => {
    const options = { ...sampling, maxTokens: most, enableThinking, responseFormat: format };
    return model.chat([{ role: 'user', content }], options).result();
  };
  const first = await answer(maxTokens);
  const isCut = first.finishReason === 'length';
  const last = isCut && first.text !== '' ? await answer(maxTokens * 4) : first;
  const isThinking = isCut && first.text === '' && first.reasoning !== '';
  const hasNoEnd = last.finishReason === 'length' && begins?.(last.text);
  if (isThinking || hasNoEnd) count.cut++;
  else if (last.finishReason !== 'stop' || !fits(last.text) || !last.text.startsWith(first.text)) {
    count.wrong.push(
      `${name}, seed ${seed}, ${first.finishReason}: ${JSON.stringify(last.text.slice(0, 300))}`,
    );
  } else if (isCut) count.cut++;
  else count.whole++;
}
