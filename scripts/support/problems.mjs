// @ts-check
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of this repository. */
export const repository = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs a check as a command of its own: prints each problem on a line, or the summary where there is none,
 * and sets the exit status. Does nothing where the module was imported (by its test).
 *
 * @param {string} moduleUrl import.meta.url of the check
 * @param {(root: string) => { problems: string[], summary: string } | Promise<{ problems: string[], summary: string }>} check
 */
export async function runAsCommand(moduleUrl, check) {
  if (process.argv[1] === undefined || realpathSync(process.argv[1]) !== fileURLToPath(moduleUrl)) return;
  const { problems, summary } = await check(repository);
  process.stdout.write(problems.length === 0 ? `${summary}\n` : problems.map((line) => `${line}\n`).join(''));
  process.exitCode = problems.length === 0 ? 0 : 1;
}
