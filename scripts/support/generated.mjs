// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { repository } from './problems.mjs';
import { supportPage } from './support-table.mjs';

/** What reports of the conformance kit said about devices: the source of the support table. */
export const supportSource = 'docs/reference/generated/support.json';

/**
 * What is written from sources, by path from the root of the repository. The generators under
 * packages/abi/src/generate are TypeScript, and read the sources of the package: no build has to come first.
 *
 * @returns {Promise<Readonly<Record<string, string>>>}
 */
export async function generatedFiles() {
  const { module } = await runnerImport(join(repository, 'packages/abi/src/generate/generated-files.ts'), {
    configFile: false,
    logLevel: 'error',
  });
  const ofAbi = /** @type {{ generatedFiles: () => Record<string, string> }} */ (module).generatedFiles();
  return { ...ofAbi, 'docs/reference/support.md': supportPage(supportDevices()) };
}

/** @returns {import('./support-table.mjs').Device[]} */
export function supportDevices() {
  const path = join(repository, supportSource);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
}
