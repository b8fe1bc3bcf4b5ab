import { AIMessageChunk, HumanMessage, SystemMessage, type ToolMessage } from '@langchain/core/messages';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAI } from '@langchain/openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenServer, openTaleServer } from './open-server.js';

let served: OpenServer;
const connection = () => ({
  model: served.server.modelName,
  apiKey: 'unused',
  configuration: { baseURL: `${served.url}/v1` },
  maxRetries: 0,
  temperature: 0,
});
const chatModel = () => new ChatOpenAI({ ...connection(), modelKwargs: { reasoning_effort: 'none' } });

beforeAll(async () => {
  served = await openTaleServer();
});
afterAll(() => served?.[Symbol.asyncDispose]());

const weather = tool(async (input) => `It is 5 degrees and sunny in ${(input as { city: string }).city}.`, {
  name: 'get_weather',
  description: 'Get the weather in a city.',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
});

describe('the LangChain client', () => {
  it('asks, with usage and the reason for the end', async () => {
    const message = await chatModel().invoke([
      new SystemMessage('Always end with "Ahoy!"'),
      new HumanMessage('What is the capital of Norway?'),
    ]);
    expect(message.text).toBe('The capital of Norway is Oslo. Ahoy!');
    expect(message).toHaveProperty('usage_metadata.output_tokens', expect.any(Number));
    expect(message.response_metadata.finish_reason).toBe('stop');
  });

  it('runs in a chain of prompt, model and parser, streamed', async () => {
    const chain = ChatPromptTemplate.fromMessages([['human', 'What is the capital of {country}?']])
      .pipe(chatModel())
      .pipe(new StringOutputParser());
    const pieces: string[] = [];
    for await (const piece of await chain.stream({ country: 'Norway' })) pieces.push(piece);
    expect(pieces.join('')).toBe('The capital of Norway is Oslo.');
    expect(pieces.length).toBeGreaterThan(5);
  });

  it('answers a batch', async () => {
    const answers = await chatModel().batch([
      'What is the capital of Norway?',
      'What is the opposite of cold?',
    ]);
    expect(answers.map(({ text }) => text)).toEqual([
      'The capital of Norway is Oslo.',
      'The opposite of cold is hot.',
    ]);
  });

  it('calls tools, whole and streamed, and answers from their results', async () => {
    const bound = chatModel().bindTools([weather]);
    const question = new HumanMessage('What is the weather in Paris and Rome?');
    const first = await bound.invoke([question]);
    expect(first.tool_calls!.map(({ name, args }) => [name, args])).toEqual([
      ['get_weather', { city: 'Paris' }],
      ['get_weather', { city: 'Rome' }],
    ]);
    let streamed = new AIMessageChunk('');
    for await (const chunk of await bound.stream([question])) streamed = streamed.concat(chunk);
    expect(streamed.tool_calls!.map(({ args }) => args)).toEqual([{ city: 'Paris' }, { city: 'Rome' }]);
    const results: ToolMessage[] = [];
    for (const call of first.tool_calls!) results.push(await weather.invoke(call));
    expect((await bound.invoke([question, first, ...results])).text).toMatch(/Paris/);
  });

  it('gets an object of a schema, and a call that it asks for', async () => {
    const person = {
      title: 'person',
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'integer' } },
      required: ['name', 'age'],
      additionalProperties: false,
    };
    const held = chatModel().withStructuredOutput(person, { method: 'jsonSchema' });
    const question = 'Answer in JSON with the keys name and age. Anna is 7 years old.';
    expect(await held.invoke(question)).toEqual({ name: 'Anna', age: 7 });
    const forced = chatModel().bindTools([weather], { tool_choice: 'get_weather' });
    const { tool_calls } = await forced.invoke('What is the weather in Paris?');
    expect(tool_calls).toMatchObject([{ name: 'get_weather', args: { city: 'Paris' } }]);
  });

  it('reports log-probabilities', async () => {
    const model = new ChatOpenAI({ ...connection(), logprobs: true, topLogprobs: 2, maxTokens: 3 });
    const { response_metadata } = await model.invoke('What is the opposite of cold?');
    const logprobs = response_metadata.logprobs as { content: { top_logprobs: unknown[] }[] };
    expect(logprobs.content.map(({ top_logprobs }) => top_logprobs.length)).toEqual([2, 2, 2]);
  });

  it('continues a text', async () => {
    const model = new OpenAI({ ...connection(), maxTokens: 4 });
    expect((await model.invoke('Once upon a time')).length).toBeGreaterThan(5);
  });

  it('is stopped by its signal, and the pages come back', async () => {
    const abort = new AbortController();
    const stream = await chatModel().stream('Tell me a tale about a fox named Pip.', {
      signal: abort.signal,
    });
    const read = async () => {
      for await (const _ of stream) abort.abort();
    };
    await expect(read()).rejects.toThrow();
    const { cacheUse } = served.model;
    await expect.poll(() => served.model.cacheUse.freePages, { timeout: 10_000 }).toBe(cacheUse.pages);
  });
});
