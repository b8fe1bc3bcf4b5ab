/** Runs a task. Where it takes longer than so many milliseconds, fails and calls `onLate`. */
export async function within<T>(timeoutMs: number, task: () => Promise<T>, onLate?: () => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${timeoutMs / 1000} seconds`));
      onLate?.();
    }, timeoutMs);
  });
  try {
    return await Promise.race([task(), late]);
  } finally {
    clearTimeout(timer);
  }
}
