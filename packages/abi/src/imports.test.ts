import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const source = dirname(fileURLToPath(import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
);

/** What a file imports or exports from, dynamic imports included. */
const specifiersOf = (text: string): string[] =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1]!);

it('the ABI imports nothing but its own files, so that anything may import it', () => {
  const imports = files.flatMap((path) =>
    specifiersOf(readFileSync(join(source, path), 'utf8')).map((specifier) => ({ path, specifier })),
  );
  expect(imports.length).toBeGreaterThan(100);
  const foreign = imports.filter(
    ({ path, specifier }) =>
      !specifier.startsWith('.') || join(source, dirname(path), specifier).indexOf(source) !== 0,
  );
  expect(foreign).toEqual([]);
});

it('the ABI depends on no package', () => {
  const manifest = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8'));
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
    expect(manifest[field] ?? {}).toEqual({});
  }
});
