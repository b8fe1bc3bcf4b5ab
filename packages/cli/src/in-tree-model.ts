import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PocketError } from '@pocketllm/abi';

const file = 'tale-q8_0.gguf';

// Beside this module's folder in a published package; at the root of the repository before that.
const places = ['../models', '../../../models'].map((folder) =>
  fileURLToPath(new URL(`${folder}/${file}`, import.meta.url)),
);

/** The model that comes with the command. MODEL_NOT_FOUND where it was taken away. */
export function inTreeModel(): string {
  const found = places.find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new PocketError('MODEL_NOT_FOUND', {
    path: places[0]!,
    reason: 'the model of this package is missing',
  });
}
