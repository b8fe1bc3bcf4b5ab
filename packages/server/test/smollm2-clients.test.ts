import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import cpu, { loadAddon } from '@pocketllm/backend-cpu';
import type { Model } from '@pocketllm/runtime';
import { openModel } from '@pocketllm/runtime/node';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../../tests/support/shared.js';
import { createServer, type PocketServer } from '../src/index.js';

const file = 'models/smollm2-135m-instruct-q4_1.gguf';
const { missing } = loadAddon();
const lacks = missing ?? (hasShared(file) ? undefined : `needs ../shared/${file}`);

/** What every client must bring: the same greedy answer that the model itself gives. */
describe.skipIf(lacks !== undefined)(`clients and a real chat model (${lacks ?? 'SmolLM2'})`, () => {
  // A recorded conversation, whose answer is far from any other: rounding must not decide.
  const system = 'You are a helpful AI assistant named SmolLM, trained by Hugging Face';
  const question =
    'Give me a JSON object with the keys "name", "age" and "city" for a person called Maria, 34, from Lisbon. Reply with JSON only.';
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ] as const;
  let model: Model;
  let server: PocketServer;
  let url: string;
  let answer: string;

  beforeAll(async () => {
    model = await openModel(sharedPath(file), { backend: cpu, maxModelLen: 2048 });
    server = createServer(model);
    url = `${await server.listen({ port: 0 })}/v1`;
    answer = (await model.chat(messages, { temperature: 0, maxTokens: 32 }).result()).text;
  }, 60_000);
  afterAll(async () => {
    await server?.close({ graceMs: 0 });
    await model?.close();
  });

  it('is asked what it knows', () => expect(answer).toMatch(/"name": "Maria",\s*"age": 34,/));

  it('openai: whole, streamed and many at the same time', async () => {
    const client = new OpenAI({ baseURL: url, apiKey: 'unused', maxRetries: 0 });
    const settings = { model: server.modelName, messages: [...messages], temperature: 0, max_tokens: 32 };
    const whole = await client.chat.completions.create(settings);
    expect(whole.choices[0]!.message.content).toBe(answer);
    const runner = client.chat.completions.stream({ ...settings, stream_options: { include_usage: true } });
    const streamed = await runner.finalChatCompletion();
    expect(streamed.choices[0]!.message.content).toBe(answer);
    expect(streamed.usage).toEqual(whole.usage);
    const create = async (seed: number) => {
      const { choices } = await client.chat.completions.create({ ...settings, temperature: 1, seed });
      return choices[0]!.message.content;
    };
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
    const together = await Promise.all(seeds.map(create));
    for (const seed of seeds.slice(0, 3)) expect(await create(seed)).toBe(together[seed - 1]);
    const response = await client.responses.create({
      model: server.modelName,
      instructions: system,
      input: question,
      temperature: 0,
      max_output_tokens: 32,
    });
    expect(response.output_text).toBe(answer);
  }, 120_000);

  it('AI SDK: whole and streamed', async () => {
    const provider = createOpenAICompatible({ name: 'pocketllm', baseURL: url, includeUsage: true });
    const settings = {
      model: provider(server.modelName),
      system,
      prompt: question,
      temperature: 0,
      maxOutputTokens: 32,
    };
    const { text, usage } = await generateText(settings);
    expect(text).toBe(answer);
    expect(usage.outputTokens).toBeGreaterThan(3);
    expect(await streamText(settings).text).toBe(answer);
  }, 120_000);

  it('LangChain: whole, streamed and in a batch', async () => {
    const client = new ChatOpenAI({
      model: server.modelName,
      apiKey: 'unused',
      configuration: { baseURL: url },
      maxRetries: 0,
      temperature: 0,
      maxTokens: 32,
    });
    const conversation = [new SystemMessage(system), new HumanMessage(question)];
    expect((await client.invoke(conversation)).text).toBe(answer);
    let streamed = '';
    for await (const { text } of await client.stream(conversation)) streamed += text;
    expect(streamed).toBe(answer);
    const batch = await client.batch([conversation, conversation]);
    expect(batch.map(({ text }) => text)).toEqual([answer, answer]);
  }, 120_000);
});
