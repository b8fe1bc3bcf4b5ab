/** How long the beginning of `tag` is that `text` ends in. */
export function beginningOf(tag: string, text: string): number {
  let length = Math.min(tag.length - 1, text.length);
  while (!text.endsWith(tag.slice(0, length))) length--;
  return length;
}
