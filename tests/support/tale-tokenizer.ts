import { fileURLToPath } from 'node:url';
import { openGgufFile } from '../../packages/runtime/src/node/index.js';
import { createTokenizer, type Tokenizer } from '../../packages/runtime/src/tokenizer/index.js';

const tale = fileURLToPath(new URL('../../models/tale-q8_0.gguf', import.meta.url));

/** The tokenizer of the model that ships with the source. */
export async function taleTokenizer(): Promise<Tokenizer> {
  const file = await openGgufFile(tale);
  try {
    return createTokenizer(file.metadata);
  } finally {
    await file.close();
  }
}
