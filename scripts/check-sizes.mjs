// @ts-check
// Keeps files small: half of them under 100 lines, nine in ten under 300, none of 500 or more.
import { listFiles, readText } from './support/files.mjs';
import { runAsCommand } from './support/problems.mjs';

/** What is not read from top to bottom may be long. */
const excepted = [
  { path: /\/generated\//, reason: 'written by npm run generate' },
  { path: /^packages\/abi\/src\/formats\/tables\//, reason: 'code books: numbers, no logic' },
];
const source = /\.(ts|tsx|mjs|js|cpp|cc|h|hpp|inc|cu|cuh|wgsl)$/;
const folders = ['packages', 'scripts', 'tests', 'examples', 'bench'];

/** @param {string} root */
export function checkSizes(root) {
  const sizes = folders
    .flatMap((folder) => listFiles(root, folder))
    .filter((path) => source.test(path) && !excepted.some((exception) => exception.path.test(path)))
    .map((path) => ({ path, lines: readText(root, path).trimEnd().split('\n').length }))
    .sort((a, b) => b.lines - a.lines);

  const problems = sizes
    .filter(({ lines }) => lines >= 500)
    .map(({ path, lines }) => `${path}: ${lines} lines; split it by concept, 500 is the end`);
  for (const { share, under } of [
    { share: 0.5, under: 100 },
    { share: 0.9, under: 300 },
  ]) {
    const small = sizes.filter(({ lines }) => lines < under).length;
    if (small < share * sizes.length) {
      const longest = sizes.slice(0, 5).map(({ path, lines }) => `${path} (${lines})`);
      problems.push(
        `${small} of ${sizes.length} files have fewer than ${under} lines, ${share * 100} % should: ${longest.join(', ')}`,
      );
    }
  }
  const longest = sizes[0];
  return { problems, summary: `${sizes.length} files, the longest ${longest?.lines ?? 0} lines` };
}

await runAsCommand(import.meta.url, checkSizes);
