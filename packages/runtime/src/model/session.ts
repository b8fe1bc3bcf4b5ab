import { CACHE_PAGE_POSITIONS } from '@pocketllm/abi';
import { pageKey } from '../engine/page-key.js';
import type { KnownPage } from '../engine/page-table.js';
import { requestInvalid } from '../request-invalid.js';
import { Checksum } from './checksum.js';
import type { ModelParts } from './load-model.js';

export interface RestoredSession {
  readonly tokens: readonly number[];
  /** Of them, from the first on, those that need not be computed again. */
  readonly cachedTokens: number;
}

/** What stands in front of the tokens and the pages, as JSON. */
interface Header {
  readonly session: 1;
  /** Of the model's weights. */
  readonly model: number;
  readonly device: string;
  readonly cacheFormat: string;
  readonly tokens: number;
  readonly pages: number;
  /** Of tokens and pages. */
  readonly checksum: number;
}

const mark = new TextEncoder().encode('pocketllm-session\n');

/** Its tokens and the pages that are known of them, read as prompts are. */
export async function saveSession(parts: ModelParts, tokens: readonly number[]): Promise<Uint8Array> {
  const { engine, info } = parts;
  const held = holdPages(parts, tokens);
  try {
    const ids = new Uint8Array(Int32Array.from(tokens).buffer);
    const pages: Uint8Array[] = [];
    for (const { page } of held) pages.push(await engine.cache.readPage(page));
    const body = joined([ids, ...pages]);
    const header: Header = {
      session: 1,
      model: await modelChecksum(parts),
      device: `${info.backend} ${info.device}`,
      cacheFormat: engine.cache.spec.format,
      tokens: tokens.length,
      pages: pages.length,
      checksum: new Checksum().add(body).value,
    };
    const text = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
    return joined([mark, text, body]);
  } finally {
    letGo(parts, held);
  }
}

/** Makes the pages known as far as they fit, on the same kind of cache of the same device. */
export async function restoreSession(parts: ModelParts, bytes: Uint8Array): Promise<RestoredSession> {
  const { header, body } = readHeader(bytes);
  const expected = await modelChecksum(parts);
  if (header.model !== expected) throw invalid(`a session of this model (${expected})`, String(header.model));
  const idBytes = 4 * header.tokens;
  if (body.length < idBytes || new Checksum().add(body).value !== header.checksum) {
    throw invalid('bytes as they were saved', 'others');
  }
  const tokens = [...new Int32Array(body.slice(0, idBytes).buffer)];
  if (tokens.some((id) => id < 0 || id >= parts.sizes.vocabularySize)) throw invalid('token ids', 'others');
  const { engine, info } = parts;
  const isSame =
    header.device === `${info.backend} ${info.device}` && header.cacheFormat === engine.cache.spec.format;
  const pages = isSame ? await writePages(parts, tokens, body.subarray(idBytes), header.pages) : 0;
  return { tokens, cachedTokens: pages * CACHE_PAGE_POSITIONS };
}

async function writePages(
  { engine }: ModelParts,
  tokens: readonly number[],
  bytes: Uint8Array,
  count: number,
): Promise<number> {
  const { table, cache } = engine;
  const size = count === 0 ? 0 : bytes.length / count;
  const held: KnownPage[] = [];
  try {
    while (held.length < Math.min(count, Math.floor(tokens.length / CACHE_PAGE_POSITIONS))) {
      const place = held.length;
      const key = pageKey(tokens, place, tokens.length);
      const known = table.find(held.at(-1), key);
      if (known) {
        table.hold(known);
        held.push(known);
        continue;
      }
      const page = table.take();
      // Answers need the room: the rest is computed when it is needed.
      if (page === undefined) break;
      try {
        await cache.writePage(page, bytes.slice(place * size, (place + 1) * size));
      } catch (error) {
        table.giveBack(page);
        throw error;
      }
      held.push(table.publish(held.at(-1), key, page));
    }
    return held.length;
  } finally {
    for (const known of held.toReversed()) table.letGo(known);
  }
}

/** The pages that are known for a text that is read as a prompt, held. */
function holdPages({ engine: { table } }: ModelParts, tokens: readonly number[]): KnownPage[] {
  const held: KnownPage[] = [];
  while ((held.length + 1) * CACHE_PAGE_POSITIONS <= tokens.length) {
    const known = table.find(held.at(-1), pageKey(tokens, held.length, tokens.length));
    if (!known) break;
    table.hold(known);
    held.push(known);
  }
  return held;
}

function letGo({ engine: { table } }: ModelParts, held: readonly KnownPage[]): void {
  for (const known of held.toReversed()) table.letGo(known);
}

function readHeader(bytes: Uint8Array): { header: Header; body: Uint8Array } {
  const end = bytes.indexOf(10, mark.length);
  if (end < 0 || mark.some((byte, place) => bytes[place] !== byte)) throw invalid('a session', 'other bytes');
  try {
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(mark.length, end))) as Header;
    const counts = [header.tokens, header.pages];
    if (header.session === 1 && counts.every((count) => Number.isSafeInteger(count) && count >= 0)) {
      return { header, body: bytes.subarray(end + 1) };
    }
  } catch {
    // Told below.
  }
  throw invalid('the header of a session', 'another');
}

/** Tells models apart that have the same shape: of the first bytes of every tensor. */
async function modelChecksum({ file }: ModelParts): Promise<number> {
  const checksum = new Checksum();
  for (const [name, { bytes }] of file.tensors) {
    checksum.add(new TextEncoder().encode(name)).add(await file.read(name, 0, Math.min(bytes, 256)));
  }
  return checksum.value;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const piece of pieces) {
    all.set(piece, place);
    place += piece.length;
  }
  return all;
}

const invalid = (expected: string, found: string) => requestInvalid('session', expected, found);
