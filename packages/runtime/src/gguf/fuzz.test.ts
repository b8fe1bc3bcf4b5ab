import { readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { isPocketError, weightFormats } from '@pocketllm/abi';
import { expect, it } from 'vitest';
import { mutate, type Random, seededRandom } from '../../../../tests/support/gguf-mutator.js';
import { type GgufLayout, layoutGguf } from '../../../../tests/support/gguf-writer.js';
import { processorMs } from '../../../../tests/support/processor-time.js';
import { hasShared, sharedPath } from '../../../../tests/support/shared.js';
import { type ByteSource, memorySource } from './byte-source.js';
import { type GgufFile, readGguf } from './read-gguf.js';

// A failure names its seed; POCKETLLM_FUZZ_SEED with POCKETLLM_FUZZ_RUNS=1 repeats it alone.
const firstSeed = Number(process.env.POCKETLLM_FUZZ_SEED ?? 1);
const runs = Number(process.env.POCKETLLM_FUZZ_RUNS ?? 100_000);

/** What the memory of this process may grow by while a header of a few kilobytes is read. */
const mostBytes = 8 * 2 ** 20;
const mostMs = 1000;

const { f32, q8_0, q4_k } = weightFormats;
const numberTypes = [
  ...(['uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32', 'uint64', 'int64'] as const),
  ...(['float32', 'float64'] as const),
];

const bases: readonly GgufLayout[] = [
  layoutGguf({}),
  layoutGguf({
    metadata: {
      'general.architecture': 'qwen3',
      'general.alignment': 64,
      'qwen3.block_count': 2,
      'qwen3.rope.freq_base': { type: 'float32', value: 1e6 },
      'tokenizer.ggml.tokens': Array.from({ length: 40 }, (_, i) => `Ġtok${i}`),
      'tokenizer.ggml.token_type': { elementType: 'int32', values: Array(40).fill(1) },
      'tokenizer.ggml.add_bos_token': false,
      'tokenizer.chat_template': '{% for m in messages %}{{ m.content }}{% endfor %}',
    },
    alignment: 64,
    tensors: [
      { name: 'token_embd.weight', format: q8_0, dimensions: [32, 4] },
      { name: 'output_norm.weight', format: f32, dimensions: [32] },
      { name: 'blk.0.ffn_up.weight', format: q4_k, dimensions: [256, 2] },
    ],
  }),
  layoutGguf({
    metadata: [
      ...numberTypes.map((type) => [`one.${type}`, { type, value: 1 }] as const),
      ...numberTypes.map(
        (elementType) => [`some.${elementType}`, { elementType, values: [1, 2, 3] }] as const,
      ),
      ['one.bool', true],
      ['some.bool', { elementType: 'bool', values: [true, false] }],
      ['some.string', ['', 'é', '😀']],
      ['none', { elementType: 'uint32', values: [] }],
    ],
  }),
  layoutGguf({
    version: 2,
    tensors: Array.from({ length: 12 }, (_, i) => ({
      name: `t${i}`,
      format: f32,
      dimensions: Array(i % 5).fill(i % 3),
    })),
  }),
];

/** A source that counts what is read of it. */
function countingSource(bytes: Uint8Array): { source: ByteSource; count: { bytes: number } } {
  const inner = memorySource(bytes, 'fuzz');
  const count = { bytes: 0 };
  const read = (offset: number, length: number) => {
    count.bytes += length;
    return inner.read(offset, length);
  };
  return { source: { ...inner, read }, count };
}

type Outcome = { readonly file: GgufFile; readonly error?: undefined } | { readonly error: unknown };

const outcomeOf = (source: ByteSource, chunkBytes: number): Promise<Outcome> =>
  readGguf(source, { chunkBytes }).then(
    (file) => ({ file }),
    (error) => ({ error }),
  );

/** Numbers and UTF-16 units that a header was decoded to. */
function decodedElements({ metadata, tensors }: GgufFile): number {
  let elements = 0;
  for (const [key, value] of metadata) {
    elements += key.length + 1;
    if (value.type === 'string') elements += value.value.length;
    if (value.type !== 'array') continue;
    elements += value.values.length;
    if (value.elementType === 'string') for (const text of value.values) elements += text.length;
  }
  for (const { name, dimensions } of tensors.values()) elements += name.length + dimensions.length;
  return elements;
}

function checkSound(file: GgufFile, size: number): void {
  if (decodedElements(file) > size) throw new Error('more elements than bytes');
  for (const { name, offset, bytes } of file.tensors.values()) {
    if (!(offset >= 0 && bytes >= 0 && offset + bytes <= size)) throw new Error(`${name} lies outside`);
  }
}

const usedBytes = () => {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
};

async function checkMutant(bytes: Uint8Array, random: Random): Promise<'read' | 'refused'> {
  const { source, count } = countingSource(bytes);
  const chunkBytes = 1 << (4 + random(12));
  const before = usedBytes();
  const started = processorMs();
  const outcome = await outcomeOf(source, chunkBytes);
  if (processorMs() - started > mostMs) throw new Error('took too long');
  if (usedBytes() - before > mostBytes) throw new Error('took too much memory');
  if (count.bytes > bytes.length) throw new Error(`read ${count.bytes} of ${bytes.length} bytes`);
  if ('file' in outcome) checkSound(outcome.file, bytes.length);
  else if (!isPocketError(outcome.error)) throw outcome.error;
  else if (outcome.error.message.length > 2000) throw new Error('the message is too long');
  if (random(50) === 0) expect(await outcomeOf(memorySource(bytes, 'fuzz'), 2 ** 20)).toEqual(outcome);
  return 'file' in outcome ? 'read' : 'refused';
}

async function fuzz(
  layouts: readonly GgufLayout[],
  times: number,
): Promise<Record<'read' | 'refused', number>> {
  const ends = { read: 0, refused: 0 };
  for (let seed = firstSeed; seed < firstSeed + times; seed++) {
    const random = seededRandom(seed);
    const { bytes, how } = mutate(layouts[random(layouts.length)]!, random);
    try {
      ends[await checkMutant(bytes, random)]++;
    } catch (cause) {
      throw new Error(`seed ${seed} (${how}) of ${bytes.length} bytes: ${String(cause)}`, { cause });
    }
  }
  return ends;
}

it(`${runs} mutated headers are read or refused by a PocketError, within bounds`, {
  timeout: 300_000,
}, async () => {
  const { read, refused } = await fuzz(bases, runs);
  expect(read + refused).toBe(runs);
  // Both ends are reached, or the mutations would prove little.
  if (runs >= 1000) expect(Math.min(read, refused)).toBeGreaterThan(runs / 50);
});

const vectorFile = 'facts/vectors/gguf.json';

it.skipIf(!hasShared(vectorFile))(
  'mutants of the recorded files are read or refused alike (needs ../shared/facts/vectors)',
  { timeout: 300_000 },
  async () => {
    const { cases }: { cases: { file: string }[] } = JSON.parse(readFileSync(sharedPath(vectorFile), 'utf8'));
    const layouts = cases.map(({ file }) => ({
      bytes: new Uint8Array(Buffer.from(file, 'base64')),
      pairs: [],
      tensorInfos: [],
      lengths: [],
    }));
    const times = Math.ceil(runs / 5);
    const { read, refused } = await fuzz(layouts, times);
    expect(read + refused).toBe(times);
  },
);
