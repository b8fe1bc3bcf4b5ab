import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAnswer } from './answer.js';
import { AnswerStream } from './answer-stream.js';
import type { ToolDefinition } from './messages.js';

const reasoning = { open: '<think>', close: '</think>' };
const tools: ToolDefinition[] = [{ type: 'function', function: { name: 'f' } }];
const block = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>';
const call = { name: 'f', arguments: '{}' };

function released(pieces: readonly string[], form: ConstructorParameters<typeof AnswerStream>[0]) {
  const stream = new AnswerStream(form);
  return [...pieces.map((piece) => stream.push(piece)), stream.flush()];
}

const fragment = fc.oneof(
  fc.constantFrom(
    '<think>',
    '</think>',
    '\n</think>\n\n',
    '<tool_call>',
    '</tool_call>',
    block,
    `${block}\n`,
  ),
  fc.constantFrom('{"name": "f"', '{', '}', '"', ' ', '\n', 'text', '<', '<function=f>', '</function>'),
);

describe('AnswerStream', () => {
  it('gives what the whole output gives, however it is cut', () => {
    const opening = fc.constantFrom('<think>\n', '<think>', '');
    const output = fc.tuple(opening, fc.array(fragment, { maxLength: 12 }));
    const holds = fc.property(
      output,
      fc.nat(7),
      fc.boolean(),
      fc.boolean(),
      (parts, size, startsInside, offered) => {
        const whole = parts.flat().join('');
        const pieces = whole.match(new RegExp(`[^]{1,${size + 1}}`, 'g')) ?? [];
        const form = { reasoning, startsInside, ...(offered ? { tools } : {}) };
        const all = released(pieces, form);
        expect({
          reasoning: all.map((piece) => piece.reasoning).join(''),
          text: all.map(({ text }) => text).join(''),
          calls: all.flatMap(({ calls }) => calls),
        }).toEqual(parseAnswer(whole, form));
      },
    );
    fc.assert(holds, { numRuns: 5000, seed: 12 });
  });

  it('passes reasoning, text and calls on as they come', () => {
    const all = released(['<think>hm', '</think>', 'So: ', block, ' ok'], { reasoning, tools });
    expect(all.map((piece) => [piece.reasoning, piece.text, piece.calls.length])).toEqual([
      ['hm', '', 0],
      ['', '', 0],
      ['', 'So:', 0],
      ['', '', 1],
      ['', '\nok', 0],
      ['', '', 0],
    ]);
  });

  it('takes a call in the reasoning for one only where the reasoning never ends', () => {
    expect(released(['<think>I call. ', block], { reasoning, tools }).at(-1)!.calls).toEqual([call]);
    const ended = released(['<think>I call. ', block, '</think>', 'no'], { reasoning, tools });
    expect(ended[2]!.reasoning).toBe(` ${block}`);
    expect(ended.flatMap(({ calls }) => calls)).toEqual([]);
  });

  it('passes everything on where there are neither tags nor tools', () => {
    expect(released(['<think>', block], {})[1]).toEqual({ reasoning: '', text: block, calls: [] });
  });
});
