// @ts-check
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { nodeGyp, packageFolder } from './node-gyp.mjs';

/**
 * Builds the native part once more with other flags, in a folder of its own that looks like this package: `dist`
 * copied there loads that build. The usual build is never touched. Fails with the reason.
 *
 * @param {string} name
 * @param {{ args?: string[], variables?: string[], env?: Record<string, string>, sameObjects?: boolean }} options `sameObjects`: only
 *   linking differs, so that objects of the usual build are taken where they are there
 * @returns {string} the folder
 */
export function buildVariant(name, { sameObjects = false, ...options }) {
  const folder = join(packageFolder, 'build', 'variants', name);
  mkdirSync(folder, { recursive: true });
  for (const source of ['binding.gyp', 'native', 'package.json', 'pocketllm.backend.json']) {
    rmSync(join(folder, source), { force: true });
    symlinkSync(join(packageFolder, source), join(folder, source));
  }
  const built = join(packageFolder, 'build', 'Release', 'obj.target');
  const own = join(folder, 'build', 'Release', 'obj.target');
  if (sameObjects && existsSync(built)) {
    // With their times and the notes of how they were made, from which make sees that they are up to date.
    cpSync(join(packageFolder, 'build', 'Release'), join(folder, 'build', 'Release'), {
      recursive: true,
      preserveTimestamps: true,
    });
    rmSync(join(own, 'pocketllm_cpu.node'), { force: true });
  }
  const reason = nodeGyp(folder, options);
  if (reason !== undefined) throw new Error(`the variant ${name} was not built: ${reason}`);
  return folder;
}
