import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { missingNative } from './native.js';

const objects = fileURLToPath(new URL('../build/Release/obj.target', import.meta.url));
const hasNm = spawnSync('nm', ['--version']).status === 0;
const missing = missingNative ?? (hasNm ? undefined : 'needs nm');

describe.skipIf(missing !== undefined)(`libraries of instruction sets (${missing ?? 'nm'})`, () => {
  const libraries =
    missing === undefined ? readdirSync(objects).filter((name) => /^k_\w+\.a$/.test(name)) : [];

  // A symbol that the linker may take from any object would bring wide instructions to a narrow processor.
  it.each(libraries)('%s shares no symbol with the rest', (library) => {
    const symbols = execFileSync('nm', ['-C', '--defined-only', join(objects, library)], {
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    });
    const shared = symbols.split('\n').filter((line) => /^[0-9a-f]+ [uVWvw] /.test(line));
    expect(shared).toEqual([]);
  });
});
