// @ts-check
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';

/**
 * Instruction sets by the names that the CPU backend gives its devices, best first, with what /proc/cpuinfo must
 * list for each.
 */
const instructionSets = [
  { name: 'amx', architecture: 'x64', flags: ['amx_tile', 'amx_int8', 'amx_bf16'] },
  { name: 'avx512vnni', architecture: 'x64', flags: ['avx512f', 'avx512bw', 'avx512vl', 'avx512_vnni'] },
  { name: 'avxvnni', architecture: 'x64', flags: ['avx2', 'fma', 'f16c', 'avx_vnni'] },
  { name: 'avx2', architecture: 'x64', flags: ['avx2', 'fma', 'f16c'] },
  { name: 'neon', architecture: 'arm64', flags: ['asimd', 'asimddp'] },
];

/**
 * What the bench runs on. `instructionSets` is best first. `cores` are those that this process may use by its
 * affinity, `quota` those that its control group grants it, absent where it has no limit.
 *
 * @typedef {{ architecture: string, instructionSets: string[], cores: number, onlineCores: number,
 *   quota?: number, memoryBytes: number, node: string }} MachineDescription
 */

/** @returns {MachineDescription} */
export function describeMachine() {
  const quota = coresOfQuota();
  return {
    architecture: process.arch,
    instructionSets: instructionSetsOf(process.arch, processorFlags()),
    cores: availableParallelism(),
    onlineCores: cpus().length,
    ...(quota === undefined ? {} : { quota }),
    memoryBytes: totalmem(),
    node: process.version,
  };
}

/** One line about the machine. @param {MachineDescription} machine */
export function machineText({ architecture, instructionSets: sets, cores, onlineCores, quota, node }) {
  const limit = quota === undefined ? '' : `, a quota of ${quota.toFixed(1)} cores`;
  const kinds = sets.length > 0 ? sets.join(', ') : 'no instruction set that this bench knows';
  return `${architecture}, ${kinds}; ${cores} of ${onlineCores} cores${limit}; Node ${node}`;
}

/** @param {string} architecture @param {ReadonlySet<string>} flags */
export function instructionSetsOf(architecture, flags) {
  return instructionSets
    .filter((set) => set.architecture === architecture && set.flags.every((flag) => flags.has(flag)))
    .map(({ name }) => name);
}

/** Flags of the first processor; none where the system has no such file. */
function processorFlags() {
  const line = /^(?:flags|Features)\s*:(.*)$/m.exec(readOr('/proc/cpuinfo', ''))?.[1] ?? '';
  return new Set(line.split(' ').filter(Boolean));
}

/** Cores that version 2 or 1 of control groups grants. */
function coresOfQuota() {
  const [quota = 'max', period] = readOr('/sys/fs/cgroup/cpu.max', 'max').trim().split(' ');
  if (quota !== 'max') return Number(quota) / Number(period);
  const old = Number(readOr('/sys/fs/cgroup/cpu/cpu.cfs_quota_us', '-1'));
  return old > 0 ? old / Number(readOr('/sys/fs/cgroup/cpu/cpu.cfs_period_us', '100000')) : undefined;
}

/** @param {string} path @param {string} fallback */
function readOr(path, fallback) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return fallback;
  }
}
