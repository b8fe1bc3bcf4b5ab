import { describe, expect, it } from 'vitest';
import { contentText, validateMessages, validateTools } from './messages.js';

const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };

describe('messages', () => {
  it('are accepted as a client sends them back, with fields that say nothing as null', () => {
    const messages = [
      { role: 'system', content: 'a' },
      { role: 'user', content: [{ type: 'text', text: 'b' }], name: 'me' },
      { role: 'assistant', content: null, tool_calls: [call], refusal: null, audio: null },
      { role: 'tool', content: 'd', tool_call_id: 'c' },
      { role: 'assistant', content: 'e', reasoning_content: 'f', tool_calls: [] },
      { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] },
    ];
    expect(validateMessages(messages)).toBe(messages);
  });

  it.each([
    [undefined, 'messages'],
    [[], 'messages'],
    [['x'], 'messages[0]'],
    [[{ role: 'wizard', content: '' }], 'messages[0].role'],
    [[{ role: 'user', content: 1 }], 'messages[0].content'],
    [[{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }], 'messages[0].content[0].type'],
    [[{ role: 'user', content: [{ type: 'text' }] }], 'messages[0].content[0].text'],
    [[{ role: 'user', content: '', mood: 'good' }], 'messages[0].mood'],
    [[{ role: 'user', content: '', tool_calls: [call] }], 'messages[0].tool_calls'],
    [
      [{ role: 'assistant', tool_calls: [{ function: { name: '', arguments: '' } }] }],
      'messages[0].tool_calls[0].function.name',
    ],
    [
      [{ role: 'assistant', tool_calls: [{ function: { name: 'f' } }] }],
      'messages[0].tool_calls[0].function.arguments',
    ],
    [[{ role: 'assistant', tool_calls: [{ ...call, type: 'other' }] }], 'messages[0].tool_calls[0].type'],
    [[{ role: 'assistant', content: '', reasoning_content: 1 }], 'messages[0].reasoning_content'],
  ])('are refused with the field at fault: %j', (messages, field) => {
    expect(() => validateMessages(messages)).toThrow(`REQUEST_INVALID: field: ${field};`);
  });

  it('have their parts as one text', () => {
    expect(
      contentText([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]),
    ).toBe('a\nb');
    expect([contentText(null), contentText(undefined), contentText('a')]).toEqual(['', '', 'a']);
  });
});

describe('tools', () => {
  const tool = (name: unknown, more: object = {}) => ({ type: 'function', function: { name, ...more } });

  it('are accepted with what else they declare', () => {
    const tools = [tool('f', { description: 'd', parameters: { type: 'object' }, strict: true }), tool('g')];
    expect(validateTools(tools)).toBe(tools);
  });

  it.each([
    ['x', 'tools'],
    [[{ type: 'web_search' }], 'tools[0].type'],
    [[{ type: 'function' }], 'tools[0].function'],
    [[tool('')], 'tools[0].function.name'],
    [[tool('f'), tool('f')], 'tools[1].function.name'],
    [[tool('f', { description: 1 })], 'tools[0].function.description'],
    [[tool('f', { parameters: 'object' })], 'tools[0].function.parameters'],
  ])('are refused with the field at fault: %j', (tools, field) => {
    expect(() => validateTools(tools)).toThrow(`REQUEST_INVALID: field: ${field};`);
  });
});
