import { readFileSync } from 'node:fs';
import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../../tests/support/shared.js';
import { openTaleServer } from './open-server.js';

interface Question {
  readonly id: string;
  readonly enable_thinking: boolean;
  readonly messages: OpenAI.Chat.ChatCompletionMessageParam[];
  readonly tools: OpenAI.Chat.ChatCompletionTool[] | null;
  readonly expected: string;
  readonly expected_tool_calls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

const present = hasShared('models/tale-eval.jsonl') && hasShared('models/tale-check.json');

it.skipIf(!present)(
  "Tale's questions with tools are answered as well as llama.cpp answers them, streamed (needs ../shared/models)",
  async () => {
    const questions = readFileSync(sharedPath('models/tale-eval.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Question)
      .filter(({ tools }) => tools !== null);
    const recorded = JSON.parse(readFileSync(sharedPath('models/tale-check.json'), 'utf8')).q8_0 as Record<
      string,
      { readonly ok: boolean }
    >;
    await using served = await openTaleServer();
    const client = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: 'unused', maxRetries: 0 });
    const wrong: string[] = [];
    for (const { id, messages, tools, enable_thinking, expected, expected_tool_calls } of questions) {
      const stream = client.chat.completions.stream({
        model: served.server.modelName,
        messages,
        tools: tools!,
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
        : content === expected;
      if (!isRight) wrong.push(id);
    }
    const theirs = questions.filter(({ id }) => recorded[id]?.ok).length;
    expect(questions.length).toBeGreaterThan(20);
    expect(questions.length - wrong.length, wrong.join(', ')).toBeGreaterThanOrEqual(theirs);
  },
  600_000,
);
