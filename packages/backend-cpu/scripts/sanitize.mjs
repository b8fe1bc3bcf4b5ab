// @ts-check
// npm run sanitize: native code under the sanitizers of gcc, beside the usual build (build/variants).
//
// - threads: the pool and the engine's steps as a program of their own, under ThreadSanitizer.
// - memory: the whole conformance kit on every device of this machine, under AddressSanitizer and
//   UndefinedBehaviorSanitizer. Needs the TypeScript of `npm run build`.
//
// Each is preceded by faults on purpose that have to be found. `npm run sanitize -- threads` runs one of the two.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './node-gyp.mjs';
import { buildVariant } from './variant.mjs';

const variants = join(packageFolder, 'build', 'variants');
const kit = join(packageFolder, '../conformance/bin/pocketllm-conformance.js');
const compiler = process.env.CXX ?? 'g++';
const base = ['-std=c++17', '-O1', '-g1', '-fno-omit-frame-pointer'];
/**
 * Checks are calls, and functions stay functions, also where kernels ask to have them in place (always_inline; system headers
 * spell it with underscores): written out, the widest kernels take minutes each to compile.
 */
const memoryFlags = [
  '-fsanitize=address,undefined',
  '-fno-sanitize-recover=undefined',
  '--param=asan-instrumentation-with-call-threshold=0',
  '-Dalways_inline=unused',
];

/**
 * Leaks are left out: Node itself ends without giving back what it holds. The kit counts the memory of the process
 * over 100 cycles instead, for which what is freed must not be kept long. A refused allocation is an answer, not a fault.
 */
const options = {
  ASAN_OPTIONS: 'detect_leaks=0:quarantine_size_mb=16:allocator_may_return_null=1',
  UBSAN_OPTIONS: 'print_stacktrace=1',
};

/** All of the engine but the table of kernels, which would bring in every kernel. */
const engine = ['native/engine', 'native/engine/operations'].flatMap((folder) =>
  readdirSync(join(packageFolder, folder))
    .filter((name) => name.endsWith('.cpp') && name !== 'kernel_table.cpp')
    .map((name) => join(folder, name)),
);

/** @param {string} name @param {string[]} flags @param {string[]} sources @returns {string} the program */
function compile(name, flags, sources) {
  const program = join(variants, name);
  mkdirSync(variants, { recursive: true });
  const include = `-I${join(packageFolder, '../abi/generated')}`;
  const parts = [...base, ...flags, '-pthread', include, ...sources, '-o', program];
  execFileSync(compiler, parts, { cwd: packageFolder, stdio: 'inherit' });
  return program;
}

/** @param {string} program @param {string[]} args @param {Record<string, string>} [env] */
function run(program, args, env = {}) {
  const { status, signal, error, stdout, stderr } = spawnSync(program, args, {
    env: { ...process.env, ...options, ...env },
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (error !== undefined) throw error;
  return { ok: status === 0, ended: signal ?? `status ${status}`, output: `${stdout}${stderr}` };
}

/** @param {string} program @param {string} fault @param {string} report what the sanitizer calls it */
function expectFound(program, fault, report) {
  const { ok, output } = run(program, [fault]);
  if (ok || !output.includes(report)) throw new Error(`the fault ${fault} was not found:\n${output}`);
  process.stdout.write(`found, as planted: ${report}\n`);
}

/** @param {string} what @param {ReturnType<typeof run>} outcome */
function expectOk(what, { ok, ended, output }) {
  process.stdout.write(output);
  if (!ok) throw new Error(`${what}: ${ended}`);
}

function threads() {
  const program = compile('threads', ['-fsanitize=thread'], ['test/native/threads_test.cpp', ...engine]);
  expectFound(program, 'planted-race', 'data race');
  expectOk('threads', run(program, []));
}

function memory() {
  const sources = [
    'test/native/planted_faults.cpp',
    'native/engine/memory.cpp',
    'native/engine/memory_limits.cpp',
  ];
  const planted = compile('planted', memoryFlags, sources);
  expectFound(planted, 'past-the-end', 'heap-buffer-overflow');
  expectFound(planted, 'overflow', 'signed integer overflow');
  expectFound(planted, 'misaligned', 'misaligned address');

  const flags = memoryFlags.join(' ');
  const env = { CXX: compiler, CXXFLAGS: [...base, ...memoryFlags].join(' '), LDFLAGS: flags };
  const folder = buildVariant('sanitized', { env, variables: ['with_emulated=0'] });
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  cpSync(join(packageFolder, 'dist'), join(folder, 'dist'), { recursive: true });
  const libraries = ['libasan.so', 'libubsan.so'].map((name) =>
    execFileSync(compiler, [`-print-file-name=${name}`], { encoding: 'utf8' }).trim(),
  );
  expectOk('kit', run(process.execPath, [kit, folder], { LD_PRELOAD: libraries.join(':') }));
}

/** Why nothing can run here; undefined where it can. */
function missing() {
  if (process.platform !== 'linux') return 'needs Linux';
  return spawnSync(compiler, ['--version']).error === undefined ? undefined : `needs ${compiler}`;
}

const wanted = process.argv.slice(2);
const lacks = missing();
if (lacks !== undefined) {
  process.stdout.write(`skipped: ${lacks}\n`);
} else {
  try {
    for (const part of [threads, memory]) {
      if (wanted.length === 0 || wanted.includes(part.name)) part();
    }
  } catch (error) {
    process.stdout.write(`FAILED  ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
