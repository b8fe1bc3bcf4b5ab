import { readFileSync } from 'node:fs';
import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../../tests/support/shared.js';
import { fasterBackend, openTaleServer } from './open-server.js';

interface Question {
  readonly id: string;
  readonly enable_thinking: boolean;
  readonly messages: OpenAI.Chat.ChatCompletionMessageParam[];
  readonly tools: OpenAI.Chat.ChatCompletionTool[] | null;
  readonly expected: string;
  readonly match: 'exact' | 'regex';
  readonly expected_tool_calls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

const present = hasShared('models/tale-eval.jsonl') && hasShared('models/tale-check.json');

const texts = (content: string, { expected, match }: Question) =>
  match === 'regex' ? new RegExp(expected).test(content) : content === expected;

it.skipIf(!present)(
  `Tale's questions are answered as well as llama.cpp answers them, streamed (${fasterBackend.name}; needs ../shared/models)`,
  async () => {
    const questions = readFileSync(sharedPath('models/tale-eval.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Question);
    const recorded = JSON.parse(readFileSync(sharedPath('models/tale-check.json'), 'utf8')).q8_0 as Record<
      string,
      { readonly ok: boolean }
    >;
    await using served = await openTaleServer({}, fasterBackend);
    const client = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: 'unused', maxRetries: 0 });
    const right = new Set<Question>();
    for (const question of questions) {
      const { messages, tools, enable_thinking, expected_tool_calls } = question;
      const stream = client.chat.completions.stream({
        model: served.server.modelName,
        messages,
        ...(tools ? { tools } : {}),
        temperature: 0,
        reasoning_effort: enable_thinking ? 'medium' : 'none',
      });
      const { content, tool_calls: calls = [] } = (await stream.finalChatCompletion()).choices[0]!.message;
      const called = calls.map(({ function: { name, arguments: args } }) => ({
        name,
        arguments: JSON.parse(args),
      }));
      const isRight = expected_tool_calls
        ? JSON.stringify(called) === JSON.stringify(expected_tool_calls)
        : texts(content ?? '', question);
      if (isRight) right.add(question);
    }
    const rightOf = (some: readonly Question[]) => some.filter((question) => right.has(question)).length;
    const theirsOf = (some: readonly Question[]) => some.filter(({ id }) => recorded[id]?.ok).length;
    const withTools = questions.filter(({ tools }) => tools !== null);
    const wrong = questions.filter((question) => !right.has(question)).map(({ id }) => id);
    expect(withTools.length).toBeGreaterThan(20);
    expect(rightOf(withTools), wrong.join(', ')).toBeGreaterThanOrEqual(theirsOf(withTools));
    expect(rightOf(questions), wrong.join(', ')).toBeGreaterThanOrEqual(theirsOf(questions));
  },
  1_200_000,
);
