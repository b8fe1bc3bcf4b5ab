// @ts-check
// npm run build:native: builds the native part with node-gyp. Where that fails, the rest of the build goes on: the
// reason is written to build/not-built.txt, from where the backend reports it.
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeGyp, packageFolder } from './node-gyp.mjs';

const reasonFile = join(packageFolder, 'build', 'not-built.txt');

/** A package that is installed keeps its binding.gyp where npm does not see it (scripts/pack-extras.mjs). */
function build() {
  const gyp = join(packageFolder, 'binding.gyp');
  if (existsSync(gyp)) return nodeGyp(packageFolder);
  copyFileSync(join(packageFolder, 'native', 'binding.gyp'), gyp);
  try {
    return nodeGyp(packageFolder);
  } finally {
    rmSync(gyp);
  }
}

rmSync(reasonFile, { force: true });
const reason = build();
if (reason !== undefined) {
  rmSync(join(packageFolder, 'build', 'Release', 'pocketllm_cpu.node'), { force: true });
  mkdirSync(dirname(reasonFile), { recursive: true });
  writeFileSync(reasonFile, `${reason}\n`);
  process.stderr.write(`The native part of @pocketllm/backend-cpu was not built: ${reason}\n`);
}
