export { createServer, type ListenOptions, type PocketServer } from './create-server.js';
export { isLoopback, type ServerOptions } from './options.js';
