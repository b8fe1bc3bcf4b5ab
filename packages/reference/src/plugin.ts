import { type DeviceInfo, definePlugin, PocketError } from '@pocketllm/abi';
import { capabilities } from './capabilities.js';
import { ReferenceBackend } from './reference-backend.js';

const device: DeviceInfo = {
  id: 'reference',
  name: 'Reference (plain TypeScript)',
  class: 'cpu',
  capabilities,
};

/** The backend that says what is right. Runs anywhere, on one thread. */
export const plugin = definePlugin({
  abi: 1,
  name: 'reference',
  probe: async () => ({ devices: [device] }),
  async open(deviceId) {
    if (deviceId === device.id) return new ReferenceBackend(device);
    const reason = `it has one device, ${device.id}, and not ${deviceId}`;
    throw new PocketError('BACKEND_UNAVAILABLE', { backend: 'reference', reason });
  },
});
