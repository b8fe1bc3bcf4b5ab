import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenServer, openTaleServer } from './open-server.js';

let served: OpenServer;
const model = () =>
  createOpenAICompatible({ name: 'pocketllm', baseURL: `${served.url}/v1`, includeUsage: true })(
    served.server.modelName,
  );

beforeAll(async () => {
  served = await openTaleServer();
});
afterAll(() => served?.[Symbol.asyncDispose]());

const cities: string[] = [];
const tools = {
  get_weather: tool({
    description: 'Get the weather in a city.',
    // As the model was trained to read it: a schema made by zod says more.
    inputSchema: jsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    }),
    execute: async ({ city }) => {
      cities.push(city);
      return `It is 5 degrees and sunny in ${city}.`;
    },
  }),
};

describe('the AI SDK', () => {
  it('generates text, with reasoning and usage', async () => {
    const result = await generateText({
      model: model(),
      prompt: 'What is the capital of Norway?',
      temperature: 0,
    });
    expect(result.text).toBe('The capital of Norway is Oslo.');
    expect(result.reasoningText).toBe('The user asks for the capital of Norway. It is Oslo.');
    expect(result.finishReason).toBe('stop');
    expect(result.usage.outputTokens).toBeGreaterThan(10);
  });

  it('streams text, reasoning apart', async () => {
    const result = streamText({
      model: model(),
      system: 'Always end with "Ahoy!"',
      prompt: 'What is the capital of Norway?',
      temperature: 0,
    });
    const types = new Set<string>();
    let text = '';
    for await (const part of result.fullStream) {
      types.add(part.type);
      if (part.type === 'text-delta') text += part.text;
    }
    expect(text).toBe('The capital of Norway is Oslo. Ahoy!');
    expect([...types]).toEqual(expect.arrayContaining(['reasoning-delta', 'text-delta', 'finish']));
    expect((await result.usage).inputTokens).toBeGreaterThan(10);
  });

  it.each([false, true])('runs tools until there is an answer (streamed: %s)', async (isStreamed) => {
    cities.length = 0;
    const options = {
      model: model(),
      prompt: 'What is the weather in Paris and Rome?',
      tools,
      temperature: 0,
      stopWhen: stepCountIs(3),
    };
    const text = isStreamed ? await streamText(options).text : (await generateText(options)).text;
    expect(cities).toEqual(['Paris', 'Rome']);
    expect(text).toMatch(/Paris/);
  });

  it('ends when it is aborted', async () => {
    const abort = new AbortController();
    const result = streamText({
      model: model(),
      prompt: 'Tell me a tale about a fox named Pip.',
      abortSignal: abort.signal,
      onError: () => {},
    });
    for await (const _ of result.textStream) {
      abort.abort();
      break;
    }
    await expect.poll(() => served.model.cacheUse.freePages, { timeout: 10_000 }).toBe(32);
  });
});
