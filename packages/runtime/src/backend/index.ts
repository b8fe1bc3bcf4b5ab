export * from './check-plugin.js';
export * from './open-backend.js';
export { type ProcessBackend, processBackend } from './process-backend.js';
