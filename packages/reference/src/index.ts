export { encodeRow } from './encoders/index.js';
export { decodeRow } from './formats/index.js';
export { type AnyKernel, type Elements, kernelOf } from './ops/index.js';
export type { ReferenceParts } from './parts.js';
export { createReferencePlugin, plugin as default } from './plugin.js';
