import { describeFailure } from '../failure.js';
import type { CommandContext } from '../main-command.js';
import { openModel } from '../open-model.js';
import { timingsText } from '../print-answer.js';
import type { Check } from './checks.js';

const question = 'What is the capital of Norway?';
const expected = 'Oslo';

/** Has the model that comes with the command answer a question that it knows. */
export async function checkAnswer(context: CommandContext): Promise<Check> {
  const name = 'answer';
  try {
    await using model = await openModel(undefined, {}, context);
    const progress = context.output.progress('Answering');
    const result = await model
      .chat([{ role: 'user', content: question }], {
        enableThinking: false,
        temperature: 0,
        maxTokens: 32,
        signal: context.stop.signal,
      })
      .result()
      .finally(() => progress.end());
    const found = `${model.info.backend}: "${result.text.trim()}", ${timingsText(result)}`;
    if (result.text.includes(expected)) return { name, status: 'ok', found };
    const advice = `${expected} was expected: the backend computes wrongly, or the model file is damaged.`;
    return { name, status: 'fail', found, advice };
  } catch (error) {
    return { name, status: 'fail', found: describeFailure(error).message };
  }
}
