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
  it('the tests that find them pass on the reference', async () => {
    const { tests } = await runConformance({ plugin: reference, capabilities: file, only: caughtBy });
    expect(tests.length).toBeGreaterThan(new Set(caughtBy).size / 2);
    expect(tests.filter(({ result }) => result !== 'passed')).toEqual([]);
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

  it('their table in the documentation is the list of them (vitest -u writes it)', async () => {
    const rows = mutants.map(({ fault, caughtBy: path }) => `| ${fault} | \`${path}\` |`);
    const page = [
      '# Planted faults',
      '',
      'A kit that passes everything proves nothing. So each of these faults was planted into the reference backend, and a',
      'test of [the conformance kit](conformance.md) has to find it. They stand in `packages/conformance/test/mutants`;',
      '`packages/conformance/test/mutants.test.ts` plants them, and holds this table to them.',
      '',
      `${mutants.length} faults:`,
      '',
      '| fault | found by |',
      '| --- | --- |',
      ...rows,
      '',
    ];
    await expect(page.join('\n')).toMatchFileSnapshot('../../../docs/reference/planted-faults.md');
  });
});
