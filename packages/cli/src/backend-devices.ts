import type { DeviceInfo } from '@pocketllm/abi';
import { probeBackend } from '@pocketllm/runtime';
import { describeFailure } from './failure.js';
import type { InstalledBackend } from './installed-backends.js';

/** What one backend can open here, and what it lacks for the rest. */
export interface BackendDevices {
  readonly backend: string;
  readonly package: string;
  readonly devices: readonly Omit<DeviceInfo, 'capabilities'>[];
  readonly reason?: string;
}

/** Asks a backend, whose code runs for it. What fails is the reason. */
export async function devicesOf(backend: InstalledBackend): Promise<BackendDevices> {
  const names = { backend: backend.name, package: backend.package };
  try {
    const { devices, reason } = await probeBackend(await backend.load());
    const shown = devices.map(({ capabilities: _, ...device }) => device);
    return { ...names, devices: shown, ...(reason === undefined ? {} : { reason }) };
  } catch (error) {
    return { ...names, devices: [], reason: describeFailure(error).message };
  }
}
