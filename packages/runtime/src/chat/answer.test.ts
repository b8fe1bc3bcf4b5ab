import { describe, expect, it } from 'vitest';
import { parseAnswer } from './answer.js';
import type { ToolDefinition } from './messages.js';

const reasoning = { open: '<think>', close: '</think>' };
const tools: ToolDefinition[] = [{ type: 'function', function: { name: 'f' } }];
const block = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>';
const calls = [{ name: 'f', arguments: '{}' }];

describe('a finished answer', () => {
  it('is reasoning, text and calls', () => {
    const output = `<think>\nhm\n</think>\n\nI call.\n${block}`;
    expect(parseAnswer(output, { reasoning, tools })).toEqual({ reasoning: 'hm', text: 'I call.', calls });
  });

  it('is text alone where the model has no tags and no tools were offered', () => {
    const output = `<think>hm</think>${block}`;
    expect(parseAnswer(output, {})).toEqual({ reasoning: '', text: output, calls: [] });
  });

  it('has a call that was made before the reasoning ended', () => {
    const output = `<think>\nI must call.\n${block}`;
    expect(parseAnswer(output, { reasoning, tools })).toEqual({ reasoning: 'I must call.', text: '', calls });
    const inside = { reasoning, tools, startsInside: true };
    expect(parseAnswer(`I must call.\n${block}`, inside)).toEqual({
      reasoning: 'I must call.',
      text: '',
      calls,
    });
  });

  it('has no call from reasoning that ended, or from one that is not complete', () => {
    expect(parseAnswer(`<think>${block}</think>`, { reasoning, tools }).calls).toEqual([]);
    const cut = '<think>\n<tool_call>\n{"name": "f"';
    expect(parseAnswer(cut, { reasoning, tools })).toEqual({ reasoning: cut.slice(8), text: '', calls: [] });
  });
});
