// @ts-check
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bench = fileURLToPath(new URL('..', import.meta.url));

/** Large files lie beside the repository, not in it. */
const shared = process.env.POCKETLLM_SHARED ?? join(bench, '../../shared');

export const vocabularyPath = join(shared, 'fixtures/qwen3-vocab.gguf');

/** Where the model of a mix is kept. @param {string} mix */
export const modelPath = (mix) => join(bench, 'models', `random-${mix}.gguf`);
