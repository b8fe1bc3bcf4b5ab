// @ts-check
// Holds the tree to the layout that docs/architecture.md describes: who imports whom, what is declared in
// package.json, how files are named, and that ops, their oracle and their tests come together.
import { checkImports } from './support/layout-imports.mjs';
import { checkNames, checkOpFiles, checkTestsBeside } from './support/layout-names.mjs';
import { readPackages } from './support/packages.mjs';
import { runAsCommand } from './support/problems.mjs';

/** @param {string} root */
export function checkLayout(root) {
  const packages = readPackages(root);
  const imports = checkImports(root, packages);
  return {
    problems: [
      ...imports.problems,
      ...checkNames(root),
      ...checkOpFiles(root),
      ...checkTestsBeside(root, packages),
    ],
    summary: `${packages.length} packages, ${imports.count} imports`,
  };
}

await runAsCommand(import.meta.url, checkLayout);
