/** Makes the error for something at an offset of a text. */
export type Failure = (at: number, expected: string, found: string) => Error;

/** Reads a text from front to back. */
export class TextReader {
  at = 0;

  constructor(
    readonly source: string,
    readonly failure: Failure,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  startsWith(piece: string): boolean {
    return this.source.startsWith(piece, this.at);
  }

  /** Whether `piece` comes next; goes past it then. */
  take(piece: string): boolean {
    if (!this.startsWith(piece)) return false;
    this.at += piece.length;
    return true;
  }

  expect(piece: string): void {
    if (!this.take(piece)) this.fail(JSON.stringify(piece));
  }

  /** What a sticky expression matches here, of at most `most` units; undefined where it matches nothing. */
  match(pattern: RegExp, most?: number): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0].slice(0, most);
    this.at += found?.length ?? 0;
    return found;
  }

  /** The next character. */
  next(expected: string): string {
    const code = this.source.codePointAt(this.at);
    if (code === undefined) return this.fail(expected);
    const letter = String.fromCodePoint(code);
    this.at += letter.length;
    return letter;
  }

  /** All up to `end`, which is passed. */
  until(end: string): string {
    const found = this.source.indexOf(end, this.at);
    if (found < 0) return this.fail(JSON.stringify(end));
    const piece = this.source.slice(this.at, found);
    this.at = found + end.length;
    return piece;
  }

  /** Throws for what stands here. */
  fail(expected: string): never {
    const found = this.isAtEnd ? 'the end' : this.source.slice(this.at, this.at + 20);
    throw this.failure(this.at, expected, found);
  }
}
