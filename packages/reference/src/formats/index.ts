export type { DecodeBlock } from './decode-block.js';
export { decodeRow } from './decode-row.js';
export { decoders } from './decoders.js';
export { bf16OfFloat, floatOfBf16, floatOfHalf, halfOfFloat } from './half.js';
