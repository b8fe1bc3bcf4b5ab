import { processIo } from './command-io.js';
import { main } from './main-command.js';

process.exitCode = await main(process.argv.slice(2), processIo());
