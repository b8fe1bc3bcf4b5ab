import { displayText } from './display-text.js';
import type { HeaderBytes } from './header-bytes.js';
import { malformed, unsupported } from './refusal.js';

const preambleBytes = 24;
/** Far above real files (45 pairs, 20,000 tensors); keeps the memory of a hostile header small. */
const mostRecords = 65536;
const smallest = {
  /** Key length, empty key (named when it is met), type and one byte. */
  pair: 13,
  /** Name length, dimension count, type and offset. */
  tensorInfo: 24,
};

/** Magic, version and the two counts: the first 24 bytes. */
export function readPreamble(header: HeaderBytes) {
  const { size } = header.source;
  if (size >= 4) {
    const magic = header.bytes(4, 'magic');
    if (String.fromCharCode(...magic) !== 'GGUF') throw notGguf(header);
  }
  header.position = 0;
  if (size < preambleBytes) {
    throw malformed('file', `at least ${preambleBytes} bytes`, `truncated: ${size} bytes`, size);
  }
  header.position = 4;
  const version = header.uint32('version');
  if (version !== 0 && version % 2 ** 16 === 0) {
    throw unsupported('byte order', 'a big-endian file', 'little-endian files', 4);
  }
  if (version !== 2 && version !== 3) throw unsupported('GGUF version', String(version), '2 and 3', 4);
  const tensorCount = readCount(header, 'tensor count', smallest.tensorInfo);
  const pairCount = readCount(header, 'metadata key count', smallest.pair);
  return { version, tensorCount, pairCount };
}

function readCount(header: HeaderBytes, field: string, recordBytes: number): number {
  const at = header.position;
  const count = header.uint64(field);
  const most = Math.floor(header.remaining / recordBytes);
  if (count > most) {
    throw malformed(field, `at most ${most}, as the rest of the file can hold`, header.exactUint64(at), at);
  }
  if (count > mostRecords) throw unsupported(field, String(count), `up to ${mostRecords}`, at);
  return count;
}

/** Says what else a downloaded file often is. */
function notGguf(header: HeaderBytes) {
  header.position = 0;
  const bytes = header.bytes(Math.min(header.source.size, 40), 'magic');
  const text = String.fromCharCode(...bytes);
  const found = /^\s*<(!doctype|html)/i.test(text)
    ? 'a web page (HTML)'
    : text.startsWith('version https://git-lfs')
      ? 'a Git LFS pointer instead of the file'
      : displayText(text.slice(0, 4));
  return malformed('magic', 'GGUF', `not a GGUF file: ${found}`, 0);
}
