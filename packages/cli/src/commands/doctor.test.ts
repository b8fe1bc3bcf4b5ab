import { expect, it } from 'vitest';
import { runCommand } from '../../test/run-command.js';

it('doctor has the model of this package answer a question, and ends with 0 where nothing fails', async () => {
  const { code, stdout } = await runCommand(['doctor', '--json']);
  expect(code).toBe(0);
  const checks: { name: string; status: string; found: string }[] = JSON.parse(stdout);
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Node', 'processor', 'memory', 'backend reference', 'answer']),
  );
  expect(checks.at(-1)).toMatchObject({ status: 'ok', found: expect.stringContaining('Oslo') });
});

it('doctor prints a line for each check', async () => {
  const { stdout } = await runCommand(['doctor']);
  for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^(ok|warn|fail) +\S/);
});
