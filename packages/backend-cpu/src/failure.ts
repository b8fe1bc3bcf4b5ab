import { PocketError } from '@pocketllm/abi';

/** What the native module throws where memory ran out. */
interface NativeFailure {
  readonly code?: unknown;
  readonly what?: unknown;
  readonly wanted?: unknown;
  readonly available?: unknown;
}

/** The typed error of a native failure; what is not one of those stays as it is. */
export function typedFailure(error: unknown, memoryBytes: number): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { code, what, wanted, available = memoryBytes } = error as NativeFailure;
  if (code !== 'OUT_OF_MEMORY') return error;
  return new PocketError(
    'OUT_OF_MEMORY',
    { what: String(what ?? 'memory'), wanted: Number(wanted ?? 0), available: Number(available) },
    { cause: error },
  );
}
