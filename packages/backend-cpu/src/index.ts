export { type KernelInfo, loadAddon } from './addon.js';
export { plugin as default } from './plugin.js';
