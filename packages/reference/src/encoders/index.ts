export type { EncodeBlock } from './encode-block.js';
export { encodeRow } from './encode-row.js';
export { encoders } from './encoders.js';
