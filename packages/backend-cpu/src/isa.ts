import { PocketError } from '@pocketllm/abi';
import type { Addon } from './addon.js';

/** The environment variable that forces one instruction set. */
export const isaVariable = 'POCKETLLM_CPU_ISA';

/** What of an addon the choice rests on. */
export type IsaSupport = Pick<Addon, 'builtIsas' | 'usableIsas' | 'reasonsAgainst'>;

/**
 * The instruction sets to offer, fastest first: those that the machine runs, or the one that is forced. Fails
 * with BACKEND_UNAVAILABLE where the forced one is unknown or cannot run here.
 */
export function offeredIsas(
  { builtIsas, usableIsas, reasonsAgainst }: IsaSupport,
  forced: string | undefined,
): readonly string[] {
  if (forced === undefined || forced === '') return usableIsas;
  if (!builtIsas.includes(forced)) {
    throw unavailable(`${isaVariable} is ${forced}; known are ${builtIsas.join(', ')}`);
  }
  if (!usableIsas.includes(forced)) {
    const reason = reasonsAgainst[forced];
    const why = reason === undefined ? 'which this processor lacks' : `which cannot run here: ${reason}`;
    throw unavailable(`${isaVariable} is ${forced}, ${why}; it runs ${usableIsas.join(', ')}`);
  }
  return [forced];
}

export function unavailable(reason: string) {
  return new PocketError('BACKEND_UNAVAILABLE', { backend: 'cpu', reason });
}
