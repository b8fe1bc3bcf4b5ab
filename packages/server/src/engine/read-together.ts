/** What one of several sources gives next, or that it has ended. */
export type Turn<T> =
  | { readonly index: number; readonly value: T }
  | { readonly index: number; readonly ended: true };

/** Reads several sources side by side, each at its own pace. All end when the reader leaves, or one fails. */
export async function* readTogether<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<Turn<T>, void> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const read = (index: number) => iterators[index]!.next().then((result) => ({ index, result }));
  const pending = new Map(iterators.map((_, index) => [index, read(index)]));
  try {
    while (pending.size > 0) {
      const { index, result } = await Promise.race(pending.values());
      if (result.done) {
        pending.delete(index);
        yield { index, ended: true };
      } else {
        yield { index, value: result.value };
        pending.set(index, read(index));
      }
    }
  } finally {
    await Promise.allSettled([...pending.values(), ...iterators.map((iterator) => iterator.return?.())]);
  }
}
