// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const skipped = new Set(['node_modules', 'dist', 'build', 'release', 'coverage', '.git', '.turbo']);

/**
 * Every file under `folder` (relative to `root`), as sorted paths relative to `root` with forward slashes.
 * Built and installed files are left out. A folder that does not exist holds no files.
 *
 * @param {string} root
 * @param {string} [folder]
 * @returns {string[]}
 */
export function listFiles(root, folder = '') {
  const found = [];
  for (const entry of entriesOf(join(root, folder))) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!skipped.has(entry.name) && path !== 'docs/reference/api') found.push(...listFiles(root, path));
    } else if (entry.isFile()) {
      found.push(path);
    }
  }
  return found.sort();
}

/** @param {string} folder */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return [];
    throw error;
  }
}

/** @param {string} root @param {string} path */
export function readText(root, path) {
  return readFileSync(join(root, path), 'utf8');
}

/** @param {string} path */
export function isTest(path) {
  return /\.test\.(ts|mjs)$/.test(path) || /^packages\/[^/]+\/test\//.test(path) || path.startsWith('tests/');
}
