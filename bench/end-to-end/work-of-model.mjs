// @ts-check
import { openGgufFile } from '@pocketllm/runtime/node';

/**
 * What a model asks of the machine, from the header of its file.
 *
 * - weightBytes: read for each token that is decoded
 * - cacheBytes: of one position, in f16
 * - matrixWeights: multiplied for each token of a prompt; outputWeights only for its last one
 * - positions: what the model was made for
 * - attentionWidth: elements of the queries of one position, over all layers
 *
 * @typedef {{ fileBytes: number, weightBytes: number, cacheBytes: number, matrixWeights: number,
 *   outputWeights: number, attentionWidth: number, vocabulary: number, positions: number,
 *   mostlyFloats: boolean }} ModelWork
 */

/** @param {string} path @returns {Promise<ModelWork>} */
export async function workOfModel(path) {
  const file = await openGgufFile(path);
  await file.close();
  const architecture = String(numberOrText(file, 'general.architecture'));
  const size = (/** @type {string} */ key) => Number(numberOrText(file, `${architecture}.${key}`));
  const heads = size('attention.head_count');
  const headSize = size('attention.key_length') || size('embedding_length') / heads;
  const layers = size('block_count');

  const tensors = [...file.tensors.values()].map(({ name, dimensions, bytes, format }) => ({
    name,
    bytes,
    format: format.name,
    matrix: dimensions.length > 1,
    weights: dimensions.reduce((product, length) => product * length, 1),
  }));
  const embedding = tensors.find(({ name }) => name === 'token_embd.weight');
  const output = tensors.find(({ name }) => name === 'output.weight') ?? embedding;
  if (!embedding || !output) throw new TypeError(`${path} has no token_embd.weight`);
  // The embedding is looked up, not read, unless it is the output matrix too.
  const read = tensors.filter((tensor) => tensor !== embedding || tensor === output);
  const matrices = read.filter((tensor) => tensor.matrix && tensor !== output);
  const sum = (/** @type {number[]} */ numbers) => numbers.reduce((total, number) => total + number, 0);
  return {
    fileBytes: sum(tensors.map(({ bytes }) => bytes)),
    weightBytes: sum(read.map(({ bytes }) => bytes)),
    cacheBytes: layers * (size('attention.head_count_kv') || heads) * headSize * 2 * 2,
    matrixWeights: sum(matrices.map(({ weights }) => weights)),
    outputWeights: output.weights,
    attentionWidth: layers * heads * headSize,
    positions: size('context_length'),
    vocabulary: output.weights / size('embedding_length'),
    mostlyFloats: matrices.every(({ format }) => /^b?f\d+$/.test(format)),
  };
}

/** @param {Awaited<ReturnType<typeof openGgufFile>>} file @param {string} key */
function numberOrText(file, key) {
  const entry = file.metadata.get(key);
  return entry !== undefined && 'value' in entry ? entry.value : undefined;
}

/** Bytes that one step of a decode reads: the weights, and the cache of each sequence at its mean length. @param {ModelWork} work @param {number} sequences @param {number} positions */
export function bytesOfStep(work, sequences, positions) {
  return work.weightBytes + sequences * positions * work.cacheBytes;
}

/** Multiplications and additions to read a prompt: its matrices, causal attention, one row of logits. @param {ModelWork} work @param {number} tokens */
export function operationsOfPrompt(work, tokens) {
  return 2 * work.matrixWeights * tokens + 2 * work.outputWeights + 2 * work.attentionWidth * tokens * tokens;
}
