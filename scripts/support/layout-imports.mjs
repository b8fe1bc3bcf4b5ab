// @ts-check
import { posix } from 'node:path';
import { isTest, listFiles, readText } from './files.mjs';
import { importsOf, isNodeModule, packageOf } from './imports.mjs';
import { readManifest } from './packages.mjs';

/** @typedef {import('./packages.mjs').Package} Package */
/** @typedef {{ packages: string[], node: boolean | string }} Border */

/**
 * Who may import whom, by folder. `packages` names those of this repository; `node` is whether Node's own
 * modules may be imported: true, false, or only below that folder. Tests may also import what is in
 * devDependencies, and Node.
 *
 * @type {{ folder: RegExp, border: Border }[]}
 */
const borders = [
  { folder: /^abi$/, border: { packages: [], node: false } },
  { folder: /^reference$/, border: { packages: ['@pocketllm/abi'], node: false } },
  { folder: /^backend-webgpu$/, border: { packages: ['@pocketllm/abi'], node: 'src/node' } },
  { folder: /^backend-[a-z]+$/, border: { packages: ['@pocketllm/abi'], node: true } },
  { folder: /^conformance$/, border: { packages: ['@pocketllm/abi', '@pocketllm/reference'], node: true } },
  { folder: /^runtime$/, border: { packages: ['@pocketllm/abi'], node: 'src/node' } },
  { folder: /^server$/, border: { packages: ['@pocketllm/abi', '@pocketllm/runtime'], node: true } },
  {
    folder: /^cli$/,
    border: {
      packages: [
        '@pocketllm/abi',
        '@pocketllm/runtime',
        '@pocketllm/server',
        '@pocketllm/reference',
        '@pocketllm/backend-*',
      ],
      node: true,
    },
  },
];

/** Packages that are needed without being imported, with how. */
const usedOtherwise = new Map([
  ['node-addon-api', 'headers for native code'],
  ['node-gyp', 'builds native code'],
  ['@fontsource-variable/figtree', 'the typeface of the chat page, named in its styles'],
]);

/** Development dependencies that the build packs into the package, with where. */
const packedIn = new Map([['@mlc-ai/web-xgrammar', 'packages/runtime/tsup.config.ts']]);

/** @param {string} root @param {Package[]} packages */
export function checkImports(root, packages) {
  const rootManifest = readManifest(root, 'package.json');
  const shared = Object.keys(rootManifest.devDependencies ?? {});
  const own = packages.map(({ manifest }) => manifest.name);
  const problems = [];
  let count = 0;

  for (const { folder, manifest } of packages) {
    const border = borders.find((entry) => entry.folder.test(posix.basename(folder)))?.border;
    if (border === undefined) {
      problems.push(`${folder}: has no entry in the table of borders (scripts/support/layout-imports.mjs)`);
      continue;
    }
    const needed = Object.keys({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
    });
    const forDevelopment = Object.keys(manifest.devDependencies ?? {});
    const imported = new Set();

    for (const path of sourcesIn(root, folder)) {
      const atRunTime = path.startsWith(`${folder}/src/`) && !isTest(path);
      for (const { specifier, line } of importsOf(readText(root, path))) {
        count++;
        const at = `${path}:${line}`;
        if (specifier.startsWith('.')) {
          const target = posix.join(posix.dirname(path), specifier);
          const allowed = target.startsWith(`${folder}/`) || (!atRunTime && target.startsWith('tests/'));
          if (!allowed) problems.push(`${at}: ${specifier} leads out of the package; import it by name`);
        } else if (isNodeModule(specifier)) {
          const allowed =
            border.node === true || (border.node && path.startsWith(`${folder}/${border.node}/`));
          if (atRunTime && !allowed)
            problems.push(`${at}: imports ${specifier}; this code runs in a browser too`);
        } else {
          const name = packageOf(specifier);
          imported.add(name);
          if (name === manifest.name) {
            if (atRunTime) problems.push(`${at}: imports its own package; use a relative path`);
          } else if (atRunTime && own.includes(name) && !mayImport(border, name)) {
            problems.push(`${at}: ${posix.basename(folder)} may not import ${name}`);
          } else if (
            !needed.includes(name) &&
            !((!atRunTime || packedIn.has(name)) && [...forDevelopment, ...shared].includes(name))
          ) {
            const field = atRunTime ? 'dependencies' : 'devDependencies';
            problems.push(`${at}: imports ${name}, which is not in ${field} of ${folder}/package.json`);
          }
        }
      }
    }
    for (const name of [...needed, ...forDevelopment]) {
      if (!imported.has(name) && !usedOtherwise.has(name) && !name.startsWith('@types/')) {
        problems.push(`${folder}/package.json: depends on ${name}, which nothing in the package imports`);
      }
    }
  }
  return { problems: [...problems, ...undeclaredAtRoot(root, [...shared, ...own])], count };
}

/** @param {Border} border @param {string} name */
function mayImport(border, name) {
  return border.packages.some((allowed) =>
    allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed,
  );
}

/** Scripts, tests and configuration at the root live on the root's package.json. @param {string} root @param {string[]} declared */
function undeclaredAtRoot(root, declared) {
  const paths = [...['scripts', 'tests'].flatMap((folder) => sourcesIn(root, folder)), 'vitest.config.ts'];
  return paths
    .filter((path) => listFiles(root, posix.dirname(path)).includes(path))
    .flatMap((path) =>
      importsOf(readText(root, path))
        .filter(({ specifier }) => !specifier.startsWith('.') && !isNodeModule(specifier))
        .filter(({ specifier }) => !declared.includes(packageOf(specifier)))
        .map(
          ({ specifier, line }) =>
            `${path}:${line}: imports ${specifier}, which is not in the root's package.json`,
        ),
    );
}

/** @param {string} root @param {string} folder */
function sourcesIn(root, folder) {
  return listFiles(root, folder).filter((path) => /\.(ts|tsx|mjs|js)$/.test(path));
}
