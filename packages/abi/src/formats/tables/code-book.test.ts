import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { defineCodeBook, levelsOfCodeBook, valuesOfCodeBook } from './code-book.js';
import { codeBooks, evenSigns } from './index.js';

const tiny = { entries: 2, valuesPerEntry: 4, bitsPerValue: 3, levels: [4, 12, 20, 28, 36, 44, 52, 62] };

describe('a code book', () => {
  it('unpacks the first value from the lowest bits', () => {
    // 0o0123: levels 3, 2, 1, 0. 0o7000: level 7 last.
    const book = defineCodeBook({ ...tiny, hex: ['053', 'e00'] });
    expect([...levelsOfCodeBook(book)]).toEqual([3, 2, 1, 0, 0, 0, 0, 7]);
    expect([...valuesOfCodeBook(book)]).toEqual([28, 20, 12, 4, 4, 4, 4, 62]);
  });

  it('refuses text of another length', () => {
    expect(() => defineCodeBook({ ...tiny, hex: ['053'] })).toThrow('has 1 codes');
  });
});

/** Of the values as signed bytes, row by row, as published. */
const sha256 = {
  iq1_s: '07540ffc1aeaf6ad4d97e96b0fcc765aae39671d4ae4a27bbd0e796fde167c6a',
  iq2_s: 'e1aa1473412b0552c2174c30ef22ab4073f6a181b85a17056e8249bd2932fd88',
  iq2_xs: '06e47aaca60b4dc1d9b5a3f34540437058a6b142b4d7a59d5ded769b4d1bf1de',
  iq2_xxs: '05826b5d3e472a3a78f196be62ac78acf81df0f909626e12ab9fa2a5d490dd54',
  iq3_s: 'bd1af4945a1717c65610b0284e4628b9a1ba3b306fae3a06f6e5f597356e349f',
  iq3_xxs: '46e35f5a997efdee6c99ce57854c8a0d4f0ff8ca57e5e8a60c0793ea580acf5d',
};

describe('the code books', () => {
  it.each(Object.entries(codeBooks))('%s is the published one', (name, book) => {
    const hash = createHash('sha256').update(valuesOfCodeBook(book)).digest('hex');
    expect(hash).toBe(sha256[name as keyof typeof sha256]);
  });

  it('have signs with an even number of negatives, the seven stored bits unchanged', () => {
    evenSigns.forEach((signs, stored) => {
      expect(signs & 127).toBe(stored);
      expect([...signs.toString(2)].filter((bit) => bit === '1').length % 2).toBe(0);
    });
  });
});
