// @ts-check
// npm run generate: writes what native code and shaders need from the declarations of the ABI.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './support/generated.mjs';
import { repository } from './support/problems.mjs';

for (const [path, text] of Object.entries(await generatedFiles())) {
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  writeFileSync(join(repository, path), text);
  process.stdout.write(`${path}\n`);
}
