import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from './messages.js';
import { ToolCallStream } from './tool-call-stream.js';
import { parseToolCalls } from './tool-calls.js';

const tools: ToolDefinition[] = ['f', 'get_weather'].map((name) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { n: { type: 'number' } } } },
}));
const block = '<tool_call>\n{"name": "f", "arguments": {"a": "}"}}\n</tool_call>';
const call = { name: 'f', arguments: '{"a": "}"}' };

/** What each piece releases, and the end. */
function releases(pieces: readonly string[]) {
  const stream = new ToolCallStream(tools);
  return [...pieces.map((piece) => stream.push(piece)), stream.flush()];
}

function whole(pieces: readonly string[]) {
  const released = releases(pieces);
  return {
    text: released.map(({ text }) => text).join(''),
    calls: released.flatMap(({ calls }) => calls),
  };
}

/** Texts made of what calls are made of, so that near misses are frequent. */
const fragment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('<tool_call>', '</tool_call>', block, `${block}\n`) },
  fc.constantFrom(
    '<function=f>',
    '<function=',
    '<function=g>',
    '</function>',
    '<parameter=n>',
    '</parameter>',
  ),
  fc.constantFrom('{"name": "f"', '{"name": "g"}', ', "arguments": {', '{', '}', '}}', '"', '\\', '[', ']'),
  fc.constantFrom(' ', '\n', '\n\n', 'text', 'a < b', '<', '<to', '1', '\u{1f600}'),
  fc.constantFrom('{"name": "f", "arguments": {}}', '<function=f><parameter=n>\n1\n</parameter></function>'),
);
const output = fc.array(fragment, { maxLength: 12 }).map((fragments) => fragments.join(''));

/** The text in pieces of 1 to `most` units. */
const pieces = fc
  .tuple(output, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }))
  .map(([text, sizes]) => {
    const cut: string[] = [];
    for (let at = 0, turn = 0; at < text.length; turn++) {
      const size = sizes[turn % sizes.length]!;
      cut.push(text.slice(at, at + size));
      at += size;
    }
    return cut;
  });

describe('ToolCallStream', () => {
  it('gives what the whole text gives, however it is cut', () => {
    const holds = fc.property(pieces, (cut) => {
      expect(whole(cut)).toEqual(parseToolCalls(cut.join(''), tools));
    });
    fc.assert(holds, { numRuns: 5000, seed: 11 });
  });

  it('gives a call as soon as its closing tag is there, and text as soon as it can be none', () => {
    const released = releases(['Look: ', '<tool', ...block.slice(5), '\nDone', ' <f', '> ', '!']);
    expect(released[0]!.text).toBe('Look:');
    expect(released.findIndex(({ calls }) => calls.length > 0)).toBe(1 + block.length - 5);
    expect(released.slice(-5).map(({ text }) => text)).toEqual(['\nDone', '', ' <f>', ' !', '']);
  });

  it('gives a call where another one follows without a closing tag', () => {
    const open = block.slice(0, -'</tool_call>'.length);
    expect(releases([open, '<tool_call>'])[1]!.calls).toEqual([call]);
  });

  it('keeps a bare object back until it is known what it is', () => {
    expect(releases(['{"name": "f"', '}'])).toEqual([
      { text: '', calls: [] },
      { text: '', calls: [] },
      { text: '', calls: [{ name: 'f', arguments: '{}' }] },
    ]);
    expect(releases(['{"a": 1}', ' is JSON'])[1]!.text).toBe('{"a": 1} is JSON');
  });

  it('says at once that a block is none', () => {
    for (const broken of [
      '<tool_call>x',
      '<tool_call>{"name": "g"}</tool_call>',
      '<function=g>',
      '<function=f ',
    ]) {
      expect(releases([broken])[0]!.text).toBe(broken.trimEnd());
    }
  });

  it('reads long outputs that are hard to make sense of in little time', () => {
    const started = performance.now();
    for (const unit of [
      '<tool_call>{"a',
      '<tool_call> ',
      ' ',
      '{"',
      '<function=f><parameter=n>',
      '<function=f></function>',
    ]) {
      whole(['<tool_call>', ...Array<string>(4000).fill(unit)]);
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
