// @ts-check
import { createCipheriv, createHash } from 'node:crypto';

/**
 * A stream of random bytes that is a function of the seed and the name alone: AES in counter mode, since nothing
 * else in Node makes seeded bytes at the speed of a disk.
 *
 * @param {number} seed
 * @param {string} name
 * @returns {(length: number) => Buffer<ArrayBuffer>} the next bytes
 */
export function randomBytes(seed, name) {
  const key = createHash('sha256').update(`${seed} ${name}`).digest();
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  // Copied into memory that starts at a multiple of 8, so that it can be seen as wider numbers.
  return (length) => {
    const bytes = Buffer.from(new ArrayBuffer(length));
    cipher.update(bytes).copy(bytes);
    return bytes;
  };
}
