export type { KernelInfo } from './addon.js';
export { loadAddon } from './load-addon.js';
export { plugin as default } from './plugin.js';
