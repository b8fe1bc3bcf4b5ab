// @ts-check
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { weightFormats } from '@pocketllm/abi';
import { openGgufFile } from '@pocketllm/runtime/node';
import { header, padding, pair } from './gguf-header.mjs';
import { mixes } from './mixes.mjs';
import { blockMaker } from './random-blocks.mjs';
import { randomBytes } from './random-bytes.mjs';
import { qwen3Small, tensorsOf } from './shape.mjs';

/** Blocks made and written at a time hold about this many bytes. */
const chunkBytes = 2 ** 22;

/**
 * Writes a model of random weights. Activations stay of the order of 1: matrices keep the spread of what they
 * are given, norms are near 1.
 *
 * @param {object} options
 * @param {string} options.path the file to write; takes its name once it is whole
 * @param {string} options.mix a name of `mixes`
 * @param {string} options.vocabulary a GGUF file whose tokenizer is copied
 * @param {import('./shape.mjs').Shape} [options.shape]
 * @param {number} [options.seed]
 */
export async function writeModel({ path, mix: mixName, vocabulary, shape = qwen3Small, seed = 1 }) {
  const mix = mixes[mixName];
  if (!mix) throw new TypeError(`no mix is named ${mixName}; there are ${Object.keys(mixes).join(', ')}`);
  const tensors = tensorsOf(shape).map((tensor) => {
    const name = tensor.kind === 'norm' ? 'f32' : mix.format(tensor.kind, tensor.layer, shape.layers);
    const { block, ggufType } = weightFormats[name];
    const blocks = tensor.dimensions.reduce((product, size) => product * size, 1) / block.weights;
    return { ...tensor, format: name, ggufType, blocks, bytes: blocks * block.bytes };
  });
  const pairs = [...modelPairs(shape, mix, mixName), ...(await tokenizerPairs(vocabulary))];

  const partial = `${path}.partial`;
  const file = openSync(partial, 'w');
  try {
    writeAll(file, header(pairs, tensors));
    for (const tensor of tensors) {
      const random = randomBytes(seed, tensor.name);
      const [inputs = 1] = tensor.dimensions;
      const make = tensor.format === 'f32' ? gains : blockMaker(tensor.format, 1 / Math.sqrt(inputs));
      const step = Math.ceil(chunkBytes / weightFormats[tensor.format].block.bytes);
      for (let done = 0; done < tensor.blocks; done += step) {
        writeAll(file, make(random, Math.min(step, tensor.blocks - done)));
      }
      writeAll(file, Buffer.alloc(padding(tensor.bytes)));
    }
  } catch (error) {
    closeSync(file);
    rmSync(partial);
    throw error;
  }
  closeSync(file);
  renameSync(partial, path);
}

/** Gains of a norm: from 0.75 to 1.25. @param {(length: number) => Buffer} random @param {number} count */
function gains(random, count) {
  return Buffer.from(Float32Array.from(random(count), (byte) => 0.75 + byte / 510).buffer);
}

/** @param {import('./shape.mjs').Shape} shape @param {import('./mixes.mjs').Mix} mix @param {string} mixName */
function modelPairs(shape, mix, mixName) {
  return [
    pair('general.architecture', 'string', 'qwen3'),
    pair('general.name', 'string', `Random weights of Qwen3-0.6B's shape, ${mixName}`),
    pair('general.file_type', 'uint32', mix.fileType),
    pair('general.quantization_version', 'uint32', 2),
    pair('qwen3.block_count', 'uint32', shape.layers),
    pair('qwen3.context_length', 'uint32', shape.context),
    pair('qwen3.embedding_length', 'uint32', shape.embedding),
    pair('qwen3.feed_forward_length', 'uint32', shape.feedForward),
    pair('qwen3.attention.head_count', 'uint32', shape.heads),
    pair('qwen3.attention.head_count_kv', 'uint32', shape.keyValueHeads),
    pair('qwen3.attention.key_length', 'uint32', shape.headSize),
    pair('qwen3.attention.value_length', 'uint32', shape.headSize),
    pair('qwen3.attention.layer_norm_rms_epsilon', 'float32', shape.epsilon),
    pair('qwen3.rope.freq_base', 'float32', shape.ropeBase),
  ];
}

/** The tokenizer's pairs of a file without tensors, byte for byte. @param {string} path */
async function tokenizerPairs(path) {
  const file = await openGgufFile(path);
  await file.close();
  if (file.tensors.size > 0)
    throw new TypeError(`${path} has tensors; a file of a vocabulary alone is needed`);
  const bytes = readFileSync(path);
  // A pair starts with its key's length and text, then four bytes of type; its value ends where the next starts.
  const pairs = [...file.metadata].map(([key, { offset }]) => ({
    key,
    start: offset - 4 - Buffer.byteLength(key) - 8,
  }));
  return pairs
    .map(({ key, start }, i) => ({ key, bytes: bytes.subarray(start, pairs[i + 1]?.start) }))
    .filter(({ key }) => key.startsWith('tokenizer.'))
    .map((entry) => entry.bytes);
}

/** @param {number} file @param {Uint8Array} bytes */
function writeAll(file, bytes) {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
