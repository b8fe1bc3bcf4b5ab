/** What a stream of events needs to know of its reader. */
export interface ReaderLimits {
  /** Bytes that may wait for the reader before the writer waits. */
  readonly maxBufferedBytes: number;
  /** How long the writer waits. */
  readonly slowReaderMs: number;
  /** Called once, where the reader has left or is given up. */
  readonly onGone: () => void;
  /** Breaks the connection of a reader that is given up. */
  readonly breakConnection: () => void;
}

const keepAliveMs = 15_000;
const keepAlive = ': keep-alive\n\n';

/**
 * Streams events to a reader who may be slow, or never come back. `frames` are read as far as the reader keeps up
 * within the limits; they are ended in every case. They must not fail.
 */
export function eventStream(
  frames: AsyncGenerator<string, void>,
  { maxBufferedBytes, slowReaderMs, onGone, breakConnection }: ReaderLimits,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isGone = false;
  let wake = () => {};
  const leave = () => {
    if (isGone) return;
    isGone = true;
    onGone();
    wake();
  };

  const write = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    let last = performance.now();
    const timer = setInterval(() => {
      if (!isGone && performance.now() - last >= keepAliveMs && controller.desiredSize! > 0) {
        controller.enqueue(encoder.encode(keepAlive));
      }
    }, keepAliveMs);
    timer.unref();
    try {
      for await (const frame of frames) {
        if (isGone) return;
        controller.enqueue(encoder.encode(frame));
        last = performance.now();
        if (controller.desiredSize! > 0) continue;
        const timeout = setTimeout(() => {
          leave();
          breakConnection();
        }, slowReaderMs);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        clearTimeout(timeout);
        if (isGone) return;
      }
    } finally {
      clearInterval(timer);
      if (!isGone) controller.close();
    }
  };

  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => void write(controller),
      pull: () => wake(),
      cancel: leave,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxBufferedBytes }),
  );
}
