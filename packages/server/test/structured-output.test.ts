import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateObject, streamObject } from 'ai';
import type OpenAI from 'openai';
import { zodFunction, zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openTaleClient } from './open-client.js';
import type { OpenServer } from './open-server.js';

const fox = z.object({
  name: z.string().min(1).max(8),
  age: z.int().min(0).max(20),
  colour: z.enum(['red', 'grey']),
  friends: z.array(z.string().max(6)).max(2),
  den: z.union([z.object({ hill: z.string().max(6) }), z.null()]),
});
const ask = (content: string) => [{ role: 'user' as const, content }];
const hot = { temperature: 1.5, reasoning_effort: 'none' as const };

let served: OpenServer;
let client: OpenAI;
let model: string;

beforeAll(async () => {
  ({ served, client, model } = await openTaleClient());
});
afterAll(() => served?.[Symbol.asyncDispose]());

describe('the openai client', () => {
  it.each([1, 2, 3])('parses an answer that zod describes, at temperature 1.5 (seed %d)', async (seed) => {
    const { choices } = await client.chat.completions.parse({
      model,
      messages: ask('Tell me about a fox.'),
      response_format: zodResponseFormat(fox, 'fox'),
      seed,
      ...hot,
    });
    expect(choices[0]!.finish_reason).toBe('stop');
    expect(fox.parse(choices[0]!.message.parsed)).toEqual(choices[0]!.message.parsed);
  });

  it('parses after the model has thought', async () => {
    const { choices } = await client.chat.completions.parse({
      model,
      messages: ask('What is the capital of Norway?'),
      response_format: zodResponseFormat(z.object({ capital: z.string().max(12) }), 'capital'),
      temperature: 0,
    });
    expect(choices[0]!.message).toHaveProperty(
      'reasoning_content',
      'The user asks for the capital of Norway. It is Oslo.',
    );
    expect(choices[0]!.message.parsed).toEqual({ capital: expect.any(String) });
  });

  it('streams an answer that zod describes', async () => {
    const stream = client.chat.completions.stream({
      model,
      messages: ask('Tell me about a fox.'),
      response_format: zodResponseFormat(fox, 'fox'),
      seed: 4,
      ...hot,
    });
    const { choices } = await stream.finalChatCompletion();
    expect(fox.parse(choices[0]!.message.parsed)).toBeDefined();
  });

  it('parses a response that zod describes, and is told its format', async () => {
    const response = await client.responses.parse({
      model,
      input: 'Tell me about a fox.',
      reasoning: { effort: 'none' },
      text: { format: zodTextFormat(fox, 'fox') },
    });
    expect(fox.parse(response.output_parsed)).toBeDefined();
    expect(response.text?.format).toMatchObject({ type: 'json_schema', name: 'fox' });
  });

  it('gets an object in JSON mode', async () => {
    const { choices } = await client.chat.completions.create({
      model,
      messages: ask('Tell me about a fox.'),
      response_format: { type: 'json_object' },
      max_tokens: 200,
      temperature: 0.5,
      seed: 1,
      reasoning_effort: 'none',
    });
    const { message, finish_reason } = choices[0]!;
    expect(message.content).toMatch(/^\{/);
    if (finish_reason === 'stop') expect(typeof JSON.parse(message.content!)).toBe('object');
  });

  it('parses the arguments of a call that has to come, required or by name', async () => {
    const tools = [
      zodFunction({ name: 'count', parameters: z.object({ from: z.int().max(9), to: z.int().max(9) }) }),
      zodFunction({ name: 'paint', parameters: z.object({ colour: z.enum(['red', 'blue']) }) }),
    ];
    for (const choice of ['required' as const, { type: 'function' as const, function: { name: 'paint' } }]) {
      const { choices } = await client.chat.completions.parse({
        model,
        messages: ask('Hi.'),
        tools,
        tool_choice: choice,
        parallel_tool_calls: false,
        seed: 7,
        ...hot,
      });
      const [call, ...others] = choices[0]!.message.tool_calls ?? [];
      expect(others).toEqual([]);
      expect(choices[0]!.finish_reason).toBe('tool_calls');
      if (choice !== 'required') expect(call!.function.name).toBe('paint');
      expect(call!.function.parsed_arguments).toMatchObject(
        call!.function.name === 'paint' ? { colour: expect.any(String) } : { from: expect.any(Number) },
      );
    }
  });

  it('gets a call in a response', async () => {
    const response = await client.responses.create({
      model,
      input: 'Hi.',
      reasoning: { effort: 'none' },
      tools: [
        { type: 'function', name: 'stop', strict: null, parameters: { type: 'object', properties: {} } },
      ],
      tool_choice: { type: 'function', name: 'stop' },
    });
    expect(response.output).toMatchObject([{ type: 'function_call', name: 'stop', arguments: '{}' }]);
  });
});

describe('the AI SDK', () => {
  const compatible = (supportsStructuredOutputs: boolean) =>
    createOpenAICompatible({ name: 'pocketllm', baseURL: `${served.url}/v1`, supportsStructuredOutputs })(
      model,
    );

  it('generates an object', async () => {
    const { object } = await generateObject({
      model: compatible(true),
      schema: fox,
      prompt: 'Tell me about a fox.',
      temperature: 1.5,
      seed: 3,
      providerOptions: { pocketllm: { reasoningEffort: 'none' } },
    });
    expect(fox.parse(object)).toEqual(object);
  });

  it('streams an object', async () => {
    const { object, partialObjectStream } = streamObject({
      model: compatible(true),
      schema: fox,
      prompt: 'Tell me about a fox.',
      seed: 3,
    });
    for await (const _ of partialObjectStream);
    expect(fox.parse(await object)).toBeDefined();
  });

  it('generates one of some values', async () => {
    const { object } = await generateObject({
      model: compatible(true),
      output: 'enum',
      enum: ['fox', 'owl'],
      prompt: 'Which animal is it?',
      temperature: 1,
    });
    expect(['fox', 'owl']).toContain(object);
  });
});

interface Answered {
  readonly choices?: { readonly text?: string; readonly message?: { readonly content: string } }[];
}

describe('a request', () => {
  const held = async (path: string, fields: object) => {
    const prompt =
      path === '/v1/completions' ? { prompt: 'Hi' } : { messages: ask('Hi'), reasoning_effort: 'none' };
    const response = await served.post(path, { ...prompt, max_tokens: 60, temperature: 1.5, ...fields });
    const body = (await response.json()) as Answered;
    return {
      status: response.status,
      body,
      text: body.choices?.[0]?.text ?? body.choices?.[0]?.message?.content,
    };
  };

  it.each(['/v1/chat/completions', '/v1/completions'])(
    'is held as vLLM and llama.cpp have it: %s',
    async (path) => {
      const fields: [object, RegExp][] = [
        [{ structured_outputs: { regex: '[0-9]{3}' } }, /^\d{3}$/],
        [{ structured_outputs: { choice: ['yes', 'no'] } }, /^(yes|no)$/],
        [{ structured_outputs: { grammar: 'root ::= "a" [bc]{2}' } }, /^a[bc]{2}$/],
        [{ structured_outputs: { json: { type: 'boolean' } } }, /^(true|false)$/],
        [{ grammar: 'root ::= "x" | "y"' }, /^[xy]$/],
      ];
      for (const [field, pattern] of fields) expect((await held(path, field)).text).toMatch(pattern);
    },
  );

  it.each<[string, string, object]>([
    [
      'response_format.json_schema.schema.properties.a.not',
      '/v1/chat/completions',
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'a', schema: { type: 'object', properties: { a: { not: {} } } } },
        },
      },
    ],
    ['structured_outputs.regex', '/v1/completions', { structured_outputs: { regex: '(' } }],
    ['structured_outputs.json.if', '/v1/completions', { structured_outputs: { json: { if: {} } } }],
    ['structured_outputs', '/v1/completions', { structured_outputs: {} }],
    ['grammar', '/v1/chat/completions', { grammar: 'root ::= x' }],
    [
      'grammar',
      '/v1/chat/completions',
      { grammar: 'root ::= "a"', response_format: { type: 'json_object' } },
    ],
    ['tool_choice', '/v1/chat/completions', { tool_choice: 'required' }],
    [
      'tools[0].function.parameters.not',
      '/v1/chat/completions',
      {
        tool_choice: 'required',
        tools: [{ type: 'function', function: { name: 'f', parameters: { not: {} } } }],
      },
    ],
  ])('that cannot be held to is 400 with %s', async (param, path, fields) => {
    expect(await held(path, fields)).toMatchObject({
      status: 400,
      body: { error: { param, type: 'invalid_request_error' } },
    });
  });
});
