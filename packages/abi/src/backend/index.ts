export * from './backend.js';
export * from './cache.js';
export * from './capabilities.js';
export * from './check-capabilities.js';
export * from './check-step.js';
export { parseCapabilities } from './parse-capabilities.js';
export * from './step.js';
export * from './weight-source.js';
