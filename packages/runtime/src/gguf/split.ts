import { isPocketError, PocketError, type WeightSource } from '@pocketllm/abi';
import type { ByteSource } from './byte-source.js';
import { displayText } from './display-text.js';
import type { GgufMetadata } from './gguf-value.js';
import { MetadataView } from './metadata-view.js';
import type { GgufTensor } from './place-tensors.js';
import { type GgufFile, readGguf } from './read-gguf.js';
import { malformed, unsupported } from './refusal.js';
import { parseSplitName } from './split-name.js';

/** Opens one file of a model: a path, or an address for a source that understands those. */
export type OpenSource = (path: string) => Promise<ByteSource>;

/** One file of a model, opened and read. */
export interface GgufPart {
  readonly source: ByteSource;
  readonly file: GgufFile;
}

/** A tensor and the file that holds it: `offset` counts from the start of that file. */
export interface LocatedTensor extends GgufTensor {
  readonly source: ByteSource;
}

/** The keys that only say how a model was split. */
const splitKeys = new Set(['split.no', 'split.count', 'split.tensors.count']);

/** One model, whether it lies in one file or in the parts of a split set. Owns its sources. */
export class GgufModel implements WeightSource {
  /** Of the first file, without the keys of a split set. */
  readonly metadata: GgufMetadata;
  readonly tensors: ReadonlyMap<string, LocatedTensor>;
  /** What is odd and harmless, or was left out. Fit to be shown. */
  readonly warnings: readonly string[];

  /** At least one part. MODEL_MALFORMED where two hold a tensor of one name. */
  constructor(readonly parts: readonly GgufPart[]) {
    this.metadata = new Map([...parts[0]!.file.metadata].filter(([key]) => !splitKeys.has(key)));
    this.tensors = mergeTensors(parts);
    this.warnings = parts.flatMap(({ file }, index) =>
      parts.length === 1 ? file.warnings : file.warnings.map((text) => `part ${index + 1}: ${text}`),
    );
  }

  /** A tensor by name. MODEL_MALFORMED where there is none. */
  tensor(name: string): LocatedTensor {
    const tensor = this.tensors.get(name);
    if (!tensor) throw malformed(`tensor ${displayText(name)}`, 'a required tensor', 'missing');
    return tensor;
  }

  /** Bytes of a tensor as stored, from `offset` within it; all of them by default. */
  async read(name: string, offset = 0, length?: number): Promise<Uint8Array> {
    const tensor = this.tensor(name);
    const wanted = length ?? tensor.bytes - offset;
    if (!(offset >= 0 && wanted >= 0 && offset + wanted <= tensor.bytes)) {
      throw new TypeError(`${name} has ${tensor.bytes} bytes, not ${wanted} from ${offset}`);
    }
    return tensor.source.read(tensor.offset + offset, wanted);
  }

  /** Where a tensor stands in a file of this machine, to be mapped; undefined where its source has no path. */
  locate(name: string): { path: string; offset: number; bytes: number } | undefined {
    const { source, offset, bytes } = this.tensor(name);
    return source.path === undefined ? undefined : { path: source.path, offset, bytes };
  }

  /** Gives the files back; twice is fine. */
  async close(): Promise<void> {
    await Promise.all(this.parts.map(({ source }) => source.close?.()));
  }
}

/**
 * Opens a model by its only file, or by the first part of a split set, whose other parts are opened beside it.
 * MODEL_NOT_FOUND where a part is missing or `path` is not the first one; else as `readGguf` refuses. Whatever
 * was opened is closed again on a refusal.
 */
export async function openGguf(path: string, open: OpenSource): Promise<GgufModel> {
  const sources: ByteSource[] = [];
  const openPart = async (partPath: string): Promise<GgufPart> => {
    const source = await open(partPath);
    sources.push(source);
    return { source, file: await readGguf(source) };
  };
  try {
    const first = await openPart(path);
    const set = splitSetOf(first, path);
    if (!set) return new GgufModel([first]);
    const parts = [first];
    for (let part = 2; part <= set.parts; part++) {
      const next = openPart(set.sibling(part)).then((opened) => checkPlace(opened, part, set.parts));
      parts.push(
        await next.catch((error) => {
          throw namingPart(part, error);
        }),
      );
    }
    checkTotal(parts);
    return new GgufModel(parts);
  } catch (error) {
    await Promise.allSettled(sources.map(async (source) => source.close?.()));
    throw error;
  }
}

/** The set that this file opens, or undefined where it is a model by itself. */
function splitSetOf(first: GgufPart, path: string) {
  const count = new MetadataView(first.file.metadata).optional.integer('split.count') ?? 1;
  if (count <= 1) return undefined;
  const name = parseSplitName(path);
  if (!name) {
    const reason = `the file is of a split set of ${count}, but is not named like one (-00001-of-0000N.gguf)`;
    throw new PocketError('MODEL_NOT_FOUND', { path, reason });
  }
  if (name.part !== 1) {
    const reason = `this is part ${name.part} of a split set; open ${name.sibling(1)}`;
    throw new PocketError('MODEL_NOT_FOUND', { path, reason });
  }
  checkPlace(first, 1, name.parts);
  return name;
}

/** Whether a file says of itself what its name says. Numbered from 1. */
function checkPlace(opened: GgufPart, part: number, parts: number): GgufPart {
  const { metadata } = opened.file;
  const view = new MetadataView(metadata);
  const check = (key: string, expected: number) => {
    const found = view.integer(key);
    if (found === expected) return;
    throw malformed(key, `${expected}, as its name says`, String(found), metadata.get(key)!.offset);
  };
  check('split.no', part - 1);
  check('split.count', parts);
  return opened;
}

function checkTotal(parts: readonly GgufPart[]): void {
  const key = 'split.tensors.count';
  const { metadata } = parts[0]!.file;
  const stated = new MetadataView(metadata).integer(key);
  const found = parts.reduce((sum, { file }) => sum + file.tensors.size, 0);
  if (stated === found) return;
  throw malformed(key, `${found}, the tensors of all parts`, String(stated), metadata.get(key)!.offset);
}

function namingPart(part: number, error: unknown): unknown {
  if (isPocketError(error, 'MODEL_MALFORMED')) {
    const { field, expected, found, offset } = error.details;
    return malformed(`part ${part}: ${field}`, expected, found, offset);
  }
  if (isPocketError(error, 'MODEL_UNSUPPORTED')) {
    const { what, found, supported, offset } = error.details;
    return unsupported(`part ${part}: ${what}`, found, supported, offset);
  }
  return error;
}

function mergeTensors(parts: readonly GgufPart[]): Map<string, LocatedTensor> {
  const merged = new Map<string, LocatedTensor>();
  for (const [index, { source, file }] of parts.entries()) {
    for (const tensor of file.tensors.values()) {
      if (merged.has(tensor.name)) {
        const field = `part ${index + 1}: tensor ${displayText(tensor.name)}`;
        throw malformed(field, 'a tensor in one part', 'a duplicate');
      }
      merged.set(tensor.name, { ...tensor, source });
    }
  }
  return merged;
}
