// @ts-check

/** A block of code under a line that ends in a path and a colon. */
const block = /`([^`\n]+\.\w+)`:\n\n```(\w+)\n([\s\S]*?)^```$/gm;

/**
 * What a guide has its reader write: the files that it shows in full, and its edits of them (blocks of `diff`).
 *
 * @param {string} markdown
 * @returns {{ files: Map<string, string>, edits: { path: string, diff: string }[] }}
 */
export function guideFiles(markdown) {
  /** @type {ReturnType<typeof guideFiles>} */
  const found = { files: new Map(), edits: [] };
  for (const [, path = '', language, text = ''] of markdown.matchAll(block)) {
    if (language === 'diff') found.edits.push({ path, diff: text });
    else found.files.set(path, text);
  }
  return found;
}

/**
 * Makes an edit as a reader would: lines with a minus go, lines with a plus come, the others show where. An empty line
 * ends one place and begins the next.
 *
 * @param {string} text
 * @param {string} diff
 */
export function applyEdit(text, diff) {
  return diff
    .trimEnd()
    .split('\n\n')
    .reduce((edited, place) => {
      const lines = place.split('\n');
      const without = (/** @type {string} */ sign) =>
        lines.flatMap((line) => (line.startsWith(sign) ? [] : [`${line.slice(1)}\n`])).join('');
      const parts = edited.split(without('+'));
      if (parts.length !== 2) throw new Error(`stands there ${parts.length - 1} times:\n${place}`);
      return parts.join(without('-'));
    }, text);
}
