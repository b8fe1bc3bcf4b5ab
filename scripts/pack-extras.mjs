// @ts-check
// prepack and postpack of every published package: what stands once at the root and belongs into each package
// is copied in, and taken out again afterwards, so that no stale copy is found later. In the same way a package with
// prebuilt parts names the packages of its platforms, which do not exist before they are packed.
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { platformPackages, readManifest } from './support/packages.mjs';
import { repository } from './support/problems.mjs';

const packageFolder = process.cwd();
if (!/^packages[/\\][^/\\]+$/.test(relative(repository, packageFolder))) {
  throw new Error('pack-extras runs in the folder of a package, as its prepack and postpack');
}
const manifest = readManifest(packageFolder, 'package.json');
const { files = [] } = manifest;
const gyp = join(packageFolder, 'binding.gyp');

/** From where, to where in the package. @type {[string, string][]} */
const extras = [[join(repository, 'LICENSE'), 'LICENSE']];
if (files.includes('models')) extras.push([join(repository, 'models'), 'models']);
// npm compiles whatever has a binding.gyp at its top, at times in spite of "gypfile": false.
if (existsSync(gyp)) extras.push([gyp, 'native/binding.gyp']);

for (const [source, name] of extras) {
  const copy = join(packageFolder, name);
  rmSync(copy, { recursive: true, force: true });
  if (process.argv[2] === 'add') cpSync(source, copy, { recursive: true });
}

if (existsSync(join(packageFolder, 'platforms.json'))) {
  const { optionalDependencies: _, ...lasting } = manifest;
  const shipped = { ...lasting, optionalDependencies: platformPackages(packageFolder, manifest) };
  const text = JSON.stringify(process.argv[2] === 'add' ? shipped : lasting, null, 2);
  writeFileSync(join(packageFolder, 'package.json'), `${text}\n`);
}
