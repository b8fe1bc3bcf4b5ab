import { PocketError, weightFormats } from '@pocketllm/abi';
import { expect, it } from 'vitest';
import { type MetadataInput, writeGguf } from '../../../../tests/support/gguf-writer.js';
import { type ByteSource, memorySource } from './byte-source.js';
import { openGguf } from './split.js';
import { parseSplitName } from './split-name.js';

/** Files by path, and how many are open. */
class Shelf {
  open = 0;
  readonly files = new Map<string, Uint8Array>();

  readonly opener = async (path: string): Promise<ByteSource> => {
    const bytes = this.files.get(path);
    if (!bytes) throw new PocketError('MODEL_NOT_FOUND', { path, reason: 'no such file' });
    this.open++;
    const close = async () => void this.open--;
    return { ...memorySource(bytes, path), path, close };
  };
}

const name = (part: number) => `m-0000${part}-of-00003.gguf`;

/** Three parts with tensors a, b and c, of which each says what `change` leaves of the truth. */
function threeParts(
  change: (part: number) => Record<string, MetadataInput> = () => ({}),
  tensors = 'abc',
): Shelf {
  const shelf = new Shelf();
  for (const part of [1, 2, 3]) {
    const data = new Uint8Array(Float32Array.of(part, -part).buffer);
    const bytes = writeGguf({
      metadata: {
        'general.architecture': `part ${part}`,
        'split.no': { type: 'uint16', value: part - 1 },
        'split.count': { type: 'uint16', value: 3 },
        'split.tensors.count': { type: 'int32', value: 3 },
        ...change(part),
      },
      tensors: [{ name: tensors[part - 1]!, format: weightFormats.f32, dimensions: [2], data }],
    });
    shelf.files.set(name(part), bytes);
  }
  return shelf;
}

it('the parts of a split set are one model', async () => {
  const shelf = threeParts();
  const model = await openGguf(name(1), shelf.opener);
  expect([...model.tensors.keys()]).toEqual(['a', 'b', 'c']);
  expect([...model.metadata.keys()]).toEqual(['general.architecture']);
  expect(model.metadata.get('general.architecture')).toMatchObject({ value: 'part 1' });
  expect(await model.read('c')).toEqual(new Uint8Array(Float32Array.of(3, -3).buffer));
  expect(await model.read('b', 4)).toEqual(new Uint8Array(Float32Array.of(-2).buffer));
  expect(await model.read('b', 0, 4)).toEqual(new Uint8Array(Float32Array.of(2).buffer));
  expect(model.locate('b')).toEqual({ path: name(2), offset: model.tensor('b').offset, bytes: 8 });
  await expect(model.read('b', 4, 5)).rejects.toThrow(TypeError);
  expect(() => model.locate('d')).toThrow(expect.objectContaining({ code: 'MODEL_MALFORMED' }));
  expect(shelf.open).toBe(3);
  await model.close();
  expect(shelf.open).toBe(0);
});

it('a file that is no split set is a model by itself, whatever its name', async () => {
  const shelf = new Shelf();
  const count = { type: 'uint16', value: 1 } as const;
  shelf.files.set(name(2), writeGguf({ metadata: { 'split.count': count, key: true } }));
  const model = await openGguf(name(2), shelf.opener);
  expect([...model.metadata.keys()]).toEqual(['key']);
});

it('a warning names its part', async () => {
  const shelf = threeParts();
  const bytes = shelf.files.get(name(2))!;
  const longer = new Uint8Array(bytes.length + 1);
  longer.set(bytes);
  shelf.files.set(name(2), longer);
  const { warnings } = await openGguf(name(1), shelf.opener);
  expect(warnings).toEqual(['part 2: 1 extra bytes after the last tensor']);
});

const only = (wanted: number, keys: Record<string, MetadataInput>) => (part: number) =>
  part === wanted ? keys : {};

it.each([
  [
    'a part out of its place',
    threeParts(only(2, { 'split.no': 2 })),
    { field: 'part 2: split.no', found: '2' },
  ],
  [
    'a first part that says it is another',
    threeParts(only(1, { 'split.no': 1 })),
    { field: 'split.no', found: '1' },
  ],
  [
    'a part of another set',
    threeParts(only(3, { 'split.count': 4 })),
    { field: 'part 3: split.count', found: '4' },
  ],
  [
    'a name that states another count',
    threeParts(only(1, { 'split.count': 2 })),
    { field: 'split.count', found: '2' },
  ],
  [
    'a wrong total',
    threeParts(only(1, { 'split.tensors.count': 4 })),
    { field: 'split.tensors.count', found: '4' },
  ],
  ['a tensor in two parts', threeParts(undefined, 'aba'), { field: 'part 3: tensor a' }],
  [
    'an unsound part',
    threeParts(only(2, { 'general.alignment': 33 })),
    { field: 'part 2: general.alignment' },
  ],
])('%s is refused and every file closed', async (_fact, shelf, details) => {
  await expect(openGguf(name(1), shelf.opener)).rejects.toMatchObject({ code: 'MODEL_MALFORMED', details });
  expect(shelf.open).toBe(0);
});

it('a missing part is named by its path, and the others are closed', async () => {
  const shelf = threeParts();
  shelf.files.delete(name(2));
  await expect(openGguf(name(1), shelf.opener)).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
    details: { path: name(2) },
  });
  expect(shelf.open).toBe(0);
});

it('opening a later part says which one to open', async () => {
  await expect(openGguf(name(2), threeParts().opener)).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
    details: { reason: `this is part 2 of a split set; open ${name(1)}` },
  });
});

it('a part under a name without number cannot find the others', async () => {
  const shelf = threeParts();
  shelf.files.set('renamed.gguf', shelf.files.get(name(1))!);
  await expect(openGguf('renamed.gguf', shelf.opener)).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
});

it('the name of a part gives those of its siblings, in an address too', () => {
  expect(parseSplitName('dir/m-00001-of-00012.gguf')?.sibling(12)).toBe('dir/m-00012-of-00012.gguf');
  expect(parseSplitName('http://h/m-00002-of-00003.gguf?download=1')).toMatchObject({ part: 2, parts: 3 });
  expect(parseSplitName('http://h/m-00001-of-00003.gguf?x')?.sibling(2)).toBe(
    'http://h/m-00002-of-00003.gguf?x',
  );
  expect(parseSplitName('m-00001-of-00003.gguf.part')).toBeUndefined();
  expect(parseSplitName('m-1-of-3.gguf')).toBeUndefined();
});

it('what is wrong is said, though a file does not close', async () => {
  const shelf = threeParts(() => ({}), 'aac');
  const stuck = () => {
    throw new Error('stuck');
  };
  const opener = async (path: string) => ({ ...(await shelf.opener(path)), close: stuck });
  await expect(openGguf(name(1), opener)).rejects.toMatchObject({ details: { found: 'a duplicate' } });
});
