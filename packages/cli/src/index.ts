export { type CommandIo, type InputStream, type OutputStream, processIo } from './command-io.js';
export { type ExitCode, exitCode } from './exit-code.js';
export { main } from './main-command.js';
