// @ts-check
// Builds and runs bench/cpu/kernels.cpp on the kernels as the backend's build left them:
//
//   node bench/cpu/kernels.mjs [ISA] [FORMAT...]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const backend = join(root, 'packages/backend-cpu');
const folder = mkdtempSync(join(tmpdir(), 'pocketllm-bench-'));
const program = join(folder, 'kernels');
const libraries = ['k_avx2', 'k_scalar'].map((name) => join(backend, `build/Release/obj.target/${name}.a`));
const sources = ['kernel_table', 'memory', 'processor'].map((name) =>
  join(backend, `native/engine/${name}.cpp`),
);

const run = (/** @type {string} */ command, /** @type {string[]} */ options) =>
  spawnSync(command, options, { stdio: 'inherit' }).status === 0;

try {
  const include = `-I${join(root, 'packages/abi/generated')}`;
  const options = ['-std=c++17', '-O3', '-DPOCKET_HAS_AVX2', include, '-o', program];
  const built = run('g++', [...options, join(root, 'bench/cpu/kernels.cpp'), ...sources, ...libraries]);
  process.exitCode = built && run(program, process.argv.slice(2)) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
