// @ts-check
// The front of a GGUF file: counts, metadata pairs, tensor infos, and the padding before the data.

export const alignment = 32;

/** @typedef {{ name: string, dimensions: number[], ggufType: number, bytes: number }} TensorInfo */

/** Ids of the value types that are written here. */
const valueTypes = { uint32: 4, float32: 6, string: 8 };

/**
 * One metadata pair.
 *
 * @param {string} key
 * @param {keyof typeof valueTypes} type
 * @param {string | number} value
 */
export function pair(key, type, value) {
  return Buffer.concat([string(key), uint32(valueTypes[type]), valueBytes(type, value)]);
}

/** @param {keyof typeof valueTypes} type @param {string | number} value */
function valueBytes(type, value) {
  if (type === 'string') return string(String(value));
  if (type === 'uint32') return uint32(Number(value));
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(Number(value));
  return bytes;
}

/**
 * Everything before the data. Tensors follow in this order, each padded to the alignment.
 *
 * @param {Uint8Array[]} pairs each as `pair` makes it, or copied from another file
 * @param {TensorInfo[]} tensors
 */
export function header(pairs, tensors) {
  const counts = [uint64(tensors.length), uint64(pairs.length)];
  const infos = [];
  let offset = 0;
  for (const { name, dimensions, ggufType, bytes } of tensors) {
    infos.push(string(name), uint32(dimensions.length), ...dimensions.map(uint64));
    infos.push(uint32(ggufType), uint64(offset));
    offset += bytes + padding(bytes);
  }
  const front = Buffer.concat([Buffer.from('GGUF'), uint32(3), ...counts, ...pairs, ...infos]);
  return Buffer.concat([front, Buffer.alloc(padding(front.length))]);
}

/** Bytes up to the next multiple of the alignment. @param {number} length */
export const padding = (length) => -length & (alignment - 1);

/** @param {number} value */
function uint32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** @param {number} value */
function uint64(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

/** @param {string} text */
function string(text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([uint64(bytes.length), bytes]);
}
