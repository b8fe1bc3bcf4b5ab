import {
  type Capabilities,
  type CapabilityRow,
  type DeviceInfo,
  type Limit,
  parseCapabilities,
} from '@pocketllm/abi';
import { ensure } from '../verdict.js';
import type { ContractTest } from './contract-test.js';

export const noFile = 'the kit was not given the capabilities file (option `capabilities`)';

const labelOf = ({ op, formats, caches }: CapabilityRow): string =>
  [op, ...(formats ? [`in ${formats.join(', ')}`] : []), ...(caches ? [`on ${caches.join(', ')}`] : [])].join(
    ' ',
  );

/** Whether everything that `row` claims is claimed by `wider` too. */
function isWithin(row: CapabilityRow, wider: CapabilityRow): boolean {
  const allOf = (part: readonly string[] | undefined, whole: readonly string[] | undefined) =>
    whole === undefined || (part?.every((value) => whole.includes(value)) ?? false);
  const { limits = {}, attributes = {} } = wider;
  return (
    row.op === wider.op &&
    (row.formats ?? []).every((format) => wider.formats?.includes(format)) &&
    (row.caches ?? []).every((format) => wider.caches?.includes(format)) &&
    Object.entries(attributes).every(([name, values]) => allOf(row.attributes?.[name], values)) &&
    Object.entries(limits).every(([name, limit]) => isTighter(row.limits?.[name], limit))
  );
}

function isTighter(limit: Limit = {}, { max, multipleOf }: Limit): boolean {
  return (
    (max === undefined || (limit.max !== undefined && limit.max <= max)) &&
    (multipleOf === undefined || (limit.multipleOf !== undefined && limit.multipleOf % multipleOf === 0))
  );
}

/** Rows with one format and one cache format each, so that rows split in another way compare. */
const split = ({ ops }: Capabilities): CapabilityRow[] =>
  ops.flatMap(({ formats, caches, ...row }) =>
    (formats ?? [undefined]).flatMap((format) =>
      (caches ?? [undefined]).map((cache) => ({
        ...row,
        ...(format ? { formats: [format] } : {}),
        ...(cache ? { caches: [cache] } : {}),
      })),
    ),
  );

/** What `some` claims and `all` does not. */
const beyond = (some: Capabilities, all: readonly Capabilities[]): string[] =>
  split(some)
    .filter((row) => !all.some((capabilities) => split(capabilities).some((wider) => isWithin(row, wider))))
    .map(labelOf);

/** What is wrong with a capabilities file beside the devices that were found; undefined where nothing is. */
export function fileFault(
  file: Capabilities,
  name: string,
  devices: readonly DeviceInfo[],
): string | undefined {
  const faults: string[] = [];
  if (file.name !== name) faults.push(`it names the backend ${file.name}, the plugin is ${name}`);
  const all = devices.map(({ capabilities }) => capabilities);
  const missing = beyond(file, all);
  if (missing.length > 0) faults.push(`no device claims ${missing.join('; ')}`);
  const classes = file.deviceClasses.filter((wanted) => !devices.some((device) => device.class === wanted));
  if (classes.length > 0) faults.push(`no device is of class ${classes.join(', ')}`);
  return faults.length > 0 ? faults.join('; ') : undefined;
}

/** Of one device and the file. */
export const capabilitiesFile: readonly ContractTest[] = [
  {
    name: 'the capabilities of the device are valid',
    async run({ device, plugin }) {
      parseCapabilities(device.capabilities, plugin.name);
      ensure(
        device.capabilities.name === plugin.name,
        `they name ${device.capabilities.name}, not ${plugin.name}`,
      );
    },
  },
  {
    name: 'the device claims nothing that is not in the file',
    skip: ({ file }) => (file ? undefined : noFile),
    async run({ device, file }) {
      const more = beyond(device.capabilities, [file!]);
      ensure(more.length === 0, `the file lacks ${more.join('; ')}`);
      ensure(file!.deviceClasses.includes(device.class), `the file lacks the device class ${device.class}`);
    },
  },
  {
    name: 'the device keeps every equality that the file claims',
    skip: ({ file }) => (file ? undefined : noFile),
    async run({ device, file }) {
      const lacking = file!.bitExact.filter((equality) => !device.capabilities.bitExact.includes(equality));
      ensure(lacking.length === 0, `the device does not claim ${lacking.join(', ')}`);
    },
  },
  {
    name: 'the open device is the one that was probed',
    async run({ open, device }) {
      const opened = (await open()).device;
      ensure(
        opened.id === device.id && opened.class === device.class,
        `it is ${opened.id} (${opened.class})`,
      );
      const same = JSON.stringify(opened.capabilities) === JSON.stringify(device.capabilities);
      ensure(same, 'it claims other capabilities than probe said');
    },
  },
];
