import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../../../tests/support/shared.js';
import type { ToolDefinition } from './messages.js';
import { parseToolCalls } from './tool-calls.js';

const tool = (name: string, properties: Record<string, unknown> = {}): ToolDefinition => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties } },
});

const weather = { name: 'get_weather', arguments: '{"city": "Oslo"}' };
const block = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';
const tools = [tool('get_weather', { city: { type: 'string' } }), tool('add')];

describe('calls with JSON', () => {
  it('are taken out of the text around them', () => {
    expect(parseToolCalls(block)).toEqual({ text: '', calls: [weather] });
    expect(parseToolCalls(`Let me look.\n${block}\n${block}\n`)).toEqual({
      text: 'Let me look.',
      calls: [weather, weather],
    });
    expect(parseToolCalls(`a ${block} b ${block} c`).text).toBe('a\nb\nc');
  });

  it('leave a text without calls as it is', () => {
    for (const text of ['', ' \nplain\n', 'a < b', '{"a": 1}', '</tool_call>']) {
      expect(parseToolCalls(text, tools)).toEqual({ text, calls: [] });
    }
  });

  it.each([
    ['arguments first', '{"arguments": {"city": "Oslo"}, "name": "get_weather"}', weather.arguments],
    [
      'parameters for arguments',
      '{"name": "get_weather", "parameters": {"city": "Oslo"}}',
      weather.arguments,
    ],
    [
      'arguments as a string of JSON',
      '{"name": "get_weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}',
      weather.arguments,
    ],
    ['no arguments', '{"name": "get_weather"}', '{}'],
    [
      'JSON over lines',
      '{\n  "name": "get_weather",\n  "arguments": {\n    "city": "Oslo"\n  }\n}',
      '{\n    "city": "Oslo"\n  }',
    ],
    [
      'line ends in a string',
      '{"name": "get_weather", "arguments": {"city": "Os\nlo\t"}}',
      '{"city": "Os\\nlo\\t"}',
    ],
    [
      'tags in a string',
      '{"name": "get_weather", "arguments": {"city": "</tool_call><tool_call>"}}',
      '{"city": "</tool_call><tool_call>"}',
    ],
    [
      'brackets and quotes in a string',
      '{"name": "get_weather", "arguments": {"a": "}]\\"}", "b": [{}]}}',
      '{"a": "}]\\"}", "b": [{}]}',
    ],
    [
      'numbers as they were written',
      '{"name": "get_weather", "arguments": {"a": 1.0, "b": 12345678901234567890}}',
      '{"a": 1.0, "b": 12345678901234567890}',
    ],
    [
      'a member named __proto__',
      '{"name": "get_weather", "arguments": {"__proto__": 1}}',
      '{"__proto__": 1}',
    ],
    ['a member written twice', '{"name": "x", "arguments": 1, "name": "get_weather", "arguments": {}}', '{}'],
    ['a name with escapes', '{"na\\u006de": "get_weather", "arguments": {}}', '{}'],
  ])('are read with %s', (_, json, args) => {
    const expected = { text: '', calls: [{ name: 'get_weather', arguments: args }] };
    expect(parseToolCalls(`<tool_call>\n${json}\n</tool_call>`, tools)).toEqual(expected);
    expect(parseToolCalls(`<tool_call>${json}`, tools)).toEqual(expected);
  });

  it.each([
    ['broken JSON', '<tool_call>\n{"name": "get_weather", "arguments": {"city": }}\n</tool_call>'],
    ['an open object', '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}'],
    ['an open string', '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo'],
    ['no name', '<tool_call>{"arguments": {}}</tool_call>'],
    ['a name that is no string', '<tool_call>{"name": 1, "arguments": {}}</tool_call>'],
    ['arguments that are no object', '<tool_call>{"name": "get_weather", "arguments": [1]}</tool_call>'],
    [
      'arguments in a string that are no object',
      '<tool_call>{"name": "get_weather", "arguments": "Oslo"}</tool_call>',
    ],
    ['more than the object', '<tool_call>{"name": "get_weather", "arguments": {}} and</tool_call>'],
    ['no object', '<tool_call>get_weather(Oslo)</tool_call>'],
    ['nothing', '<tool_call></tool_call>'],
    ['a tool that was not offered', '<tool_call>{"name": "rm", "arguments": {}}</tool_call>'],
  ])('stay text with %s', (_, text) => {
    expect(parseToolCalls(text, tools)).toEqual({ text, calls: [] });
  });

  it('are read after a block that stays text, and where a closing tag is forgotten between two', () => {
    const broken = '<tool_call>{"name": </tool_call>';
    expect(parseToolCalls(`${broken}\n${block}`)).toEqual({ text: broken, calls: [weather] });
    expect(parseToolCalls(block.replace('</tool_call>', '') + block).calls).toEqual([weather, weather]);
  });

  it('may be a bare object only where it names a tool that was offered', () => {
    const bare = ' {"name": "get_weather", "arguments": {"city": "Oslo"}}\n';
    expect(parseToolCalls(bare, tools)).toEqual({ text: '', calls: [weather] });
    expect(parseToolCalls(bare).calls).toEqual([]);
    expect(parseToolCalls(bare, [tool('other')]).calls).toEqual([]);
    expect(parseToolCalls(`So: ${bare}`, tools).calls).toEqual([]);
  });
});

describe('calls with XML', () => {
  const typed = [
    tool('f', {
      s: { type: 'string' },
      n: { type: 'number' },
      i: { type: ['integer', 'null'] },
      b: { type: 'boolean' },
      l: { type: 'array' },
      o: { type: 'object' },
      u: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    }),
  ];
  const called = (parameters: string, offered = typed) =>
    parseToolCalls(`<tool_call>\n<function=f>\n${parameters}\n</function>\n</tool_call>`, offered).calls[0]
      ?.arguments;
  const one = (key: string, value: string) => called(`<parameter=${key}>\n${value}\n</parameter>`);

  it.each([
    ['s', 'Oslo', '"Oslo"'],
    ['s', '1', '"1"'],
    ['s', '\n a\nb \n', '"\\n a\\nb \\n"'],
    ['n', '1.50', '1.50'],
    ['n', 'many', '"many"'],
    ['i', '12345678901234567890', '12345678901234567890'],
    ['i', 'null', 'null'],
    ['i', 'None', 'null'],
    ['b', 'True', 'true'],
    ['b', 'false', 'false'],
    ['l', '[1, "a"]', '[1, "a"]'],
    ['l', '{"a": 1}', '"{\\"a\\": 1}"'],
    ['o', '{"a": {"b": 1}}', '{"a": {"b": 1}}'],
    ['u', '3', '3'],
    ['u', 'three', '"three"'],
    ['unknown', '3', '"3"'],
    ['constructor', 'constructor', '"constructor"'],
  ])('have parameter %s, written %j, as %s', (key, value, json) => {
    expect(one(key, value)).toBe(`{"${key}": ${json}}`);
  });

  it('are read with several parameters, with none, and with an object', () => {
    expect(called('<parameter=s>a</parameter><parameter=n>1</parameter>')).toBe('{"s": "a", "n": 1}');
    expect(called('')).toBe('{}');
    expect(called('{"s": 1}')).toBe('{"s": 1}');
    expect(called('<parameter=n>1</parameter>', [tool('f')])).toBe('{"n": "1"}');
  });

  it('may lack the tags around them where the function was offered, and the closing tag of the function', () => {
    const bare = 'I look.\n<function=f>\n<parameter=s>\na\n</parameter>\n</function>';
    const calls = [{ name: 'f', arguments: '{"s": "a"}' }];
    expect(parseToolCalls(bare, typed)).toEqual({ text: 'I look.', calls });
    expect(parseToolCalls(bare).calls).toEqual([]);
    expect(parseToolCalls(bare, tools).calls).toEqual([]);
    expect(
      parseToolCalls('<tool_call><function=f><parameter=s>a</parameter></tool_call>', typed).calls,
    ).toEqual(calls);
  });

  it.each([
    '<tool_call><function=f><parameter=s>a',
    '<tool_call><function=f><parameter=s>a</parameter>',
    '<tool_call><function=f>what</function></tool_call>',
    '<tool_call><function=></function></tool_call>',
    '<tool_call><function=g></function></tool_call>',
  ])('stay text where they are not complete: %s', (text) => {
    expect(parseToolCalls(text, typed)).toEqual({ text, calls: [] });
  });
});

it('many broken blocks cost little', () => {
  const start = performance.now();
  for (const piece of ['<tool_call>{"a', '<tool_call>{', '<function=f><parameter=s>', '<tool_call> ']) {
    expect(parseToolCalls(piece.repeat(50_000), tools).calls).toEqual([]);
  }
  expect(performance.now() - start).toBeLessThan(5000);
});

describe.skipIf(!hasShared('models/tale-eval.jsonl'))('answers of Tale (needs ../shared/models)', () => {
  interface Question {
    kind: string;
    tools: ToolDefinition[] | null;
    expected: string;
    match: string;
    expected_tool_calls?: { name: string; arguments: unknown }[];
  }

  it('have the calls that are expected of them, and no others', () => {
    const lines = readFileSync(sharedPath('models/tale-eval.jsonl'), 'utf8').trim().split('\n');
    let calls = 0;
    for (const question of lines.map((line) => JSON.parse(line) as Question)) {
      if (question.match !== 'exact') continue;
      const parsed = parseToolCalls(question.expected, question.tools ?? undefined);
      const read = parsed.calls.map((call) => ({
        name: call.name,
        arguments: JSON.parse(call.arguments) as unknown,
      }));
      expect(read).toEqual(question.expected_tool_calls ?? []);
      if (read.length === 0) expect(parsed.text).toBe(question.expected);
      calls += read.length;
    }
    expect(calls).toBeGreaterThan(15);
  });
});
