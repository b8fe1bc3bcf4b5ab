import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endsInReasoning, ReasoningSplitter, reasoningTagsOf, type SplitText } from './reasoning.js';

const tags = { open: '<think>', close: '</think>' };

function split(pieces: readonly string[], startsInside = false): SplitText {
  const splitter = new ReasoningSplitter({ ...tags, startsInside });
  const released = [...pieces.map((piece) => splitter.push(piece)), splitter.flush()];
  return {
    reasoning: released.map(({ reasoning }) => reasoning).join(''),
    text: released.map(({ text }) => text).join(''),
  };
}

describe('reasoning', () => {
  it.each([
    ['<think>\nabc\n</think>\n\nanswer', false, 'abc', 'answer'],
    ['<think>abc</think>answer', false, 'abc', 'answer'],
    ['  \n<think>\n\na\n\nb\n\n</think>\n\n\nanswer\n', false, 'a\n\nb', 'answer\n'],
    ['<think>\n\n</think>\n\nanswer', false, '', 'answer'],
    ['no tags', false, '', 'no tags'],
    ['\n no tags', false, '', '\n no tags'],
    ['first <think>x</think>', false, '', 'first <think>x</think>'],
    ['<think>a</think>b<think>c</think>', false, 'a', 'b<think>c</think>'],
    ['<thin', false, '', '<thin'],
    ['<think>endless\n\n', false, 'endless', ''],
    ['<think>ends in a part of a tag\n</thi', false, 'ends in a part of a tag\n</thi', ''],
    ['<think>a</b></think>c', false, 'a</b>', 'c'],
    ['<think> spaces stay </think> spaces stay ', false, ' spaces stay ', ' spaces stay '],
    ['abc\n</think>\n\nanswer', true, 'abc', 'answer'],
    ['\nabc', true, 'abc', ''],
    ['<think>\nabc\n</think>answer', true, 'abc', 'answer'],
    ['<thi', true, '<thi', ''],
    ['', true, '', ''],
    ['\n\n', true, '', ''],
    ['\n\n', false, '', '\n\n'],
    ['', false, '', ''],
  ])('of %j, begun inside: %s', (output, startsInside, reasoning, text) => {
    expect(split([output], startsInside)).toEqual({ reasoning, text });
    expect(split(output.split(''), startsInside)).toEqual({ reasoning, text });
  });

  it('is the same however the output is cut', () => {
    const piece = fc.constantFrom(
      '<think>',
      '</think>',
      '<',
      '/think>',
      'thi',
      '\n',
      '\n\n',
      ' ',
      'a',
      'b c',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, startsInside) => {
        expect(split(pieces, startsInside)).toEqual(split([pieces.join('')], startsInside));
      }),
    );
  });

  it('is released as soon as it can be no tag', () => {
    const splitter = new ReasoningSplitter({ ...tags, startsInside: false });
    const pushed = ['<think>', '\n', 'ab', 'c\n', '<', 'd', '</thi', 'nk>', '\n\n', 'e'].map((piece) =>
      splitter.push(piece),
    );
    expect(pushed.map(({ reasoning }) => reasoning)).toEqual(['', '', 'ab', 'c', '', '\n<d', '', '', '', '']);
    expect(pushed.map(({ text }) => text).join('|')).toBe('|||||||||e');
  });
});

describe('whether an answer begins inside the reasoning', () => {
  it.each([
    ['<|im_start|>assistant\n<think>\n', true],
    ['<|im_start|>assistant\n<think>', true],
    ['<|im_start|>assistant\n<think>\n\n</think>\n\n', false],
    ['<|im_start|>assistant\n', false],
  ])('is told by the end of the prompt: %j', (prompt, expected) => {
    expect(endsInReasoning(prompt, tags)).toBe(expected);
  });
});

it('the tags of a model stand in its template', () => {
  expect(reasoningTagsOf("{{ c.split('</think>')[-1] }}")).toEqual(tags);
  expect(reasoningTagsOf('[THINK]{{ x }}[/THINK]')).toEqual({ open: '[THINK]', close: '[/THINK]' });
  expect(reasoningTagsOf('{{ messages }}')).toBeUndefined();
});
