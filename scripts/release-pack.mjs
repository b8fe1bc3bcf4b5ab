// @ts-check
// npm run release:pack [-- PLATFORM...]: builds, and packs every published package into release/, as npm would upload
// it; with them the package of prebuilt native code for this platform, and for those that are named.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readPublicPackages } from './support/packages.mjs';
import { repository } from './support/problems.mjs';
import { runNode, runNpm, runTool } from './support/run.mjs';
import { reportStep } from './support/step-report.mjs';

const folder = join(repository, 'release');
const native = join(repository, 'packages/backend-cpu');
const names = readPublicPackages(repository).flatMap(({ manifest }) => ['--workspace', manifest.name]);

async function pack() {
  const build = () => runTool('turbo', 'turbo', ['run', 'build', '--output-logs=errors-only']);
  if (!(await reportStep('build', build))) return false;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const packAll = () => runNpm(['pack', '--pack-destination', folder, ...names]);
  if (!(await reportStep('pack', packAll))) return false;
  for (const platform of platformsToPack()) {
    if (!(await reportStep(`pack ${platform}`, () => packPlatform(platform)))) return false;
  }
  for (const name of readdirSync(folder)) process.stdout.write(`  release/${name}\n`);
  return true;
}

/** This platform only where native code was built: a machine without a compiler packs the rest. */
function platformsToPack() {
  const hasCompiler = !existsSync(join(native, 'build/not-built.txt'));
  const own = hasCompiler ? [`${process.platform}-${process.arch}`] : [];
  return new Set([...own, ...process.argv.slice(2)]);
}

/** @param {string} platform */
async function packPlatform(platform) {
  const built = await runNode([join(native, 'scripts/build-prebuilt.mjs'), platform]);
  if (!built.ok) return built;
  return runNpm(['pack', '--pack-destination', folder, join(native, 'build/packages', platform)]);
}

process.exitCode = (await pack()) ? 0 : 1;
