// @ts-check
// Builds and runs bench/cpu/kernels.cpp on the kernels as the backend's build left them:
//
//   node bench/cpu/kernels.mjs [ISA] [FORMAT...]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const backend = join(root, 'packages/backend-cpu');
const folder = mkdtempSync(join(tmpdir(), 'pocketllm-bench-'));
const program = join(folder, 'kernels');
const objects = join(backend, 'build/Release/obj.target');
const isas = ['amx', 'avxvnni', 'avx512vnni', 'avx2', 'scalar'].filter((isa) =>
  existsSync(join(objects, `k_${isa}.a`)),
);
const libraries = isas.map((isa) => join(objects, `k_${isa}.a`));
const sources = ['kernel_table', 'memory', 'memory_limits', 'processor', 'tile_permission'].map((name) =>
  join(backend, `native/engine/${name}.cpp`),
);

/** @param {string} command @param {string[]} options */
function run(command, options) {
  const { status, signal, error } = spawnSync(command, options, { stdio: 'inherit' });
  if (status === null) process.stderr.write(`${command} ended with ${signal ?? error?.message}\n`);
  return status === 0;
}

try {
  const include = `-I${join(root, 'packages/abi/generated')}`;
  const has = isas.map((isa) => `-DPOCKET_HAS_${isa.toUpperCase()}`);
  const options = ['-std=c++17', '-O3', ...has, include, '-o', program];
  const built = run('g++', [...options, join(root, 'bench/cpu/kernels.cpp'), ...sources, ...libraries]);
  process.exitCode = built && run(program, process.argv.slice(2)) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
