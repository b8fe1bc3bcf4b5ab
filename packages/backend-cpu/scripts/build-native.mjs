// @ts-check
// Builds the native part with node-gyp. Where that fails, the rest of the build goes on: the reason is written to
// build/not-built.txt, from where the backend reports it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const reasonFile = join(folder, 'build', 'not-built.txt');

/** Headers beside this Node, where its package brought them; node-gyp downloads them elsewhere. */
function headers() {
  const prefix = dirname(dirname(process.execPath));
  const known = process.env.npm_config_nodedir !== undefined;
  return !known && existsSync(join(prefix, 'include', 'node', 'node_api.h')) ? [`--nodedir=${prefix}`] : [];
}

/** The reason of a failure, or undefined. @returns {string | undefined} */
function build() {
  let tool;
  try {
    tool = createRequire(import.meta.url).resolve('node-gyp/bin/node-gyp.js');
  } catch {
    return 'node-gyp is not installed';
  }
  const configured = existsSync(join(folder, 'build', 'Makefile'));
  const steps = configured ? ['build'] : ['configure', 'build'];
  const { status, error, stdout, stderr } = spawnSync(
    process.execPath,
    [tool, ...steps, '--jobs=2', ...headers()],
    { cwd: folder, encoding: 'utf8', maxBuffer: 64 << 20 },
  );
  if (error !== undefined) return error.message;
  if (status === 0) return undefined;
  const lines = `${stdout}\n${stderr}`.split('\n');
  const telling = lines.find((line) => /\berror\b|gyp ERR! (stack|find)/i.test(line)) ?? lines.at(-1) ?? '';
  return telling.replace(/^gyp ERR! (stack )?/, '').trim();
}

rmSync(reasonFile, { force: true });
const reason = build();
if (reason !== undefined) {
  rmSync(join(folder, 'build', 'Release', 'pocketllm_cpu.node'), { force: true });
  mkdirSync(dirname(reasonFile), { recursive: true });
  writeFileSync(reasonFile, `${reason}\n`);
  process.stderr.write(`The native part of @pocketllm/backend-cpu was not built: ${reason}\n`);
}
