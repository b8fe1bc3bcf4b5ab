export { type OpenBackendOptions, openBackend, probeBackend } from './open-backend.js';
export { type ProcessBackend, processBackend } from './process-backend.js';
