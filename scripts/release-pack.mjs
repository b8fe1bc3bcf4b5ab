// @ts-check
// npm run release:pack: builds, and packs every published package into release/, as npm would upload it.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readPackages } from './support/packages.mjs';
import { repository } from './support/problems.mjs';
import { runNpm, runTool } from './support/run.mjs';
import { reportStep } from './support/step-report.mjs';

const folder = join(repository, 'release');
const names = readPackages(repository)
  .filter(({ manifest }) => manifest.private !== true)
  .flatMap(({ manifest }) => ['--workspace', manifest.name]);

async function pack() {
  const built = await reportStep('build', () =>
    runTool('turbo', 'turbo', ['run', 'build', '--output-logs=errors-only']),
  );
  if (!built.ok) return false;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const packed = await reportStep('pack', () =>
    runNpm(['pack', '--json', '--pack-destination', folder, ...names]),
  );
  if (!packed.ok) return false;
  for (const { filename, size } of JSON.parse(packed.stdout))
    process.stdout.write(`  release/${filename}  ${size} bytes\n`);
  return true;
}

process.exitCode = (await pack()) ? 0 : 1;
