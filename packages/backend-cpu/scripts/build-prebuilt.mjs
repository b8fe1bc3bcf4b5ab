// @ts-check
// node scripts/build-prebuilt.mjs [PLATFORM]: makes the package of one platform in build/packages/PLATFORM, ready for
// `npm pack`. On its own platform; linux-arm64 also where Debian's g++-aarch64-linux-gnu is installed.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './node-gyp.mjs';
import { buildVariant } from './variant.mjs';

/** The oldest glibc that Node 20 runs on. */
const glibcFloor = [2, 28];

/** @param {string} path */
const read = (path) => readFileSync(join(packageFolder, path), 'utf8');
/** @type {Record<string, { os: string[], cpu: string[], libc?: string[] }>} */
const platforms = JSON.parse(read('platforms.json'));
const own = `${process.platform}-${process.arch}`;

/** @param {string} platform */
function build(platform) {
  const limits = platforms[platform];
  if (limits === undefined) throw new Error(`${platform} is none of ${Object.keys(platforms).join(', ')}`);
  const tools = toolsFor(platform);
  const linux = platform.startsWith('linux-');
  const folder = buildVariant(`prebuilt-${platform}`, {
    args: [`--arch=${limits.cpu[0]}`],
    env: { CXX: tools.cxx, AR: tools.ar, ...(linux ? { LDFLAGS: linuxFlags(platform, tools) } : {}) },
    sameObjects: platform === own,
    variables: ['with_emulated=0'],
  });
  const file = join(folder, 'build/Release/pocketllm_cpu.node');
  const needs = linux ? checkFloor(file, tools) : '';
  writePackage(platform, limits, file, needs);
}

/** @param {string} platform */
function toolsFor(platform) {
  const prefix = platform === own ? '' : { 'linux-arm64': 'aarch64-linux-gnu-' }[platform];
  if (prefix === undefined) throw new Error(`${platform} cannot be built on ${own}`);
  return { cxx: `${prefix}g++`, ar: `${prefix}ar`, cc: `${prefix}gcc`, objdump: `${prefix}objdump` };
}

/**
 * libstdc++ comes along, hidden; libgcc_s does not, since Node itself needs it and a static one would bind the
 * newest glibc (_dl_find_object).
 *
 * @param {string} platform
 * @param {{ cc: string }} tools
 */
function linuxFlags(platform, { cc }) {
  const source = join(packageFolder, 'native/prebuilt/glibc_floor.c');
  const object = join(packageFolder, 'build', `glibc-floor-${platform}.o`);
  execFileSync(cc, ['-O2', '-fPIC', '-Wall', '-c', source, '-o', object]);
  const names = readFileSync(source, 'utf8').matchAll(/^WRAP\([^,]+, (\w+)|^HIDDEN .*__wrap_(\w+)/gm);
  const wraps = [...names].map(([, called, own]) => `-Wl,--wrap=${called ?? own}`);
  return ['-static-libstdc++', '-s', '-Wl,--exclude-libs,ALL', ...wraps, object].join(' ');
}

/**
 * Refuses a file that asks for a newer glibc than Node 20 does, or for libstdc++. Gives the glibc that it needs.
 *
 * @param {string} file
 * @param {{ objdump: string }} tools
 */
function checkFloor(file, { objdump }) {
  const text = execFileSync(objdump, ['-p', '-T', file], { encoding: 'utf8', maxBuffer: 64 << 20 });
  if (/NEEDED\s+libstdc/.test(text)) throw new Error(`${file} needs libstdc++`);
  const [major = 0, minor = 0] =
    [...text.matchAll(/GLIBC_(\d+)\.(\d+)/g)]
      .map(([, high, low]) => [Number(high), Number(low)])
      .sort(([a = 0, b = 0], [c = 0, d = 0]) => c - a || d - b)[0] ?? [];
  const [most = 0, atMost = 0] = glibcFloor;
  if (major > most || (major === most && minor > atMost)) {
    throw new Error(`${file} needs glibc ${major}.${minor}; Node 20 runs on ${glibcFloor.join('.')}`);
  }
  return `glibc ${major}.${minor}`;
}

/**
 * @param {string} platform
 * @param {{ os: string[], cpu: string[], libc?: string[] }} limits
 * @param {string} file
 * @param {string} needs
 */
function writePackage(platform, limits, file, needs) {
  const { version, license, engines, publishConfig } = JSON.parse(read('package.json'));
  const name = `@pocketllm/backend-cpu-${platform}`;
  const description = `The native part of @pocketllm/backend-cpu for ${platform}.`;
  const main = 'pocketllm_cpu.node';
  const manifest = {
    name,
    version,
    description,
    license,
    ...limits,
    engines,
    publishConfig,
    main,
    files: [main],
  };
  const lines = [`# ${name}`, '', description, ''];
  lines.push('npm installs it with that package where it fits; nothing imports it otherwise.');
  if (needs !== '') lines.push('', `It needs ${needs} or newer, less than Node itself.`);
  const folder = join(packageFolder, 'build', 'packages', platform);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(file, join(folder, main));
  copyFileSync(join(packageFolder, '../../LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'README.md'), `${lines.join('\n')}\n`);
  process.stdout.write(`${folder}${needs === '' ? '' : `: needs ${needs}`}\n`);
}

build(process.argv[2] ?? own);
