import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Large files (models, recorded vectors) lie beside the repository, not in it.
const root = process.env.POCKETLLM_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));

/** Absolute path of a file of ../shared, whether or not it is there. */
export function sharedPath(relative: string): string {
  return join(root, relative);
}

export function hasShared(relative: string): boolean {
  return existsSync(sharedPath(relative));
}
