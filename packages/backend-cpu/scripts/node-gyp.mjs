// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tellingLine } from './telling-line.mjs';

/** The folder of this package. */
export const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Builds what the binding.gyp of `folder` describes, into its folder `build`. Gives the reason of a failure, or
 * undefined.
 *
 * @param {string} folder
 * @param {{ args?: string[], variables?: string[], env?: Record<string, string> }} [options] `variables` of
 *   binding.gyp, as NAME=VALUE
 * @returns {string | undefined}
 */
export function nodeGyp(folder, { args = [], variables = [], env = {} } = {}) {
  const tool = findTool();
  if (tool === undefined) return 'node-gyp is not installed';
  const run = (/** @type {string[]} */ ...command) => {
    const options = { cwd: folder, maxBuffer: 64 << 20, env: { ...process.env, ...env } };
    const { status, error, stdout, stderr } = spawnSync(process.execPath, [tool, ...command], {
      ...options,
      encoding: 'utf8',
    });
    if (error !== undefined) return error.message;
    return status === 0 ? undefined : tellingLine(`${stdout}\n${stderr}`);
  };
  const common = [...headers(), ...args];
  // Each time: left to make, it would forget the platform and the variables where binding.gyp has changed.
  const configuring = run('configure', ...common, '--', ...variables.map((variable) => `-D${variable}`));
  return configuring ?? run('build', '--jobs=2', ...common);
}

/** This repository's node-gyp; where the package is installed, the one that npm brings for scripts. */
function findTool() {
  try {
    return createRequire(import.meta.url).resolve('node-gyp/bin/node-gyp.js');
  } catch {
    return process.env.npm_config_node_gyp;
  }
}

/** Headers beside this Node, where its package brought them; node-gyp downloads them elsewhere. */
function headers() {
  const prefix = dirname(dirname(process.execPath));
  const known = process.env.npm_config_nodedir !== undefined;
  return !known && existsSync(join(prefix, 'include', 'node', 'node_api.h')) ? [`--nodedir=${prefix}`] : [];
}
