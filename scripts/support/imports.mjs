// @ts-check
import { builtinModules } from 'node:module';
import typescript from 'typescript';

/**
 * Every module that a TypeScript or JavaScript file names: import, export from, import() of a literal, types too.
 *
 * @param {string} text
 * @returns {{ specifier: string, line: number }[]}
 */
export function importsOf(text) {
  return typescript.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos }) => ({
    specifier: fileName,
    line: text.slice(0, pos).split('\n').length,
  }));
}

/** @param {string} specifier */
export function isNodeModule(specifier) {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

/** The package that a bare specifier belongs to. @param {string} specifier */
export function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
