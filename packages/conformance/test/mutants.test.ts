import reference from '@pocketllm/reference';
import file from '@pocketllm/reference/pocketllm.backend.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { runConformance } from '../src/index.js';
import { mutants } from './mutants/index.js';

/** The path of a test from its area on: devices of the reference are all named alike. */
const pathOf = ({
  device,
  group,
  name,
}: {
  device?: string;
  group: readonly string[];
  name: string;
}): string => [...(device ? group.slice(1) : group), name].join(' › ');

const caughtBy = mutants.map((mutant) => mutant.caughtBy);

describe('planted faults', () => {
  it('the tests that find them do not fail on the reference', async () => {
    const { tests } = await runConformance({ plugin: reference, capabilities: file, only: caughtBy });
    expect(tests.filter(({ result }) => result === 'failed')).toEqual([]);
    const there = new Set(tests.map(pathOf));
    expect(caughtBy.filter((path) => !there.has(path))).toEqual([]);
  }, 120_000);

  it.each(mutants)(
    '$fault',
    async ({ plugin, file: capabilities, caughtBy: path }) => {
      const { tests } = await runConformance({ plugin, capabilities, only: [path] });
      const found = tests.find((test) => pathOf(test) === path);
      expect(found).toMatchObject({ result: 'failed' });
    },
    120_000,
  );
});
