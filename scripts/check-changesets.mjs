// @ts-check
// Every changeset can be read and names packages that exist; packages changed since main have one.
import { execFileSync } from 'node:child_process';
import { runAsCommand } from './support/problems.mjs';
import { runTool } from './support/run.mjs';

/** @param {string} root */
export async function checkChangesets(root) {
  const { ok, output } = await runTool('@changesets/cli', 'changeset', ['status', ...since(root)], {
    cwd: root,
  });
  const lines = output.split('\n').filter((line) => /\w/.test(line));
  return { problems: ok ? [] : lines, summary: 'changesets name packages that exist' };
}

/** A clone may hold no branch of the name main: then its remote's, or else the commit itself. @param {string} root */
function since(root) {
  const known = ['main', 'origin/main', 'HEAD'].find((name) => {
    try {
      execFileSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], {
        cwd: root,
        stdio: 'ignore',
      });
      return true;
    } catch {
      return false;
    }
  });
  return known === undefined || known === 'main' ? [] : [`--since=${known}`];
}

await runAsCommand(import.meta.url, checkChangesets);
