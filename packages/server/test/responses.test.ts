import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTaleClient } from './open-client.js';
import type { OpenServer } from './open-server.js';

const tools: OpenAI.Responses.FunctionTool[] = [
  {
    type: 'function',
    name: 'get_weather',
    description: 'Get the weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    strict: null,
  },
];

let served: OpenServer;
let client: OpenAI;
let model: string;

beforeAll(async () => {
  ({ served, client, model } = await openTaleClient());
});
afterAll(() => served?.[Symbol.asyncDispose]());

describe('a response', () => {
  it('is reasoning and a message, with usage', async () => {
    const response = await client.responses.create({
      model,
      input: 'What is the capital of Norway?',
      temperature: 0,
    });
    expect(response.output_text).toBe('The capital of Norway is Oslo.');
    expect(response.status).toBe('completed');
    expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    expect(response.output[0]).toMatchObject({
      content: [{ type: 'reasoning_text', text: 'The user asks for the capital of Norway. It is Oslo.' }],
    });
    const { output_tokens, output_tokens_details } = response.usage!;
    expect(output_tokens_details.reasoning_tokens).toBeGreaterThan(5);
    expect(output_tokens).toBeGreaterThan(output_tokens_details.reasoning_tokens);
  });

  it('streams the events that make up the whole', async () => {
    const stream = client.responses.stream({
      model,
      instructions: 'Always end with "Ahoy!"',
      input: 'What is the capital of Norway?',
      temperature: 0,
    });
    const types: string[] = [];
    let number = 0;
    let text = '';
    for await (const event of stream) {
      types.push(event.type);
      expect(event.sequence_number).toBe(number++);
      if (event.type === 'response.output_text.delta') text += event.delta;
    }
    const response = await stream.finalResponse();
    expect(text).toBe('The capital of Norway is Oslo. Ahoy!');
    expect(response.output_text).toBe(text);
    expect(types.filter((type) => !type.endsWith('.delta'))).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.reasoning_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  it.each([false, true])('calls tools and goes on from their results (streamed: %s)', async (isStreamed) => {
    const input: OpenAI.Responses.ResponseInputItem[] = [
      { role: 'user', content: [{ type: 'input_text', text: 'What is the weather in Paris and Rome?' }] },
    ];
    const settings = { model, tools, temperature: 0 };
    const { output }: { output: OpenAI.Responses.ResponseOutputItem[] } = isStreamed
      ? await client.responses.stream({ ...settings, input }).finalResponse()
      : await client.responses.create({ ...settings, input });
    const calls = output.filter((item) => item.type === 'function_call');
    expect(calls.map(({ name, arguments: args }) => [name, JSON.parse(args)])).toEqual([
      ['get_weather', { city: 'Paris' }],
      ['get_weather', { city: 'Rome' }],
    ]);
    input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
    for (const { call_id } of calls) {
      input.push({ type: 'function_call_output', call_id, output: 'It is 5 degrees and sunny.' });
    }
    const second = await client.responses.create({ ...settings, input });
    expect(second.output_text).toMatch(/Paris/);
  });

  it('that was cut off says so', async () => {
    const response = await client.responses.create({
      model,
      input: 'What is the capital of Norway?',
      reasoning: { effort: 'none' },
      temperature: 0,
      max_output_tokens: 3,
    });
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
    expect(response.output[0]).toMatchObject({ type: 'message', status: 'incomplete' });
  });

  it.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['background', { background: true }],
    ['text.verbosity', { text: { verbosity: 'low' } }],
    ['tools[0].type', { tools: [{ type: 'web_search' }] }],
    [
      'input[0].content[0].type',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'a' }] }] },
    ],
    ['input', { input: 'word '.repeat(2000) }],
  ])('is refused for its %s', async (param, fields) => {
    const response = await served.post('/v1/responses', { input: 'Hi', ...fields });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param } });
  });
});
