import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTaleClient } from './open-client.js';
import type { OpenServer } from './open-server.js';

const tools: OpenAI.Chat.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'Get the weather in a city.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];
const ask = (content: string) => [{ role: 'user' as const, content }];
const quick = { temperature: 0, reasoning_effort: 'none' as const };

let served: OpenServer;
let client: OpenAI;
let model: string;

beforeAll(async () => {
  ({ served, client, model } = await openTaleClient());
});
afterAll(() => served?.[Symbol.asyncDispose]());

describe('the openai client', () => {
  it('lists the model', async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual([model]);
    expect((await client.models.retrieve(model)).id).toBe(model);
  });

  it('chats, with the reasoning as a field of its own', async () => {
    const answer = await client.chat.completions.create({
      model,
      messages: ask('What is the capital of Norway?'),
      temperature: 0,
    });
    const { message, finish_reason } = answer.choices[0]!;
    expect(message.content).toBe('The capital of Norway is Oslo.');
    expect(message).toHaveProperty(
      'reasoning_content',
      'The user asks for the capital of Norway. It is Oslo.',
    );
    expect(finish_reason).toBe('stop');
    expect(answer.usage!.total_tokens).toBe(answer.usage!.prompt_tokens + answer.usage!.completion_tokens);
  });

  it('streams the same, with usage at the end', async () => {
    const stream = await client.chat.completions.create({
      model,
      messages: ask('What is the capital of Norway?'),
      ...quick,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let chunks = 0;
    let last: OpenAI.Chat.ChatCompletionChunk | undefined;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      chunks++;
      last = chunk;
    }
    expect(text).toBe('The capital of Norway is Oslo.');
    expect(chunks).toBeGreaterThan(5);
    expect(last).toMatchObject({ choices: [], usage: { completion_tokens: expect.any(Number) } });
  });

  it('makes several answers, each with its own seed', async () => {
    const create = (seed: number, n: number) =>
      client.chat.completions.create({
        model,
        messages: ask('Tell me a tale about a fox named Pip.'),
        temperature: 1.5,
        top_p: 1,
        reasoning_effort: 'none',
        max_tokens: 8,
        seed,
        n,
      });
    const { choices } = await create(1, 2);
    expect(choices.map(({ index, finish_reason }) => [index, finish_reason])).toEqual([
      [0, 'length'],
      [1, 'length'],
    ]);
    expect((await create(2, 1)).choices[0]!.message.content).toBe(choices[1]!.message.content);
  });

  it('reports log-probabilities that fit the text', async () => {
    const { choices } = await client.chat.completions.create({
      model,
      messages: ask('What is the opposite of cold?'),
      ...quick,
      logprobs: true,
      top_logprobs: 3,
    });
    const content = choices[0]!.logprobs!.content!;
    expect(content.map(({ token }) => token).join('')).toBe(choices[0]!.message.content);
    for (const { token, logprob, top_logprobs } of content) {
      expect(top_logprobs).toHaveLength(3);
      expect(top_logprobs[0]).toMatchObject({ token, logprob });
      expect(logprob).toBeLessThanOrEqual(0);
    }
  });

  it('stops before a text, and is steered by a bias', async () => {
    const stopped = await client.chat.completions.create({
      model,
      messages: ask('What is the capital of Norway?'),
      ...quick,
      stop: [' is '],
    });
    expect(stopped.choices[0]!.message.content).toBe('The capital of Norway');
    const [the] = served.model.tokenizer.encode('The');
    const biased = await client.chat.completions.create({
      model,
      messages: ask('What is the capital of Norway?'),
      ...quick,
      logit_bias: { [the!]: -100 },
      max_completion_tokens: 5,
    });
    expect(biased.choices[0]!.message.content).not.toMatch(/^The/);
  });

  it('calls tools, and answers from their results', async () => {
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = ask('What is the weather in Paris and Rome?');
    const first = await client.chat.completions.create({ model, messages, tools, ...quick });
    const { message, finish_reason } = first.choices[0]!;
    expect(finish_reason).toBe('tool_calls');
    expect(message.content).toBeNull();
    const calls = message.tool_calls!.filter((call) => call.type === 'function');
    expect(calls.map((call) => JSON.parse(call.function.arguments))).toEqual([
      { city: 'Paris' },
      { city: 'Rome' },
    ]);
    messages.push(message);
    for (const [index, { id }] of calls.entries()) {
      messages.push({ role: 'tool', tool_call_id: id, content: `${index + 5} degrees and sunny` });
    }
    const second = await client.chat.completions.create({ model, messages, tools, ...quick });
    expect(second.choices[0]!.message.content).toMatch(/Paris/);
  });

  it('streams parallel calls, each with its name first', async () => {
    const runner = client.chat.completions.stream({
      model,
      messages: ask('What is the weather in Paris and Rome?'),
      tools,
      temperature: 0,
    });
    const names: string[] = [];
    runner.on('tool_calls.function.arguments.done', ({ name, arguments: args }) =>
      names.push(`${name}${args}`),
    );
    const { choices } = await runner.finalChatCompletion();
    expect(names).toEqual(['get_weather{"city": "Paris"}', 'get_weather{"city": "Rome"}']);
    expect(choices[0]!.finish_reason).toBe('tool_calls');
    expect(choices[0]!.message.tool_calls!.map(({ type }) => type)).toEqual(['function', 'function']);
  });

  it('calls one tool where calls must not be parallel, and none where tools are hidden', async () => {
    const messages = ask('What is the weather in Paris and Rome?');
    for (const stream of [false, true]) {
      const params = { model, messages, tools, ...quick, parallel_tool_calls: false };
      const { choices } = stream
        ? await client.chat.completions.stream(params).finalChatCompletion()
        : await client.chat.completions.create(params);
      expect(choices[0]!.message.tool_calls).toHaveLength(1);
      expect(choices[0]!.finish_reason).toBe('tool_calls');
    }
    const hidden = await client.chat.completions.create({
      model,
      messages,
      tools,
      ...quick,
      tool_choice: 'none',
    });
    expect(hidden.choices[0]!.message.tool_calls).toBeUndefined();
  });

  it('continues texts and tokens', async () => {
    const prompt = 'Once upon a time';
    const settings = { model, temperature: 0, max_tokens: 4 };
    const { choices, usage } = await client.completions.create({ ...settings, prompt, echo: true });
    expect(choices[0]!.text.startsWith(prompt)).toBe(true);
    const tokens = served.model.tokenizer.encode(prompt);
    expect(usage).toMatchObject({ prompt_tokens: tokens.length, completion_tokens: 4 });
    const answer = choices[0]!.text.slice(prompt.length);
    const several = await client.completions.create({ ...settings, prompt: [tokens, tokens], logprobs: 2 });
    expect(several.choices.map(({ text }) => text)).toEqual([answer, answer]);
    const { tokens: words, text_offset, top_logprobs } = several.choices[1]!.logprobs!;
    expect(words!.join('')).toBe(answer);
    expect(text_offset![1]).toBe(words![0]!.length);
    expect(Object.keys(top_logprobs![0]!)).toHaveLength(2);
    let streamed = '';
    for await (const chunk of await client.completions.create({ ...settings, prompt, stream: true })) {
      streamed += chunk.choices[0]!.text;
    }
    expect(streamed).toBe(answer);
  });

  it('sets a budget for thinking and a time to end, and says what was in the cache', async () => {
    const messages = ask('What is the capital of Norway?');
    const create = (fields: object) =>
      client.chat.completions.create({
        model,
        messages,
        temperature: 0,
        ...fields,
      } as OpenAI.Chat.ChatCompletionCreateParamsNonStreaming);
    const budgeted = await create({ thinking_budget: 3 });
    const [choice] = budgeted.choices;
    // The line end behind the tag is one of them.
    const reasoning = String(Reflect.get(choice!.message, 'reasoning_content'));
    expect([1, 2, 3]).toContain(served.model.tokenizer.encode(reasoning).length);
    expect(choice).toMatchObject({
      finish_reason: 'stop',
      message: { content: expect.stringMatching(/\S/) },
    });
    const endless = { ignore_eos: true, timeout_ms: 50 };
    const ended = await create(endless);
    expect(ended.choices[0]!.finish_reason).toBe('length');
    const long = 'Tell me a tale about a fox named Pip who lives by the river and wants to see the sea. ';
    const prompt = { messages: ask(long.repeat(3)), max_tokens: 1 };
    await create(prompt);
    const { usage } = await create(prompt);
    const { cached_tokens: cached = 0 } = usage!.prompt_tokens_details!;
    expect(cached).toBeGreaterThan(31);
    expect(cached).toBeLessThan(usage!.prompt_tokens);
  });

  it('slides where the context ends, if it is asked to', async () => {
    const input = 'Say nothing about it. '.repeat(300);
    const params = { model, input, temperature: 0, max_output_tokens: 4 };
    await expect(client.responses.create(params)).rejects.toMatchObject({ code: 'context_length_exceeded' });
    const { usage } = await client.responses.create({ ...params, truncation: 'auto' });
    expect(usage!.input_tokens).toBeGreaterThan(1024);
  }, 60_000);

  it('makes embeddings, as floats and as it asks for them by itself', async () => {
    const input = ['The cat sat on the mat.', 'A cat sat on a mat.', 'What is 47 + 38?'];
    const { data, usage } = await client.embeddings.create({ model, input });
    expect(data.map(({ index }) => index)).toEqual([0, 1, 2]);
    const [cat, other, sum] = data.map(({ embedding }) => embedding);
    const alike = (a: number[], b: number[]) => a.reduce((all, value, i) => all + value * b[i]!, 0);
    expect(alike(cat!, cat!)).toBeCloseTo(1, 5);
    expect(alike(cat!, other!)).toBeGreaterThan(alike(cat!, sum!));
    const tokens = input.map((text) => served.model.tokenizer.encode(text));
    expect(usage.prompt_tokens).toBe(tokens.flat().length);
    const floats = await client.embeddings.create({ model, input: tokens[1]!, encoding_format: 'float' });
    expect(floats.data[0]!.embedding).toEqual(other);
    const refused = client.embeddings.create({ model, input: ['a', 'word '.repeat(2000)] });
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' });
    await expect(client.embeddings.create({ model, input: '' })).rejects.toMatchObject({ param: 'input' });
  });

  it('is told what is wrong, by status and field', async () => {
    const failing = (fields: object) =>
      client.chat.completions
        .create({
          model,
          messages: ask('Hi'),
          ...fields,
        } as OpenAI.Chat.ChatCompletionCreateParamsNonStreaming)
        .then(
          () => expect.fail('was not refused'),
          (error: unknown) => error as InstanceType<typeof OpenAI.APIError>,
        );
    expect(await failing({ temperature: 3 })).toMatchObject({ status: 400, param: 'temperature' });
    expect(await failing({ model: 'gpt-x' })).toBeInstanceOf(OpenAI.NotFoundError);
    expect(await failing({ messages: ask('word '.repeat(2000)) })).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      message: expect.stringMatching(/1024 tokens, and the prompt has \d{4}/),
    });
    const format = { type: 'json_schema', json_schema: { name: 'a', schema: { not: {} } } };
    expect(await failing({ response_format: format })).toMatchObject({
      status: 400,
      param: 'response_format.json_schema.schema.not',
    });
    expect(await failing({ tool_choice: 'required' })).toMatchObject({
      status: 400,
      param: 'tool_choice',
    });
  });

  it('gives each of many at the same time the answer that it gets alone', async () => {
    const answer = async (index: number) => {
      const { choices } = await client.chat.completions.create({
        model,
        messages: ask(`Tell me a tale about a fox named Pip ${index}.`),
        reasoning_effort: 'none',
        temperature: 1,
        seed: index,
        max_tokens: 10,
      });
      return choices[0]!.message.content;
    };
    const indices = Array.from({ length: 8 }, (_, index) => index);
    const together = await Promise.all(indices.map(answer));
    const alone: unknown[] = [];
    for (const index of indices) alone.push(await answer(index));
    expect(together).toEqual(alone);
    expect(new Set(alone).size).toBeGreaterThan(4);
  });

  it('aborts a stream, and the pages come back', async () => {
    const { cacheUse } = served.model;
    const stream = await client.chat.completions.create({
      model,
      messages: ask('Tell me a tale about a fox named Pip.'),
      stream: true,
      ...{ ignore_eos: true },
    });
    for await (const _ of stream) break;
    stream.controller.abort();
    await expect.poll(() => served.model.cacheUse, { timeout: 10_000 }).toEqual(cacheUse);
  });
});
