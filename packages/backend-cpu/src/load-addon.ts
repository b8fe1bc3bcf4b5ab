import { createRequire } from 'node:module';
import type { Addon } from './addon.js';
import { type AddonFile, findAddon } from './addon-file.js';

/** The native module, or why there is none. */
export type AddonState =
  | { readonly addon: Addon; readonly missing?: never }
  | { readonly addon?: never; readonly missing: string };

// The same from src and, bundled, from dist.
const build = new URL('../build/', import.meta.url);

let state: AddonState | undefined;

/** Where the native module is. */
export const addonFile = (): AddonFile => findAddon(build);

/**
 * Loads the native module once. Never throws.
 * @internal For tests: applications ask the plugin's probe.
 */
export function loadAddon(): AddonState {
  state ??= load(addonFile());
  return state;
}

export function load({ file, missing }: AddonFile): AddonState {
  if (file === undefined) return { missing };
  try {
    const addon = createRequire(import.meta.url)(file) as Addon;
    if (addon.abi === 1) return { addon };
    return { missing: `${file} was built for version ${addon.abi} of the ABI, not 1` };
  } catch (error) {
    return { missing: `the native part cannot be loaded: ${error instanceof Error ? error.message : error}` };
  }
}
