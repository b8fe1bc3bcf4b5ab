import { type KitOptions, type PlannedTest, planTests } from './plan.js';

/** Registers a group of tests: `describe` of vitest, jest, mocha, bun or node:test. */
export type Describe = (name: string, body: () => void) => unknown;

/** Registers a test: `it` of the same. A runner without `it.skip` does not show what is skipped. */
export interface It {
  (name: string, body: () => Promise<void>, timeoutMs?: number): unknown;
  readonly skip?: (name: string, body: () => Promise<void>) => unknown;
}

export interface ConformanceOptions extends KitOptions {
  readonly describe: Describe;
  readonly it: It;
}

interface Group {
  readonly groups: Map<string, Group>;
  readonly tests: PlannedTest[];
}

/**
 * Registers the tests of the kit with any test runner. Wait for it, since the devices have to be known first:
 *
 *     await conformance({ describe, it, plugin, capabilities });
 *
 * Tests of one device build on each other's order, so they must run one after another. Where no device is
 * here, a test fails that says so: nothing was shown.
 */
export async function conformance({ describe, it, ...options }: ConformanceOptions): Promise<void> {
  const { devices, missing, tests } = await planTests(options);
  const root: Group = { groups: new Map(), tests: [] };
  for (const test of tests) {
    let group = root;
    for (const name of test.group) {
      let inner = group.groups.get(name);
      if (!inner) {
        inner = { groups: new Map(), tests: [] };
        group.groups.set(name, inner);
      }
      group = inner;
    }
    group.tests.push(test);
  }
  describe(`conformance of ${options.plugin.name}`, () => {
    it('there is a device to test', async () => {
      if (devices.length === 0) throw new Error(missing ?? 'probe gave none');
    });
    register(root, describe, it);
  });
}

function register({ groups, tests }: Group, describe: Describe, it: It): void {
  for (const [name, group] of groups) describe(name, () => register(group, describe, it));
  for (const test of tests) {
    const body = async () => {
      await test.run();
    };
    if (test.skip === undefined) it(test.name, body, test.timeoutMs + 1000);
    else it.skip?.(`${test.name} (${test.skip})`, body);
  }
}
