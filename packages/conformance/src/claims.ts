import {
  checkCacheSpec,
  checkCapabilities,
  type DeviceInfo,
  isPocketError,
  type OpName,
  ops,
} from '@pocketllm/abi';
import type { Case } from './cases/case.js';
import { casesOf } from './cases/index.js';

/** Why a device need not run a case: what it does not claim. Undefined where it has to. */
export function unclaimed({ program, cache }: Case, device: DeviceInfo): string | undefined {
  return refusal(() => {
    checkCapabilities(program, device.capabilities, device.id);
    if (cache) checkCacheSpec({ layers: program.caches, ...cache }, device.capabilities, device.id);
  });
}

/** The reason for which a check of claims fails; undefined where it passes. */
export function refusal(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!isPocketError(error, 'OP_UNSUPPORTED')) throw error;
    const { op, format, reason } = error.details;
    return `not claimed: ${op} in ${format} (${reason})`;
  }
}

/** Ops with weights and a sum first: what can go wrong does so there. */
const preferred: readonly OpName[] = ['matmul', 'rms_norm', 'embedding', 'layer_norm', 'gated_activation'];

/** A small case of several rows that the device claims, for tests of the contract that need some program. */
export function sampleCase(device: DeviceInfo): Case | undefined {
  const names = [...preferred, ...(Object.keys(ops) as OpName[])];
  const cases = names.flatMap((name) => casesOf[name]);
  return cases.find(
    (item) => item.maxRows > 5 && !item.cache && !item.finiteOnly && !unclaimed(item, device),
  );
}

/** A case of attention that the device claims: one with a cache and several steps. */
export function cachedCase(device: DeviceInfo): Case | undefined {
  return casesOf.attention.find((item) => !unclaimed(item, device));
}
