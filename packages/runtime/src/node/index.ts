export { type FileSource, openFile } from './file-source.js';
export { type BackendListing, type DiscoveryOptions, listBackends } from './list-backends.js';
export { loadBackend, loadListing, pickBackend } from './load-backend.js';
export { type OpenModelOptions, openGgufFile, openModel } from './open-model.js';
