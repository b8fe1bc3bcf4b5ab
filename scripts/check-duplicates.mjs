// @ts-check
// Finds logic that is written twice: the same run of lines in two places of packages/*/src. Blank lines,
// comments, imports and lines of closing brackets alone do not count, nor do tests.
import { isTest, listFiles, readText } from './support/files.mjs';
import { runAsCommand } from './support/problems.mjs';

/** Length of the shortest run that counts. */
const shortest = 8;

/**
 * Pairs that stand twice on purpose, each with its reason. One that no longer matches is a problem itself.
 *
 * @type {{ files: [string, string], reason: string }[]}
 */
const allowed = [
  {
    files: ['packages/abi/src/ops/index.ts', 'packages/reference/src/ops/index.ts'],
    reason: 'two tables keyed by the names of ops: what is declared, and what computes it',
  },
];

/** @typedef {{ text: string, number: number }} Line */

/** @param {string} root */
export function checkDuplicates(root, allowList = allowed) {
  const files = listFiles(root, 'packages')
    .filter((path) => /^packages\/[^/]+\/src\/.*\.(ts|mjs|wgsl)$/.test(path))
    .filter((path) => !isTest(path) && !path.includes('/generated/'))
    .map((path) => ({ path, lines: linesThatCount(readText(root, path)) }));

  /** @type {Map<string, { file: number, start: number }>} */
  const firstSeen = new Map();
  const problems = [];
  const unused = new Set(allowList);
  for (const [file, { path, lines }] of files.entries()) {
    for (let start = 0; start + shortest <= lines.length; start++) {
      const window = keyOf(lines, start);
      const first = firstSeen.get(window);
      if (first === undefined) {
        firstSeen.set(window, { file, start });
        continue;
      }
      const other = files[first.file] ?? { path: '', lines: [] };
      if (first.file === file && start < first.start + shortest) continue; // a run that overlaps itself
      const length = sharedLength(other.lines, first.start, lines, start);
      const pair = allowList.find((entry) => entry.files.includes(path) && entry.files.includes(other.path));
      if (pair === undefined) {
        problems.push(
          `${place(path, lines, start, length)} repeats ${place(other.path, other.lines, first.start, length)} (${length} lines)`,
        );
      } else {
        unused.delete(pair);
      }
      start += length - 1;
    }
  }
  for (const { files: pair } of unused) {
    problems.push(`scripts/check-duplicates.mjs: allows ${pair.join(' and ')}, which share nothing now`);
  }
  return { problems, summary: `${files.length} files, no run of ${shortest} lines stands twice` };
}

/** @param {string} text @returns {Line[]} */
function linesThatCount(text) {
  const withoutComments = text.replace(/^[ \t]*\/\*[\s\S]*?\*\//gm, (comment) =>
    comment.replace(/[^\n]/g, ''),
  );
  const withoutImports = withoutComments.replace(/^(import|export)\b[^;'"]*?from '[^']*';$/gm, (statement) =>
    statement.replace(/[^\n]/g, ''),
  );
  return withoutImports
    .split('\n')
    .map((line, index) => ({ text: line.trim().replace(/\s+/g, ' '), number: index + 1 }))
    .filter(({ text: line }) => /\w/.test(line) && !line.startsWith('//') && !line.startsWith('import '));
}

/** @param {Line[]} lines @param {number} start */
function keyOf(lines, start) {
  return lines
    .slice(start, start + shortest)
    .map(({ text }) => text)
    .join('\n');
}

/** @param {Line[]} a @param {number} startA @param {Line[]} b @param {number} startB */
function sharedLength(a, startA, b, startB) {
  let length = 0;
  while (a[startA + length] !== undefined && a[startA + length]?.text === b[startB + length]?.text) length++;
  return length;
}

/** @param {string} path @param {Line[]} lines @param {number} start @param {number} length */
function place(path, lines, start, length) {
  return `${path}:${lines[start]?.number}-${lines[start + length - 1]?.number}`;
}

await runAsCommand(import.meta.url, (root) => checkDuplicates(root));
