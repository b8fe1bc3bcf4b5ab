import { describe, expect, it } from 'vitest';
import { wgslFormats, wgslTables } from '../../generated/wgsl.js';
import { codeBooks, evenSigns, weightFormats } from '../formats/index.js';

/** The numbers between the parentheses of `const name = array<...>(...)`. */
function tableOf(text: string, name: string): number[] {
  const [, literals] = new RegExp(`const ${name} = array<\\w+, \\d+>\\(([^)]*)\\)`).exec(text) ?? [];
  return literals!
    .split(',')
    .map((literal) => literal.trim())
    .filter((literal) => literal !== '')
    .map((literal) => Number(literal.replace(/u$/, '')));
}

describe('the WGSL constants', () => {
  it('stand for every format', () => {
    expect(Object.keys(wgslFormats)).toEqual(Object.keys(weightFormats));
  });

  it('give sizes and offsets in bytes', () => {
    expect(wgslFormats.iq4_xs.split('\n')).toEqual([
      'const iq4_xs_weights = 256u;',
      'const iq4_xs_bytes = 136u;',
      'const iq4_xs_scale_offset = 0u;',
      'const iq4_xs_sub_scales_high_offset = 2u;',
      'const iq4_xs_sub_scales_offset = 4u;',
      'const iq4_xs_q_offset = 8u;',
      '',
    ]);
  });

  it.each(Object.entries(codeBooks))('hold the code book of %s, two codes a word', (name, book) => {
    const text = wgslTables[name as keyof typeof codeBooks];
    const codes = tableOf(text, `${name}_codes`).flatMap((word) => [word & 0xffff, word >>> 16]);
    expect(codes).toEqual([...book.codes]);
    expect(tableOf(text, `${name}_levels`)).toEqual(book.levels);
  });

  it('hold the signs, four bytes a word, the first lowest', () => {
    const words = tableOf(wgslTables.even_signs, 'even_signs');
    const bytes = words.flatMap((word) => [0, 8, 16, 24].map((shift) => (word >>> shift) & 255));
    expect(bytes).toEqual([...evenSigns]);
  });
});
