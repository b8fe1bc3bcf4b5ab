const longestPiece = 64;
const mostPieces = 2 ** 15;

/** Remembers the ids of short pieces: most pieces of a text are words that came before. */
export class PieceCache {
  readonly #ids = new Map<string, readonly number[]>();

  /** `encode` appends the ids of a piece, which depend on nothing else. */
  constructor(private readonly encode: (piece: string, out: number[]) => void) {}

  append(piece: string, out: number[]): void {
    if (piece.length > longestPiece) {
      this.encode(piece, out);
      return;
    }
    for (const id of this.#ids.get(piece) ?? this.#learn(piece)) out.push(id);
  }

  #learn(piece: string): readonly number[] {
    const ids: number[] = [];
    this.encode(piece, ids);
    if (this.#ids.size >= mostPieces) this.#ids.clear();
    this.#ids.set(copied(piece), ids);
    return ids;
  }
}

/** Engines keep a whole text alive for a slice of it; a copy lets the text go. */
function copied(piece: string): string {
  const units: number[] = [];
  for (let at = 0; at < piece.length; at++) units.push(piece.charCodeAt(at));
  return String.fromCharCode(...units);
}
