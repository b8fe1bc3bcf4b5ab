import type { Backend, BackendPlugin, Capabilities, DeviceInfo, OpName } from '@pocketllm/abi';
import type { Case } from './cases/case.js';
import { casesOf } from './cases/index.js';
import { unclaimed } from './claims.js';
import { type ContractContext, type ContractTest, contract } from './contract/index.js';
import { modelTests } from './model/model-tests.js';
import { pluginTests, probe } from './plugin-tests.js';
import { Session } from './session.js';
import { within } from './within.js';

export interface KitOptions {
  readonly plugin: BackendPlugin;
  /** The content of the package's pocketllm.backend.json. Without it, tests of that file are skipped. */
  readonly capabilities?: unknown;
  /** Runs only tests whose path (`matmul › q4_k › ...`) holds one of these, in any case of letters. */
  readonly only?: readonly string[] | undefined;
  /** Runs only the devices with these ids; all that probe gives where absent. */
  readonly devices?: readonly string[] | undefined;
  /** How long one test may take, in place of its own limit (60 seconds for most). */
  readonly timeoutMs?: number | undefined;
}

/** One test of the kit. A skipped one has no `run`. */
export interface PlannedTest {
  readonly device?: string;
  /** Where it belongs, outermost first: device, area, op or subject, format. */
  readonly group: readonly string[];
  /** A fact about a right backend. */
  readonly name: string;
  readonly op?: OpName;
  readonly format?: string;
  readonly skip?: string;
  readonly timeoutMs: number;
  /** Fails with an Error. Gives what was measured. */
  run(): Promise<Readonly<Record<string, number>>>;
}

export interface Plan {
  readonly devices: readonly DeviceInfo[];
  /** What this machine lacks for further devices, as probe says. */
  readonly missing?: string;
  readonly tests: readonly PlannedTest[];
  /** Whether the options leave tests out. */
  readonly complete: boolean;
}

const usualTimeoutMs = 60_000;

/** The path of a test, by which `only` chooses. */
export const pathOf = ({ group, name }: Pick<PlannedTest, 'group' | 'name'>): string =>
  [...group, name].join(' › ');

/** Probes the plugin, opens nothing, and lists every test for every device. */
export async function planTests(options: KitOptions): Promise<Plan> {
  const { plugin, capabilities: file, only, devices: ids } = options;
  const probed = await probe(plugin);
  const devices = probed.devices.filter(({ id }) => !ids || ids.includes(id));
  const tests: PlannedTest[] = pluginTests(plugin, probed, file).map(({ name, skip, run }) =>
    planned(options, { group: ['plugin'], name }, skip, run),
  );
  for (const device of devices) {
    for (const [subject, list] of Object.entries(contract)) {
      tests.push(...list.flatMap((test) => contractTest(options, device, ['contract', subject], test)));
    }
    tests.push(...modelTests.flatMap((test) => contractTest(options, device, ['model'], test)));
    const session = new Session(plugin, device);
    for (const op of Object.keys(casesOf) as OpName[]) tests.push(...caseTests(options, op, device, session));
    tests.push(
      planned(options, { device: device.id, group: [device.id, 'cases'], name: lastName }, undefined, () =>
        session.end(),
      ),
    );
  }
  const wanted = only?.map((text) => text.toLowerCase());
  const isWanted = (test: PlannedTest) =>
    !wanted || wanted.some((text) => pathOf(test).toLowerCase().includes(text));
  // The last test of a device goes with its cases: it closes what they share.
  const withCases = new Set(tests.filter((test) => test.op && isWanted(test)).map(({ device }) => device));
  const chosen = tests.filter((test) =>
    test.name === lastName ? withCases.has(test.device) : isWanted(test),
  );
  return {
    devices,
    ...('reason' in probed && probed.reason ? { missing: probed.reason } : {}),
    tests: chosen,
    complete: chosen.length === tests.length && devices.length === probed.devices.length,
  };
}

const lastName = 'after all cases nothing is held, and the device closes';

type Place = Omit<PlannedTest, 'run' | 'skip' | 'timeoutMs'>;

function planned(
  options: KitOptions,
  place: Place,
  skip: string | undefined,
  run: () => Promise<unknown>,
  { timeoutMs: own = usualTimeoutMs, measures = {}, onLate }: Partial<Extras> = {},
): PlannedTest {
  const timeoutMs = options.timeoutMs ?? own;
  return {
    ...place,
    ...(skip === undefined ? {} : { skip }),
    timeoutMs,
    async run() {
      await within(timeoutMs, run, onLate);
      return measures;
    },
  };
}

interface Extras {
  readonly timeoutMs: number | undefined;
  /** Filled while the test runs. */
  readonly measures: Readonly<Record<string, number>>;
  readonly onLate: () => void;
}

function contractTest(
  options: KitOptions,
  device: DeviceInfo,
  area: readonly string[],
  test: ContractTest,
): PlannedTest[] {
  const { plugin, capabilities } = options;
  const opened: Backend[] = [];
  const measures: Record<string, number> = {};
  const context: ContractContext = {
    plugin,
    device,
    file: capabilities as Capabilities | undefined,
    async open(wanted) {
      const backend = await plugin.open(device.id, wanted);
      opened.push(backend);
      return backend;
    },
    measure(name, value) {
      measures[name] = Math.round(value * 10) / 10;
    },
  };
  if (test.applies?.(context) === false) return [];
  const place = { device: device.id, group: [device.id, ...area], name: test.name };
  const run = async () => {
    try {
      await test.run(context);
    } finally {
      for (const backend of opened.splice(0))
        await within(5000, () => backend.close()).catch(() => undefined);
    }
  };
  return [planned(options, place, test.skip?.(context), run, { timeoutMs: test.timeoutMs, measures })];
}

/** The cases of an op by format. Where a format, or the op, is not claimed at all, one test stands for its cases. */
function caseTests(options: KitOptions, op: OpName, device: DeviceInfo, session: Session): PlannedTest[] {
  if (!device.capabilities.ops.some((row) => row.op === op)) {
    const place = { device: device.id, group: [device.id, 'cases', op], op };
    const name = `its ${casesOf[op].length} cases`;
    return [planned(options, { ...place, name }, `the device does not claim ${op}`, async () => {})];
  }
  const byFormat = new Map<string | undefined, Case[]>();
  for (const item of casesOf[op]) byFormat.set(item.format, [...(byFormat.get(item.format) ?? []), item]);
  return [...byFormat].flatMap(([format, items]) => {
    const place = {
      device: device.id,
      group: [device.id, 'cases', op, ...(format ? [format] : [])],
      op,
      ...(format ? { format } : {}),
    };
    const skips = items.map((item) => unclaimed(item, device));
    if (!skips.includes(undefined)) {
      return [planned(options, { ...place, name: `its ${items.length} cases` }, skips[0], async () => {})];
    }
    return items.map((item, index) =>
      planned(options, { ...place, name: item.name }, skips[index], () => session.try(item), {
        onLate: () => session.abandon(),
      }),
    );
  });
}
