export * from './errors.js';
export * from './formats/index.js';
