import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import reference from '@pocketllm/reference';
import { type ChatMessage, type Model, parseToolCalls, type ToolDefinition } from '@pocketllm/runtime';
import { openModel } from '@pocketllm/runtime/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../support/shared.js';

interface Question {
  readonly id: string;
  readonly enable_thinking: boolean;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[] | null;
  /** The answer without its thinking, or a pattern for it; calls of tools with their tags. */
  readonly expected: string;
  readonly match: 'exact' | 'regex';
  readonly expected_tool_calls?: readonly { readonly name: string; readonly arguments: object }[];
}

/** What llama.cpp answered from the same file. */
type Recorded = Readonly<
  Record<string, { readonly ok: boolean; readonly answer: string; readonly thought: string | null }>
>;

const present = hasShared('models/tale-eval.jsonl') && hasShared('models/tale-check.json');
const questions: Question[] = present
  ? readFileSync(sharedPath('models/tale-eval.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];
const recorded: Recorded = present
  ? JSON.parse(readFileSync(sharedPath('models/tale-check.json'), 'utf8')).q8_0
  : {};

describe.skipIf(!present)('the in-tree model (needs ../shared/models/tale-eval.jsonl)', () => {
  let model: Model;
  const answers = new Map<string, { question: Question; text: string; reasoning: string }>();

  beforeAll(async () => {
    const path = fileURLToPath(new URL('../../models/tale-q8_0.gguf', import.meta.url));
    model = await openModel(path, { backend: reference });
    for (const question of questions) {
      const { text, reasoning } = await model
        .chat(question.messages, {
          temperature: 0,
          enableThinking: question.enable_thinking,
          ...(question.tools ? { tools: question.tools } : {}),
        })
        .result();
      answers.set(question.id, { question, text, reasoning });
    }
  }, 1_200_000);
  afterAll(() => model?.close());

  it('answers at least as many of 160 questions as llama.cpp does', () => {
    const wrong = [...answers.values()].filter(({ question, text }) => !isRight(question, text));
    const theirs = Object.values(recorded).filter(({ ok }) => ok).length;
    expect(
      questions.length - wrong.length,
      wrong.map(({ question }) => question.id).join(', '),
    ).toBeGreaterThanOrEqual(theirs);
  });

  it('answers word for word as llama.cpp does, where rounding does not decide', () => {
    const differing = [...answers]
      .filter(([id, { text }]) => text !== recorded[id]?.answer)
      .map(([id]) => id);
    expect(differing.length, differing.join(', ')).toBeLessThanOrEqual(questions.length * 0.05);
  });

  it('keeps its thinking apart, and thinks only when asked to', () => {
    for (const [id, { question, text, reasoning }] of answers) {
      expect(text, id).not.toMatch(/<\/?think>/);
      if (!question.enable_thinking) expect(reasoning, id).toBe('');
    }
    const thoughts = Object.entries(recorded).filter(([, { thought }]) => thought);
    const same = thoughts.filter(([id, { thought }]) => answers.get(id)!.reasoning === thought);
    expect(same.length / thoughts.length).toBeGreaterThan(0.95);
  });

  it('writes its tool calls as trained, and they parse to the calls that were meant', () => {
    const calling = [...answers.values()].filter(
      ({ question, text }) => question.expected_tool_calls && isRight(question, text),
    );
    expect(calling.length).toBeGreaterThan(10);
    for (const { question, text } of calling) {
      const { calls } = parseToolCalls(text, question.tools ?? undefined);
      const parsed = calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) }));
      expect(parsed, question.id).toEqual(question.expected_tool_calls);
    }
  });
});

function isRight({ match, expected }: Question, text: string): boolean {
  return match === 'exact' ? text === expected : new RegExp(expected).test(text);
}
