import type { GenerationPiece } from './generation.js';

/** Pieces on their way from the engine's loop to a reader. */
export class PieceQueue {
  readonly #pieces: GenerationPiece[] = [];
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  #wake = () => {};

  /** Pieces that nobody has read. */
  get length(): number {
    return this.#pieces.length;
  }

  push(piece: GenerationPiece): void {
    this.#pieces.push(piece);
    this.#wake();
  }

  /** Nothing follows; `failure` reaches the reader behind what is left. */
  end(failure?: { readonly error: unknown }): void {
    this.#isOver = true;
    this.#failure = failure;
    this.#wake();
  }

  /** Resolves when it is over. `onRead` is called whenever the reader has taken a piece. */
  async *read(onRead: () => void): AsyncGenerator<GenerationPiece, void> {
    for (;;) {
      for (let piece = this.#pieces.shift(); piece; piece = this.#pieces.shift()) {
        onRead();
        yield piece;
      }
      if (this.#failure) throw this.#failure.error;
      if (this.#isOver) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
