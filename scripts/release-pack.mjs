// @ts-check
// npm run release:pack: builds, and packs every published package into release/, as npm would upload it.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readPublicPackages } from './support/packages.mjs';
import { repository } from './support/problems.mjs';
import { runNpm, runTool } from './support/run.mjs';
import { reportStep } from './support/step-report.mjs';

const folder = join(repository, 'release');
const names = readPublicPackages(repository).flatMap(({ manifest }) => ['--workspace', manifest.name]);

async function pack() {
  const build = () => runTool('turbo', 'turbo', ['run', 'build', '--output-logs=errors-only']);
  if (!(await reportStep('build', build))) return false;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const packAll = () => runNpm(['pack', '--pack-destination', folder, ...names]);
  if (!(await reportStep('pack', packAll))) return false;
  for (const name of readdirSync(folder)) process.stdout.write(`  release/${name}\n`);
  return true;
}

process.exitCode = (await pack()) ? 0 : 1;
