import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BackendPlugin, definePlugin } from '@pocketllm/abi';
import { CpuBackend } from '../../src/cpu-backend.js';
import { load } from '../../src/load-addon.js';
import { deviceOf } from '../../src/plugin.js';

const file = fileURLToPath(new URL('../../build/Release/pocketllm_cpu_emulated.node', import.meta.url));

/**
 * The module whose instruction sets are emulated, for machines that lack them. This is the only place that knows of it:
 * no plugin of ours looks for it, and no package holds it.
 */
export const { addon: emulated, missing: missingEmulated } = existsSync(file)
  ? load({ file })
  : load({ missing: 'needs Linux on x86-64, and native code that was built here' });

/** Their devices, those of them that this machine can emulate. */
export const emulatedPlugin: BackendPlugin = definePlugin({
  abi: 1,
  name: 'cpu',
  async probe() {
    const devices = (emulated?.usableIsas ?? []).map((isa) => {
      const device = deviceOf(emulated!, isa);
      return { ...device, name: `${device.name}, emulated` };
    });
    return devices.length > 0 ? { devices } : { devices, reason: missingEmulated ?? 'needs AVX-512 VNNI' };
  },
  async open(id, options) {
    return new CpuBackend(emulated!, deviceOf(emulated!, id), options);
  },
});
