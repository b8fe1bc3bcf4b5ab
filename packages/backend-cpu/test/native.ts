import { loadAddon } from '../src/load-addon.js';

const { addon, missing } = loadAddon();

/** Why tests of native code cannot run here; undefined where they can. */
export const missingNative = missing;

/** The native module, for tests that run only where it is there. */
export const native = addon!;
