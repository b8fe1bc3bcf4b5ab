import { beforeAll, describe, expect, it } from 'vitest';
import { taleTokenizer } from '../../../../tests/support/tale-tokenizer.js';
import { parseToolCalls, type ToolDefinition } from '../chat/index.js';
import type { Tokenizer } from '../tokenizer/index.js';
import { type ConstraintOptions, Constraints } from './constraints.js';

const tools: ToolDefinition[] = [
  {
    type: 'function',
    function: {
      name: 'weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
  { type: 'function', function: { name: 'now' } },
];
const templates = {
  tagged: 'uses <tool_call>',
  function: '<tool_call>\n<function=',
  bare: '{"name": ..., "parameters"',
};

let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = await taleTokenizer();
});

/** Whether an answer is whole under these options. */
async function fits(text: string, options: ConstraintOptions, template = templates.tagged): Promise<boolean> {
  const habits = { source: template, reasoning: undefined, reasoningTokens: new Set<number>() };
  const constraint = await new Constraints(tokenizer, habits).ofChat('', options)!();
  const logits = new Float32Array(tokenizer.vocabularySize);
  try {
    for (const id of [...tokenizer.encode(text), [...tokenizer.endOfGeneration][0]!]) {
      logits.fill(0);
      constraint.mask(logits);
      if (logits[id] !== 0) return false;
      constraint.accept(id);
    }
    return true;
  } finally {
    constraint.dispose();
  }
}

const weather = '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>';
const now = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>';

describe('a tool that has to be called', () => {
  it.each<[string, ConstraintOptions, boolean]>([
    [weather, { tools, toolChoice: 'required' }, true],
    [`${weather}\n${now}`, { tools, toolChoice: 'required' }, true],
    [`${weather}\n${now}`, { tools, toolChoice: 'required', parallelCalls: false }, false],
    ['Oslo', { tools, toolChoice: 'required' }, false],
    [now, { tools, toolChoice: { name: 'weather' } }, false],
    [now, { tools, toolChoice: { name: 'now' } }, true],
    [`${now}\n${now}`, { tools, toolChoice: { name: 'now' } }, false],
    [weather.replace('"Oslo"', '1'), { tools, toolChoice: 'required' }, false],
    ['{}', { tools, responseFormat: { type: 'json_object' } }, true],
    [now, { tools, responseFormat: { type: 'json_object' } }, true],
    ['{}', { tools, toolChoice: 'required', responseFormat: { type: 'json_object' } }, false],
  ])('%j under %j: %s', async (text, options, isWhole) => {
    expect(await fits(text, options)).toBe(isWhole);
  });

  it.each<[keyof typeof templates, string]>([
    ['tagged', weather],
    ['function', '<tool_call>\n<function=weather>\n{"city": "Oslo"}\n</function>\n</tool_call>'],
    ['bare', '{"name": "weather", "parameters": {"city": "Oslo"}}'],
  ])('is called as the template has it (%s), so that it is read as a call', async (style, text) => {
    expect(await fits(text, { tools, toolChoice: { name: 'weather' } }, templates[style])).toBe(true);
    expect(parseToolCalls(text, tools).calls).toEqual([{ name: 'weather', arguments: '{"city": "Oslo"}' }]);
  });

  it.each<[string, ConstraintOptions]>([
    ['toolChoice', { toolChoice: 'required' }],
    ['toolChoice', { tools, toolChoice: { name: 'other' } }],
    ['constraint', { constraint: () => Promise.reject(), responseFormat: { type: 'json_object' } }],
    [
      'tools[0].function.parameters.not',
      {
        tools: [{ type: 'function', function: { name: 'a', parameters: { not: {} } } }],
        toolChoice: 'required',
      },
    ],
    [
      'tools[0].function.parameters.type',
      {
        tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'string' } } }],
        toolChoice: 'required',
      },
    ],
  ])('%s is refused', (field, options) => {
    const details = expect.objectContaining({ field });
    expect(() => new Constraints(tokenizer).ofChat('', options)).toThrow(
      expect.objectContaining({ code: 'REQUEST_INVALID', details }),
    );
  });
});

describe('a format', () => {
  it.each<[ConstraintOptions['responseFormat'], string, string]>([
    [{ type: 'json_object' }, '{"a": [1]}', '[1]'],
    [{ type: 'regex', pattern: 'a|[0-9]+' }, '42', '4a'],
    [{ type: 'choice', choices: ['yes', 'yes, no'] }, 'yes', 'yes,'],
    [{ type: 'grammar', grammar: 'root ::= "any value" x\nx ::= "!"' }, 'any value!', 'any value'],
  ])('%j', async (responseFormat, whole, other) => {
    expect(await fits(whole, { responseFormat })).toBe(true);
    expect(await fits(other, { responseFormat })).toBe(false);
  });

  it('of text holds to nothing', () => {
    const constraints = new Constraints(tokenizer);
    expect(constraints.ofText({ responseFormat: { type: 'text' } })).toBeUndefined();
    expect(constraints.ofText({})).toBeUndefined();
    expect(constraints.ofChat('', { tools })).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['responseFormat.type', { type: 'xml' }],
    ['responseFormat.choices', { type: 'choice', choices: [] }],
    ['responseFormat.choices[0]', { type: 'choice', choices: [1] }],
    ['responseFormat.grammar', { type: 'grammar' }],
    ['responseFormat.grammar', { type: 'grammar', grammar: 'x'.repeat(300_000) }],
    ['responseFormat.pattern', { type: 'regex', pattern: '[' }],
    ['responseFormat.schema', { type: 'json_schema' }],
  ])('%s of %j is refused', (field, responseFormat) => {
    const details = expect.objectContaining({ field });
    expect(() => new Constraints(tokenizer).ofText({ responseFormat } as ConstraintOptions)).toThrow(
      expect.objectContaining({ code: 'REQUEST_INVALID', details }),
    );
  });

  it('that would take too long to prepare is refused at once', () => {
    const many = {
      type: 'array',
      prefixItems: Array.from({ length: 20 }, (_, i) => ({ type: 'string', pattern: `^.{0,${900 + i}}$` })),
    };
    expect(() =>
      new Constraints(tokenizer).ofText({ responseFormat: { type: 'json_schema', schema: many } }),
    ).toThrow(expect.objectContaining({ code: 'REQUEST_INVALID' }));
  });
});
