// @ts-check
// prepack and postpack of every published package: what stands once at the root and belongs into each package
// is copied in, and taken out again afterwards, so that no stale copy is found later.
import { cpSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readManifest } from './support/packages.mjs';
import { repository } from './support/problems.mjs';

const packageFolder = process.cwd();
if (!/^packages[/\\][^/\\]+$/.test(relative(repository, packageFolder))) {
  throw new Error('pack-extras runs in the folder of a package, as its prepack and postpack');
}
const { files = [] } = readManifest(packageFolder, 'package.json');
const extras = ['LICENSE', ...(files.includes('models') ? ['models'] : [])];

for (const name of extras) {
  const copy = join(packageFolder, name);
  rmSync(copy, { recursive: true, force: true });
  if (process.argv[2] === 'add') cpSync(join(repository, name), copy, { recursive: true });
}
