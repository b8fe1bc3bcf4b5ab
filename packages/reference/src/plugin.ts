import { type BackendPlugin, type DeviceInfo, definePlugin, PocketError } from '@pocketllm/abi';
import { capabilities } from './capabilities.js';
import { decodeRow } from './formats/index.js';
import { kernelOf } from './ops/index.js';
import type { ReferenceParts } from './parts.js';
import { ReferenceBackend } from './reference-backend.js';

/**
 * The reference with some of its parts exchanged.
 *
 * @internal
 */
export function createReferencePlugin(exchanged: Partial<ReferenceParts> = {}): BackendPlugin {
  const parts: ReferenceParts = { capabilities, decodeRow, kernelOf, ...exchanged };
  const device: DeviceInfo = {
    id: 'reference',
    name: 'Reference (plain TypeScript)',
    class: 'cpu',
    capabilities: parts.capabilities,
  };
  return definePlugin({
    abi: 1,
    name: 'reference',
    probe: async () => ({ devices: [device] }),
    async open(deviceId) {
      if (deviceId === device.id) return new ReferenceBackend(device, parts);
      const reason = `it has one device, ${device.id}, and not ${deviceId}`;
      throw new PocketError('BACKEND_UNAVAILABLE', { backend: 'reference', reason });
    },
  });
}

/** The backend that says what is right. Runs anywhere, on one thread. */
export const plugin = createReferencePlugin();
