import { expect, test } from 'vitest';
import { tellingLine } from '../scripts/telling-line.mjs';

test('a tool that node-gyp lacks is named in a sentence', () => {
  const output = [
    'gyp info using node@20.20.2 | linux | x64',
    'gyp ERR! find Python ',
    'gyp ERR! find Python - executable path is ""',
    'gyp ERR! find Python You need to install the latest version of Python.',
    'gyp ERR! stack Error: Could not find any Python installation to use',
    'gyp ERR! not ok',
  ].join('\n');
  expect(tellingLine(output)).toBe('node-gyp finds no Python that it can use');
  expect(tellingLine('gyp ERR! stack Error: not found: make\ngyp ERR! not ok')).toBe(
    'node-gyp finds no make',
  );
});

test('what the compiler says comes before what node-gyp says of it', () => {
  const output = [
    'make: g++: No such file or directory',
    'gyp ERR! stack Error: `make` failed with exit code: 2',
    'gyp ERR! not ok',
  ].join('\n');
  expect(tellingLine(output)).toBe('make: g++: No such file or directory');
});

test('anything else is said by the line of the error', () => {
  expect(tellingLine('gyp info it worked\ngyp ERR! stack Error: disk is full\ngyp ERR! not ok')).toBe(
    'Error: disk is full',
  );
});
