import {
  ABI_VERSION,
  type Backend,
  type BackendPlugin,
  type Cache,
  type Executable,
  PocketError,
  type ProbeResult,
  parseCapabilities,
} from '@pocketllm/abi';

/**
 * What a module exports as default, known to be a plugin of this version. `source` (a package or path) names
 * it in errors: PLUGIN_INVALID where it has not the shape of a plugin, ABI_MISMATCH where it is of another version.
 */
export function checkPlugin(value: unknown, source: string): BackendPlugin {
  if (!isRecord(value)) throw invalid(source, 'its default export is not an object');
  if (typeof value.abi !== 'number') throw invalid(source, 'abi is not a number');
  checkAbi(value.abi, source);
  if (typeof value.name !== 'string' || value.name === '') throw invalid(source, 'name is not a text');
  checkMethods(value, ['probe', 'open'], source, 'the plugin');
  return value as unknown as BackendPlugin;
}

/** Compares the version that a plugin was built for with ours: ABI_MISMATCH. */
export function checkAbi(wants: number, plugin: string): void {
  if (wants !== ABI_VERSION) throw new PocketError('ABI_MISMATCH', { plugin, wants, has: ABI_VERSION });
}

/** What a plugin's probe gave, known to list devices. PLUGIN_INVALID otherwise. */
export function checkProbe(value: unknown, plugin: string): ProbeResult {
  if (!isRecord(value) || !Array.isArray(value.devices)) {
    throw invalid(plugin, 'probe gives no list of devices');
  }
  const ids = value.devices.map((device) => checkDevice(device, plugin));
  if (new Set(ids).size < ids.length) throw invalid(plugin, `two devices share one id: ${ids.join(', ')}`);
  return value as unknown as ProbeResult;
}

/** What a plugin opened, known to be a backend. PLUGIN_INVALID otherwise. */
export function checkBackend(value: unknown, plugin: string): Backend {
  if (!isRecord(value)) throw invalid(plugin, 'open gives no backend');
  checkMethods(value, ['prepare', 'createCache', 'memory', 'close'], plugin, 'the backend');
  checkDevice(value.device, plugin);
  return value as unknown as Backend;
}

/** What a backend prepared, known to run steps. PLUGIN_INVALID otherwise. */
export function checkExecutable(value: unknown, plugin: string): Executable {
  if (!isRecord(value)) throw invalid(plugin, 'prepare gives no executable');
  checkMethods(value, ['run', 'release'], plugin, 'the executable');
  return value as unknown as Executable;
}

/** What a backend made for keys and values, known to be a cache. PLUGIN_INVALID otherwise. */
export function checkCache(value: unknown, plugin: string): Cache {
  if (!isRecord(value) || !isRecord(value.spec))
    throw invalid(plugin, 'createCache gives no cache with a spec');
  checkMethods(value, ['copyPage', 'readPage', 'writePage', 'close'], plugin, 'the cache');
  return value as unknown as Cache;
}

/** Gives the id of a device that has one, and capabilities as in a capabilities file. */
function checkDevice(value: unknown, plugin: string): string {
  if (!isRecord(value) || typeof value.id !== 'string') throw invalid(plugin, 'a device has no id');
  if (!isRecord(value.capabilities)) throw invalid(plugin, `device ${value.id} has no capabilities`);
  parseCapabilities(value.capabilities, plugin);
  return value.id;
}

function checkMethods(
  value: Record<string, unknown>,
  methods: readonly string[],
  plugin: string,
  what: string,
): void {
  const missing = methods.find((method) => typeof value[method] !== 'function');
  if (missing) throw invalid(plugin, `${what} has no method ${missing}`);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const invalid = (plugin: string, reason: string) => new PocketError('PLUGIN_INVALID', { plugin, reason });
