import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { PocketError } from '@pocketllm/abi';
import { type ByteSource, checkRange } from '../gguf/byte-source.js';

/** A file of this machine. */
export interface FileSource extends ByteSource {
  readonly path: string;
  close(): Promise<void>;
}

/** Reads of one call stop here; larger ranges take several. */
const largestRead = 2 ** 30;

/** Opens a regular file for reading. MODEL_NOT_FOUND where it is missing, not readable or not a file. */
export async function openFile(path: string): Promise<FileSource> {
  const handle = await opened(path);
  let closed = false;
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) {
      throw new PocketError('MODEL_NOT_FOUND', {
        path,
        reason: stat.isDirectory() ? 'a folder, not a file' : 'not a regular file',
      });
    }
    const source: FileSource = {
      name: path,
      path,
      size: stat.size,
      async read(offset, length) {
        if (closed) throw new PocketError('CLOSED', { what: path });
        checkRange(source, offset, length);
        return readExactly(handle, path, offset, length);
      },
      async close() {
        if (closed) return;
        closed = true;
        await handle.close();
      },
    };
    return source;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function opened(path: string): Promise<FileHandle> {
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever. Windows has no such flag.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function readExactly(
  handle: FileHandle,
  path: string,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let filled = 0; filled < length; ) {
    const wanted = Math.min(length - filled, largestRead);
    const { bytesRead } = await handle.read(bytes, filled, wanted, offset + filled).catch((cause) => {
      throw unreadable(path, cause);
    });
    if (bytesRead === 0) {
      throw new PocketError('MODEL_NOT_FOUND', { path, reason: 'the file has become shorter' });
    }
    filled += bytesRead;
  }
  return bytes;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'a folder, not a file',
  EMFILE: 'too many open files',
};

function unreadable(path: string, cause: unknown) {
  const code = String((cause as NodeJS.ErrnoException).code);
  return new PocketError('MODEL_NOT_FOUND', { path, reason: reasons[code] ?? String(cause) }, { cause });
}
