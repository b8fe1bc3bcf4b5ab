import { type ErrorCode, isPocketError } from '@pocketllm/abi';

/** Fails with what is wrong, in words that follow the name of a test. */
export function ensure(condition: boolean, fault: string): asserts condition {
  if (!condition) throw new Error(fault);
}

/** Waits for a promise that has to fail with one of these codes. `what` names the call: `prepare after close`. */
export async function ensureFails(
  promise: Promise<unknown>,
  what: string,
  ...codes: readonly ErrorCode[]
): Promise<void> {
  const outcome = await promise.then(
    () => 'succeeds',
    (error: unknown) => (hasCode(error, codes) ? undefined : `fails with ${describe(error)}`),
  );
  ensure(outcome === undefined, `${what} ${outcome}, and should fail with ${codes.join(' or ')}`);
}

/** Waits for a promise that has to fail, in any way: where a caller's plain mistake may be a TypeError. */
export async function ensureRefused(promise: Promise<unknown>, what: string): Promise<void> {
  const succeeded = await promise.then(
    () => true,
    () => false,
  );
  ensure(!succeeded, `${what} succeeds, and should be refused`);
}

function hasCode(error: unknown, codes: readonly ErrorCode[]): boolean {
  return codes.length === 0 ? isPocketError(error) : codes.some((code) => isPocketError(error, code));
}

/** An error in one line. */
export function describe(error: unknown): string {
  if (isPocketError(error)) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
