import type { TextPart } from '../../tokenizer/tokenizer.js';

const NONE: readonly number[] = [];
const FROM_START: readonly number[] = [0];

/**
 * A string in which every code unit knows whether the template wrote it (trusted) or the caller did.
 *
 * `flips` holds the ascending offsets at which trust changes, starting from trusted: none = all trusted,
 * [0] = all untrusted, [4, 9] = units 4 to 8 untrusted. Values are made by {@link Text.trusted},
 * {@link Text.untrusted}, {@link slice}, {@link recase}, {@link mapRuns} and {@link Text.concat} only, so a
 * mark cannot be lost on the way through filters and methods.
 */
export class Text {
  static readonly empty = new Text('', NONE);

  static trusted(value: string): Text {
    return new Text(value, NONE);
  }

  static untrusted(value: string): Text {
    return new Text(value, value === '' ? NONE : FROM_START);
  }

  static concat(texts: readonly Text[]): Text {
    if (texts.length === 1) return texts[0]!;
    const pieces: string[] = [];
    const flips: number[] = [];
    let length = 0;
    for (const text of texts) {
      if (text.length === 0) continue;
      const untrustedNow = flips.length % 2 === 1;
      const startsUntrusted = text.flips[0] === 0;
      if (untrustedNow !== startsUntrusted) flips.push(length);
      for (const flip of text.flips) if (flip > 0) flips.push(length + flip);
      pieces.push(text.value);
      length += text.length;
    }
    return new Text(pieces.join(''), flips);
  }

  private constructor(
    readonly value: string,
    private readonly flips: readonly number[],
  ) {}

  /** In UTF-16 code units. */
  get length(): number {
    return this.value.length;
  }

  /** Units `start` to `end`, both within the text. */
  slice(start: number, end = this.length): Text {
    if (start >= end) return Text.empty;
    if (start === 0 && end === this.length) return this;
    let next = this.firstFlipAfter(start);
    const flips: number[] = next % 2 === 1 ? [0] : [];
    for (; next < this.flips.length && this.flips[next]! < end; next++) flips.push(this.flips[next]! - start);
    return new Text(this.value.slice(start, end), flips);
  }

  /** The text in another case. Where that changes its length (ß, SS), each run is changed by itself. */
  recase(change: (value: string) => string): Text {
    const changed = change(this.value);
    return changed.length === this.length ? new Text(changed, this.flips) : this.mapRuns(change);
  }

  /** Each stretch of one origin replaced by what `change` makes of it; the marks stay. */
  mapRuns(change: (value: string) => string): Text {
    return Text.concat(
      this.parts().map(({ text, trusted }) =>
        trusted ? Text.trusted(change(text)) : Text.untrusted(change(text)),
      ),
    );
  }

  /** The stretches of one origin, in order, none empty. */
  parts(): TextPart[] {
    const parts: TextPart[] = [];
    let start = 0;
    let trusted = true;
    for (const flip of [...this.flips, this.length]) {
      if (flip > start) parts.push({ text: this.value.slice(start, flip), trusted });
      start = flip;
      trusted = !trusted;
    }
    return parts;
  }

  /** Index of the first flip beyond `offset`; odd when the unit at `offset` is untrusted. */
  private firstFlipAfter(offset: number): number {
    let low = 0;
    let high = this.flips.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.flips[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
