// @ts-check
import { posix } from 'node:path';
import typescript from 'typescript';
import { isTest, listFiles, readText } from './files.mjs';

/** @typedef {import('./packages.mjs').Package} Package */

const kebabCase = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
/** Native code, and files named by a weight format, carry snake_case names. */
const nativeCase = /^[a-z0-9]+([-_][a-z0-9]+)*(\.[a-z0-9]+)*$/;
const customary = new Set(['README.md', 'LICENSE', 'NOTICE', 'CHANGELOG.md', 'CMakeLists.txt']);

/** Folders without a test of their own, with the reason. One that has a test is a problem. @type {Record<string, string>} */
const testedElsewhere = {
  'packages/conformance/src/cases':
    'tests themselves; packages/conformance/test shows that they catch wrong kernels',
};

/** Names of files and folders: kebab-case, and no drawer for odds and ends. @param {string} root */
export function checkNames(root) {
  const problems = new Set();
  const paths = ['packages', 'scripts', 'tests', 'examples', 'docs', 'bench', 'models'].flatMap((folder) =>
    listFiles(root, folder),
  );
  for (const path of paths) {
    const parts = path.split('/');
    for (const [depth, part] of parts.entries()) {
      const native =
        part.endsWith('.gguf') || parts.some((name) => name === 'native' || name === 'generated');
      const shape = native ? nativeCase : kebabCase;
      const place = parts.slice(0, depth + 1).join('/');
      if (!customary.has(part) && !shape.test(part)) problems.add(`${place}: is not kebab-case`);
      if (/^(utils?|helpers?|misc|common)(\.|$)/.test(part))
        problems.add(`${place}: name it after its concept`);
    }
  }
  return [...problems];
}

/** Each op of the ABI has its oracle, and its conformance cases once that package exists. @param {string} root */
export function checkOpFiles(root) {
  const sources = listFiles(root, 'packages').filter((path) => path.endsWith('.ts'));
  const problems = [];
  for (const path of sources.filter(
    (source) => /^packages\/abi\/src\/ops\//.test(source) && !isTest(source),
  )) {
    if (!callsDefineOp(path, readText(root, path))) continue;
    const counterparts = [`packages/reference/src/ops/${posix.basename(path)}`];
    if (sources.some((source) => source.startsWith('packages/conformance/src/cases/'))) {
      counterparts.push(`packages/conformance/src/cases/${posix.basename(path)}`);
    }
    for (const counterpart of counterparts) {
      if (!sources.includes(counterpart)) problems.push(`${path}: has no counterpart ${counterpart}`);
    }
  }
  return problems;
}

/** @param {string} path @param {string} text */
function callsDefineOp(path, text) {
  const file = typescript.createSourceFile(path, text, typescript.ScriptTarget.ESNext);
  return file.statements.some(
    (statement) =>
      typescript.isVariableStatement(statement) &&
      statement.declarationList.declarations.some(
        ({ initializer }) =>
          initializer !== undefined &&
          typescript.isCallExpression(initializer) &&
          typescript.isIdentifier(initializer.expression) &&
          initializer.expression.text === 'defineOp',
      ),
  );
}

/** A folder of sources has a test in it. An index alone needs none. @param {string} root @param {Package[]} packages */
export function checkTestsBeside(root, packages) {
  const problems = [];
  for (const { folder } of packages) {
    const paths = listFiles(root, `${folder}/src`).filter(
      (path) => path.endsWith('.ts') && !path.includes('/generated/'),
    );
    const folders = new Set(
      paths.filter((path) => posix.basename(path) !== 'index.ts').map((path) => posix.dirname(path)),
    );
    for (const place of folders) {
      const hasTest = paths.some((path) => isTest(path) && posix.dirname(path) === place);
      const excused = Object.hasOwn(testedElsewhere, place);
      if (!hasTest && !excused) problems.push(`${place}: holds sources and no test`);
      if (hasTest && excused) problems.push(`${place}: has tests now; take it out of testedElsewhere`);
    }
  }
  return problems;
}
