import { PocketError } from '@pocketllm/abi';

/** What the native module throws where memory ran out, or where an op refuses a number. */
interface NativeFailure {
  readonly code?: unknown;
  readonly what?: unknown;
  readonly wanted?: unknown;
  readonly available?: unknown;
  readonly op?: unknown;
  readonly column?: unknown;
  readonly value?: unknown;
}

/** By native op: the operand that it looks through, and what may stand there. */
const refusing: Readonly<Record<string, { field: string; expected: string }>> = {
  encode: { field: 'x', expected: 'finite numbers' },
  relative_importance: { field: 'importance', expected: 'finite numbers of at least 0' },
};

/** The typed error of a native failure; what is not one of those stays as it is. */
export function typedFailure(error: unknown, memoryBytes: number): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { code, what, wanted, available = memoryBytes, op, column, value } = error as NativeFailure;
  if (code === 'NUMBER_REFUSED') {
    const details = { ...refusing[String(op)]!, found: `${value} in column ${column}` };
    return new PocketError('REQUEST_INVALID', details, { cause: error });
  }
  if (code !== 'OUT_OF_MEMORY') return error;
  return new PocketError(
    'OUT_OF_MEMORY',
    { what: String(what ?? 'memory'), wanted: Number(wanted ?? 0), available: Number(available) },
    { cause: error },
  );
}
