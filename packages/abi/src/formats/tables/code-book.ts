/**
 * A list of points that a group of neighbouring weights is snapped to; a weight block stores the index of
 * a point. Value k of point e is `levels[(codes[e] >> (bitsPerValue * k)) & (levels of bitsPerValue - 1)]`.
 */
export interface CodeBook {
  readonly entries: number;
  /** Weights that one point stands for: 8 or 4. */
  readonly valuesPerEntry: number;
  readonly bitsPerValue: number;
  /** The value of each level number. */
  readonly levels: readonly number[];
  /** One packed point per entry, its first value in the lowest bits. */
  readonly codes: Uint16Array;
}

/** Unpacks the hexadecimal text of a table file: each point has as many digits as its bits need. */
export function defineCodeBook(
  source: Omit<CodeBook, 'codes'> & { readonly hex: readonly string[] },
): CodeBook {
  const { hex, ...book } = source;
  const digits = (book.valuesPerEntry * book.bitsPerValue) / 4;
  const text = hex.join('');
  if (text.length !== book.entries * digits) {
    throw new TypeError(`a code book of ${book.entries} points has ${text.length / digits} codes`);
  }
  const codes = Uint16Array.from({ length: book.entries }, (_, i) =>
    Number.parseInt(text.slice(i * digits, (i + 1) * digits), 16),
  );
  return Object.freeze({ ...book, codes });
}

/** The level number of every value, row by row: `entries * valuesPerEntry` bytes. */
export function levelsOfCodeBook(book: CodeBook): Uint8Array {
  const { valuesPerEntry, bitsPerValue, codes } = book;
  const mask = (1 << bitsPerValue) - 1;
  return Uint8Array.from(
    { length: book.entries * valuesPerEntry },
    (_, i) => (codes[Math.floor(i / valuesPerEntry)]! >> (bitsPerValue * (i % valuesPerEntry))) & mask,
  );
}

/** The values themselves, row by row: `entries * valuesPerEntry` signed bytes. */
export function valuesOfCodeBook(book: CodeBook): Int8Array {
  return Int8Array.from(levelsOfCodeBook(book), (level) => book.levels[level]!);
}
