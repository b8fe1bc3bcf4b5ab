/** Turns text without special tokens into ids. */
export interface Segmenter {
  /** Appends the ids of `text` to `out`. `leads`: nothing, or a special token, stands in front. */
  segment(text: string, leads: boolean, out: number[]): void;
}
