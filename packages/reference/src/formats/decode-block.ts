/**
 * Decodes one block of a format: reads the block at byte `block` of `bytes`, writes its weights to
 * `out[to]` and up. Every step is rounded to single precision in the order of the format's formula, so the
 * result is the same bit for bit as that of other engines. Writing to `out` is the last rounding.
 */
export type DecodeBlock = (bytes: Uint8Array, block: number, out: Float32Array, to: number) => void;
