import {
  type BackendPlugin,
  type Capabilities,
  type DeviceInfo,
  type ProbeResult,
  parseCapabilities,
} from '@pocketllm/abi';
import { fileFault, noFile } from './contract/capabilities-file.js';
import { ensure, ensureFails } from './verdict.js';

/** What probe gave, or how it failed. */
export type Probed = ProbeResult | { readonly devices: readonly DeviceInfo[]; readonly fault: unknown };

export async function probe(plugin: BackendPlugin): Promise<Probed> {
  try {
    return await plugin.probe();
  } catch (fault) {
    return { devices: [], fault };
  }
}

/** A test that needs no open device. */
export interface PluginTest {
  readonly name: string;
  readonly skip?: string | undefined;
  readonly run: () => Promise<void>;
}

/** What holds for a plugin as a whole. `file` is the content of its capabilities file, unchecked. */
export function pluginTests(plugin: BackendPlugin, probed: Probed, file: unknown): PluginTest[] {
  const { devices } = probed;
  const reason = 'reason' in probed ? probed.reason : undefined;
  return [
    {
      name: 'the module exports a plugin of ABI 1',
      async run() {
        ensure(plugin.abi === 1, `abi is ${plugin.abi}`);
        ensure(
          /^[a-z][a-z0-9-]*$/.test(plugin.name),
          `the name is ${plugin.name}; letters, digits and dashes`,
        );
        ensure(typeof plugin.open === 'function', 'there is no function `open`');
      },
    },
    {
      name: 'probe gives devices, or says what is missing; it never fails',
      async run() {
        if ('fault' in probed) throw new Error(`probe failed with ${probed.fault}`);
        ensure(devices.length > 0 || !!reason, 'there is no device, and no reason');
        const ids = devices.map(({ id }) => id);
        ensure(new Set(ids).size === ids.length, `ids come twice: ${ids}`);
      },
    },
    {
      name: 'probe gives the same devices each time',
      async run() {
        const again = await Promise.all([plugin.probe(), plugin.probe()]);
        for (const result of again) {
          const ids = result.devices.map(({ id }) => id).join();
          ensure(ids === devices.map(({ id }) => id).join(), `asked again, it gives ${ids || 'no device'}`);
        }
      },
    },
    {
      name: 'an id that no device has does not open, and fails with a code',
      run: () => ensureFails(plugin.open('no such device'), 'open of a device that is not there'),
    },
    {
      name: 'the capabilities file is valid',
      skip: file === undefined ? noFile : undefined,
      async run() {
        parseCapabilities(file, plugin.name);
      },
    },
    {
      name: 'the capabilities file claims nothing that no device has',
      skip: file === undefined ? noFile : reason && `not all devices are here: ${reason}`,
      async run() {
        const fault = fileFault(file as Capabilities, plugin.name, devices);
        ensure(fault === undefined, fault ?? '');
      },
    },
  ];
}
