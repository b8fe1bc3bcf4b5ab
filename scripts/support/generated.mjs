// @ts-check
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { repository } from './problems.mjs';

/**
 * What the generators under packages/abi/src/generate write, by path from the root of the repository. They
 * are TypeScript, and read the sources of the package: no build has to come first.
 *
 * @returns {Promise<Readonly<Record<string, string>>>}
 */
export async function generatedFiles() {
  const { module } = await runnerImport(join(repository, 'packages/abi/src/generate/generated-files.ts'), {
    configFile: false,
    logLevel: 'error',
  });
  return /** @type {{ generatedFiles: () => Record<string, string> }} */ (module).generatedFiles();
}
