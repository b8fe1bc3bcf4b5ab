import { readFileSync } from 'node:fs';
import { type DeviceInfo, definePlugin, PocketError, parseCapabilities } from '@pocketllm/abi';

const file = new URL('../pocketllm.backend.json', import.meta.url);
const capabilities = parseCapabilities(JSON.parse(readFileSync(file, 'utf8')), 'pocketllm-backend-template');

const device: DeviceInfo = { id: 'js', name: 'JavaScript', class: 'cpu', capabilities };

export default definePlugin({
  abi: 1,
  name: capabilities.name,
  // A backend of real hardware looks for it here, and says in `reason` what this machine lacks.
  probe: async () => ({ devices: [device] }),
  async open(deviceId) {
    if (deviceId !== device.id) {
      const reason = `there is no device ${deviceId}, only ${device.id}`;
      throw new PocketError('BACKEND_UNAVAILABLE', { backend: capabilities.name, reason });
    }
    // Kernels are loaded when a device is opened: looking for devices stays quick.
    const { TemplateBackend } = await import('./backend.js');
    return new TemplateBackend(device);
  },
});
