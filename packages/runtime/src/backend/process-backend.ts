import { PocketError } from '@pocketllm/abi';

/** The backend of this process, by the names that plugin and device go by. */
export interface ProcessBackend {
  readonly backend: string;
  readonly device: string;
}

interface Claim extends ProcessBackend {
  /** Opens that succeeded or are under way. */
  opens: number;
}

// On the process, not in this module: an application may load two copies of the runtime.
const key = Symbol.for('pocketllm.backend');
const registry = globalThis as { [key]?: Claim };

/** The backend that this process has opened, if any. It stays the one of the process after it is closed. */
export function processBackend(): ProcessBackend | undefined {
  const claim = registry[key];
  return claim && { backend: claim.backend, device: claim.device };
}

/**
 * Makes `wanted` the backend of this process; fine where it is that already. BACKEND_ALREADY_OPEN where another
 * one is. What is returned takes the claim back, for an open that fails; the process is free again once no other
 * open has made the same claim.
 */
export function claimProcess(wanted: ProcessBackend): () => void {
  registry[key] ??= { ...wanted, opens: 0 };
  const claim = registry[key];
  if (claim.backend !== wanted.backend || claim.device !== wanted.device) {
    throw new PocketError('BACKEND_ALREADY_OPEN', { open: nameOf(claim), wanted: nameOf(wanted) });
  }
  claim.opens++;
  return () => {
    if (--claim.opens === 0) delete registry[key];
  };
}

const nameOf = ({ backend, device }: ProcessBackend) => `${backend} on device ${device}`;
