// @ts-check
// Holds the generated files to their sources: each is there, and as npm run generate would write it now.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles, readText } from './support/files.mjs';
import { generatedFiles } from './support/generated.mjs';
import { runAsCommand } from './support/problems.mjs';

/**
 * @param {string} root
 * @param {() => Promise<Readonly<Record<string, string>>>} [generate]
 */
export async function checkGenerated(root, generate = generatedFiles) {
  const expected = await generate();
  const problems = [];
  for (const [path, text] of Object.entries(expected)) {
    if (!existsSync(join(root, path))) problems.push(`${path}: is missing; npm run generate writes it`);
    else if (readText(root, path) !== text)
      problems.push(`${path}: is stale; npm run generate writes it anew`);
  }
  for (const path of listFiles(root, 'packages/abi/generated')) {
    if (!Object.hasOwn(expected, path)) problems.push(`${path}: nothing generates it`);
  }
  return { problems, summary: `${Object.keys(expected).length} generated files are fresh` };
}

await runAsCommand(import.meta.url, checkGenerated);
