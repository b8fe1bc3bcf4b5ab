import { type BackendPlugin, type DeviceInfo, definePlugin } from '@pocketllm/abi';
import type { Addon } from './addon.js';
import { capabilities } from './capabilities.js';
import { isaVariable, offeredIsas, unavailable } from './isa.js';
import { addonFile, loadAddon } from './load-addon.js';
import { tryInChild } from './trial.js';

const wideNames: Readonly<Record<string, string>> = {
  amx: 'AMX',
  avx512vnni: 'AVX-512 VNNI',
  avxvnni: 'AVX-VNNI',
  avx2: 'AVX2',
  neoni8mm: 'NEON with products of 8-bit matrices',
  neondot: 'NEON with dot products',
  scalar: 'no vector extensions',
};

/** What is said of an instruction set as a device. */
export const deviceOf = (addon: Addon, isa: string): DeviceInfo => ({
  id: isa,
  name: `${addon.processor} (${wideNames[isa] ?? isa})`,
  class: 'cpu',
  memoryBytes: addon.memoryBytes,
  capabilities,
});

/** The devices to offer. Fails with BACKEND_UNAVAILABLE. */
async function devices(): Promise<{ addon: Addon; devices: readonly DeviceInfo[] }> {
  const { file } = addonFile();
  const fault = file === undefined ? undefined : await tryInChild(file);
  if (fault !== undefined) throw unavailable(fault);
  const { addon, missing } = loadAddon();
  if (!addon) throw unavailable(missing);
  const isas = offeredIsas(addon, process.env[isaVariable]);
  return { addon, devices: isas.map((isa) => deviceOf(addon, isa)) };
}

/** This machine's processor, by native code. Each instruction set is a device. */
export const plugin: BackendPlugin = definePlugin({
  abi: 1,
  name: 'cpu',
  async probe() {
    try {
      return { devices: (await devices()).devices };
    } catch (error) {
      const { reason } = (error as ReturnType<typeof unavailable>).details;
      return { devices: [], reason };
    }
  },
  async open(deviceId, options) {
    const offered = await devices();
    const device = offered.devices.find(({ id }) => id === deviceId);
    if (!device) {
      const known = offered.devices.map(({ id }) => id).join(', ');
      throw unavailable(`its devices here are ${known}, and not ${deviceId}`);
    }
    const { CpuBackend } = await import('./cpu-backend.js');
    return new CpuBackend(offered.addon, device, options);
  },
});
