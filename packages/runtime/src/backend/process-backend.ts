import { PocketError } from '@pocketllm/abi';

/** The backend of this process, by the names that plugin and device go by. */
export interface ProcessBackend {
  readonly backend: string;
  readonly device: string;
}

// On the process, not in this module: an application may load two copies of the runtime.
const key = Symbol.for('pocketllm.backend');
const registry = globalThis as { [key]?: ProcessBackend };

/** The backend that this process has opened, if any. It stays the one of the process after it is closed. */
export function processBackend(): ProcessBackend | undefined {
  return registry[key];
}

/**
 * Makes `wanted` the backend of this process; fine where it is that already. BACKEND_ALREADY_OPEN where another
 * one is. What is returned undoes a first claim, for an open that fails.
 */
export function claimProcess(wanted: ProcessBackend): () => void {
  const open = registry[key];
  if (!open) {
    const claim = { ...wanted };
    registry[key] = claim;
    return () => {
      if (registry[key] === claim) delete registry[key];
    };
  }
  if (open.backend !== wanted.backend || open.device !== wanted.device) {
    throw new PocketError('BACKEND_ALREADY_OPEN', { open: nameOf(open), wanted: nameOf(wanted) });
  }
  return () => {};
}

const nameOf = ({ backend, device }: ProcessBackend) => `${backend} on device ${device}`;
