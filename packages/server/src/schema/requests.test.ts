import { describe, expect, it } from 'vitest';
import { ApiError } from '../errors/api-error.js';
import { chatRequest } from './chat-request.js';
import { checkBody } from './check-body.js';
import { completionRequest } from './completion-request.js';
import { responseRequest } from './response-request.js';
import { generationOptions } from './sampling.js';
import { tokenizeRequest } from './tokenize-request.js';

const messages = [{ role: 'user', content: 'Hi' }];

function refusal(check: () => unknown) {
  try {
    check();
  } catch (error) {
    if (error instanceof ApiError) return error.body.error;
  }
  throw new Error('was not refused');
}

describe('a chat request', () => {
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
  it.each([
    [
      'a message that a client got from here',
      [{ role: 'assistant', content: null, refusal: null, tool_calls: [call] }],
    ],
    ['parts of text', [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]],
    ['the result of a tool', [{ role: 'tool', tool_call_id: 'a', content: '5' }]],
    ['a developer', [{ role: 'developer', content: 'Be brief.' }]],
  ])('may have %s', (_, given) => {
    expect(checkBody(chatRequest, { messages: given }).warnings).toEqual([]);
  });

  it.each([
    [
      'an image',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
      'messages[0].content[0].type',
    ],
    ['no messages', {}, 'messages'],
    ['an empty list', { messages: [] }, 'messages'],
    ['an odd role', { messages: [{ role: 'function', content: 'a' }] }, 'messages[0].role'],
    ['a temperature beyond 2', { messages, temperature: 2.1 }, 'temperature'],
    ['no answers', { messages, n: 0 }, 'n'],
    ['an empty stop', { messages, stop: '' }, 'stop'],
    ['top_logprobs alone', { messages, top_logprobs: 1 }, 'top_logprobs'],
    ['both limits', { messages, max_tokens: 1, max_completion_tokens: 1 }, 'max_completion_tokens'],
    ['an odd choice of tools', { messages, tool_choice: 'any' }, 'tool_choice'],
    ['a named call without a name', { messages, tool_choice: { type: 'function' } }, 'tool_choice.function'],
    [
      'a schema without a name',
      { messages, response_format: { type: 'json_schema', json_schema: {} } },
      'response_format.json_schema.name',
    ],
    ['an odd format', { messages, response_format: { type: 'xml' } }, 'response_format.type'],
    ['two structures', { messages, structured_outputs: { regex: 'a', choice: ['b'] } }, 'structured_outputs'],
    ['audio', { messages, audio: { voice: 'a' } }, 'audio'],
  ])('is refused with %s', (_, body, param) => {
    expect(refusal(() => checkBody(chatRequest, body)).param).toBe(param);
  });

  it('says what it is that cannot be done yet', () => {
    expect(refusal(() => checkBody(chatRequest, { messages, functions: [] })).code).toBe(
      'unsupported_parameter',
    );
  });

  it('says of a part of a field that it has no effect', () => {
    const tools = [{ type: 'function', function: { name: 'f', strict: true } }];
    expect(checkBody(chatRequest, { messages, tools }).warnings).toEqual([
      'tools: strict has no effect; calls are held to their schema where tool_choice forces one.',
    ]);
    expect(checkBody(responseRequest, { input: 'a', reasoning: { summary: 'auto' } }).warnings).toHaveLength(
      1,
    );
  });

  it('becomes what the runtime takes, each answer with a seed of its own', () => {
    const { value } = checkBody(chatRequest, {
      messages,
      seed: 5,
      stop: 'x',
      top_k: 3,
      logit_bias: { 7: -1 },
    });
    expect(generationOptions(value, 2)).toEqual({ seed: 7, stop: ['x'], topK: 3, logitBias: { 7: -1 } });
  });
});

describe('a completion request', () => {
  it.each([['a'], [['a', 'b']], [[1, 2]], [[[1], [2, 3]]]])('takes the prompt %j', (prompt) => {
    expect(checkBody(completionRequest, { prompt }).value.prompt).toEqual(prompt);
  });

  it.each([
    ['a suffix', { prompt: 'a', suffix: 'b' }, 'suffix'],
    ['an empty list', { prompt: [] }, 'prompt'],
    ['mixed prompts', { prompt: ['a', 1] }, 'prompt[1]'],
    ['ids below 0', { prompt: [-1] }, 'prompt[0]'],
    ['better answers of many', { prompt: 'a', best_of: 2 }, 'best_of'],
  ])('is refused with %s', (_, body, param) => {
    expect(refusal(() => checkBody(completionRequest, body)).param).toBe(param);
  });
});

it('what is tokenized is either a text or a conversation', () => {
  expect(refusal(() => checkBody(tokenizeRequest, {})).param).toBe('prompt');
  expect(refusal(() => checkBody(tokenizeRequest, { prompt: 'a', messages })).param).toBe('prompt');
});
