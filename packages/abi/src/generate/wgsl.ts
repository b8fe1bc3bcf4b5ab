import {
  type CodeBook,
  codeBooks,
  evenSigns,
  fp4Values,
  iq4Values,
  type WeightFormat,
  weightFormats,
} from '../formats/index.js';
import { snakeCase, wrapped } from './names.js';

/** A TypeScript module with the WGSL declarations of every format and table, to be put before a kernel. */
export function wgslModule(): string {
  const tables = {
    ...Object.fromEntries(Object.entries(codeBooks).map(([name, book]) => [name, codeBookTable(name, book)])),
    even_signs: wordTable('even_signs', bytesToWords(evenSigns)),
    iq4_values: valueTable('iq4_values', iq4Values),
    fp4_values: valueTable('fp4_values', fp4Values),
  };
  return `// Written by npm run generate from packages/abi/src; change it there.

/**
 * WGSL constants of each weight format: \`NAME_weights\` and \`NAME_bytes\` of a block, \`NAME_FIELD_offset\` in
 * bytes. Blocks are not aligned; a shader puts fields together from bytes or halves of words.
 */
export const wgslFormats = {
${Object.values<WeightFormat>(weightFormats).map(formatConstants).join('\n')}
} as const;

/**
 * WGSL tables. Of a code book: \`NAME_codes\`, two codes of 16 bits a word, \`NAME_bits\` a value and
 * \`NAME_levels\`. \`even_signs\` has four a word, the first in the lowest bits.
 */
export const wgslTables = {
${Object.entries(tables)
  .map(([name, text]) => `  ${name}: \`${text}\`,`)
  .join('\n')}
} as const;
`;
}

function formatConstants({ name, block, fields }: WeightFormat): string {
  const lines = [
    `const ${name}_weights = ${block.weights}u;`,
    `const ${name}_bytes = ${block.bytes}u;`,
    ...Object.entries(fields).map(
      ([field, { offset }]) => `const ${name}_${snakeCase(field)}_offset = ${offset}u;`,
    ),
  ];
  return `  ${name}: \`${lines.join('\n')}\n\`,`;
}

function codeBookTable(name: string, book: CodeBook): string {
  const words = Array.from(
    { length: book.entries / 2 },
    (_, i) => ((book.codes[2 * i + 1]! << 16) | book.codes[2 * i]!) >>> 0,
  );
  return `const ${name}_bits = ${book.bitsPerValue}u;
${valueTable(`${name}_levels`, book.levels)}${wordTable(`${name}_codes`, words)}`;
}

function bytesToWords(bytes: Uint8Array): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, i) =>
    bytes.subarray(4 * i, 4 * i + 4).reduceRight((word, byte) => ((word << 8) | byte) >>> 0, 0),
  );
}

function wordTable(name: string, words: readonly number[]): string {
  const literals = words.map((word) => `0x${word.toString(16)}u`);
  return `const ${name} = array<u32, ${literals.length}>(\n${wrapped(literals, '  ')}\n);\n`;
}

function valueTable(name: string, values: ArrayLike<number>): string {
  const literals = Array.from(values, (value) => `${value}.0`);
  return `const ${name} = array<f32, ${literals.length}>(\n${wrapped(literals, '  ')}\n);\n`;
}
