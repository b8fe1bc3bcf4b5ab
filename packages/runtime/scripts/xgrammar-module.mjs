// @ts-check
// Makes a module of @mlc-ai/web-xgrammar, for the build and for tests. The package says that it is an ECMAScript
// module and is a script: imported as it is, it fails. Here it becomes a function that makes a new instance, and
// what it would tell Node from a browser by is hidden from it: its WebAssembly stands in the script, so there is
// nothing to find out.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const name = '@mlc-ai/web-xgrammar';
const id = `\0${name}`;

/** Parts of the script that are put differently; each must be there exactly once. @type {[string, string][]} */
const changes = [
  // The binding itself: the classes around it leak memory and hide the mask behind a promise.
  ['exports.default = index;', 'exports.default = Module;'],
  // Bundlers would look for it.
  ["await import('module')", '{}'],
];

/** @param {string} script */
export function xgrammarModule(script) {
  const body = changes.reduce(
    (text, [from, to]) => {
      const parts = text.split(from);
      if (parts.length !== 2) throw new Error(`${name}: expected ${JSON.stringify(from)} once`);
      return parts.join(to);
    },
    script.replace(/^\/\/# sourceMappingURL=.*$/m, ''),
  );
  return [
    'const exports = {};',
    '(function (exports, module, location, window, process, document, importScripts, require, define) {',
    body,
    "}).call(undefined, exports, {}, { href: '' }, {});",
    'export default exports.default;',
  ].join('\n');
}

const read = () => xgrammarModule(readFileSync(createRequire(import.meta.url).resolve(name), 'utf8'));

/** For esbuild, which tsup builds with. @type {import('esbuild').Plugin} */
export const xgrammarForBuild = {
  name: 'xgrammar',
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: 'xgrammar' }));
    build.onLoad({ filter: /.*/, namespace: 'xgrammar' }, () => ({ contents: read(), loader: 'js' }));
  },
};

/** For vite, which vitest loads source with. @type {import('vite').Plugin} */
export const xgrammarForTests = {
  name: 'xgrammar',
  enforce: 'pre',
  resolveId: (source) => (source === name ? id : undefined),
  load: (source) => (source === id ? read() : undefined),
};
