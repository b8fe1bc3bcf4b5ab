import {
  type Backend,
  type BackendPlugin,
  type DeviceInfo,
  isPocketError,
  type OpenOptions,
  PocketError,
  type ProbeResult,
} from '@pocketllm/abi';
import { requestInvalid } from '../request-invalid.js';
import { checkBackend, checkPlugin, checkProbe } from './check-plugin.js';
import { claimProcess, processBackend } from './process-backend.js';

export interface OpenBackendOptions extends OpenOptions {
  /** By default the device that this process has open, else the first that the plugin offers. */
  readonly deviceId?: string;
}

/**
 * Opens one device of a plugin under the rule of one backend per process: the first open that succeeds decides
 * for as long as the process lives, closed or not, since drivers and native libraries stay loaded. The same
 * device may be opened again, while the first is open or after; every call gets a backend of its own to close.
 *
 * - PLUGIN_INVALID, ABI_MISMATCH: not a plugin of this version
 * - REQUEST_INVALID: not a number of threads
 * - BACKEND_UNAVAILABLE: no device here, or none of that id, with the reason
 * - BACKEND_ALREADY_OPEN: the process has another backend or device
 */
export async function openBackend(plugin: BackendPlugin, options: OpenBackendOptions = {}): Promise<Backend> {
  const { deviceId, threads } = options;
  checkThreads(threads);
  const { name } = checkPlugin(plugin, pluginName(plugin));
  const { id } = chooseDevice(name, await probeBackend(plugin), deviceId);
  const unclaim = claimProcess({ backend: name, device: id });
  try {
    return checkBackend(await plugin.open(id, threads === undefined ? {} : { threads }), name);
  } catch (error) {
    unclaim();
    throw isPocketError(error)
      ? error
      : unavailable(name, `device ${id} does not open: ${String(error)}`, error);
  }
}

/** The devices that a plugin offers here. A probe that fails is BACKEND_UNAVAILABLE. */
export async function probeBackend(plugin: BackendPlugin): Promise<ProbeResult> {
  let result: unknown;
  try {
    result = await plugin.probe();
  } catch (error) {
    throw isPocketError(error) ? error : unavailable(plugin.name, `its probe fails: ${String(error)}`, error);
  }
  return checkProbe(result, plugin.name);
}

function checkThreads(threads: number | undefined): void {
  if (threads === undefined || (Number.isSafeInteger(threads) && threads >= 1)) return;
  throw requestInvalid('threads', 'an integer of at least 1', String(threads));
}

function chooseDevice(name: string, { devices, reason }: ProbeResult, deviceId?: string): DeviceInfo {
  const [first] = devices;
  if (!first) throw unavailable(name, reason ?? 'it finds no device and gives no reason');
  const open = processBackend();
  const wanted = deviceId ?? (open?.backend === name ? open.device : first.id);
  const device = devices.find(({ id }) => id === wanted);
  if (device) return device;
  const known = devices.map(({ id }) => id).join(', ');
  throw unavailable(name, `no device ${wanted}; it has ${known}${reason ? ` (${reason})` : ''}`);
}

const pluginName = (plugin: BackendPlugin): string => (plugin?.name ? String(plugin.name) : 'the plugin');

const unavailable = (backend: string, reason: string, cause?: unknown) =>
  new PocketError('BACKEND_UNAVAILABLE', { backend, reason }, { cause });
