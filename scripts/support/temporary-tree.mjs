// @ts-check
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * For tests of checks: writes `files` (path to text) into a new folder, hands its path to `use`, and removes it.
 *
 * @template Result
 * @param {Record<string, string>} files
 * @param {(root: string) => Result} use
 * @returns {Promise<Awaited<Result>>}
 */
export async function withTree(files, use) {
  const root = mkdtempSync(join(tmpdir(), 'pocketllm-check-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return await use(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
