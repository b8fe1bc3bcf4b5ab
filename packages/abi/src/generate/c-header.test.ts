import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codeBooks, evenSigns, fp4Values, iq4Values, weightFormats } from '../formats/index.js';
import { ops } from '../ops/index.js';
import { cHeader } from './c-header.js';

const compilers = [
  { language: 'C11', command: 'cc', standard: '-std=c11', suffix: 'c' },
  { language: 'C++17', command: 'c++', standard: '-std=c++17', suffix: 'cpp' },
].filter(({ command }) => spawnSync(command, ['--version']).status === 0);

const folder = mkdtempSync(join(tmpdir(), 'pocketllm-header-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Compiler = (typeof compilers)[number];

function compile({ command, standard, suffix }: Compiler, header: string, main: string): string {
  writeFileSync(join(folder, 'pocketllm_abi.h'), header);
  const source = join(folder, `main.${suffix}`);
  writeFileSync(source, `#include "pocketllm_abi.h"\n#include <stdio.h>\n${main}\n`);
  const program = join(folder, `main-${suffix}`);
  const flags = ['-Wall', '-Wextra', '-Wpedantic', '-Werror', standard];
  const { status, stderr } = spawnSync(command, [...flags, '-o', program, source], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return spawnSync(program, { encoding: 'utf8' }).stdout;
}

/** A sum that depends on the order of the values. */
const checksum = (values: ArrayLike<number>) =>
  Array.from(values).reduce((sum, value) => (sum * 31 + value + 128) % 65521, 0);

const tables: Record<string, ArrayLike<number>> = {
  even_signs: evenSigns,
  iq4_values: iq4Values,
  fp4_values: fp4Values,
};
for (const [name, book] of Object.entries(codeBooks)) {
  tables[`${name}_codes`] = book.codes;
  tables[`${name}_levels`] = book.levels;
}

describe.skipIf(compilers.length === 0)('the C header (needs a C or C++ compiler)', () => {
  it.each(compilers)('compiles as $language without a warning', (compiler) => {
    expect(compile(compiler, cHeader(), 'int main(void) { return 0; }')).toBe('');
  });

  it.each(compilers)('has the blocks and tables of the declarations in $language', (compiler) => {
    const blocks = Object.values(weightFormats).filter(({ block }) => block.weights > 1);
    const main = `
int main(void) {
  long sum;
${blocks.map(({ name }) => `printf("${name} %d\\n", (int)sizeof(pocket_${name}));`).join('\n')}
${Object.entries(tables)
  .map(
    ([name, { length }]) => `sum = 0;
for (int i = 0; i < ${length}; i++) sum = (sum * 31 + pocket_${name}[i] + 128) % 65521;
printf("${name} %ld\\n", sum);`,
  )
  .join('\n')}
  return 0;
}`;
    const expected = [
      ...blocks.map(({ name, block }) => `${name} ${block.bytes}\n`),
      ...Object.entries(tables).map(([name, values]) => `${name} ${checksum(values)}\n`),
    ];
    expect(compile(compiler, cHeader(), main)).toBe(expected.join(''));
  });

  it.each(compilers)('stops $language where a block has another size', (compiler) => {
    const wrong = cHeader().replace('sizeof(pocket_q4_k) == 144', 'sizeof(pocket_q4_k) == 143');
    expect(() => compile(compiler, wrong, 'int main(void) { return 0; }')).toThrow('q4_k');
  });
});

describe('the C header', () => {
  it('numbers every op', () => {
    for (const { name, number } of Object.values(ops)) {
      expect(cHeader()).toContain(`POCKET_OP_${name.toUpperCase()} = ${number},`);
    }
  });

  it('spells fields in snake case, and keeps a half as its bits', () => {
    expect(cHeader()).toContain('  uint16_t scale; // f16\n  uint16_t sub_scales_high;\n');
  });
});
