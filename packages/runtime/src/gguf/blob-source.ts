import { PocketError } from '@pocketllm/abi';
import { type ByteSource, checkRange } from './byte-source.js';

/** A Blob, or a File that a page was given. */
export function blobSource(blob: Blob, name = 'name' in blob ? String(blob.name) : 'blob'): ByteSource {
  const source: ByteSource = {
    name,
    size: blob.size,
    async read(offset, length) {
      checkRange(source, offset, length);
      try {
        return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
      } catch (cause) {
        // A File whose file was changed or deleted since it was chosen.
        throw new PocketError('MODEL_NOT_FOUND', { path: name, reason: String(cause) }, { cause });
      }
    },
  };
  return source;
}
