export * from './backend/index.js';
export * from './errors.js';
export * from './formats/index.js';
export * from './ops/index.js';
export * from './program/index.js';
