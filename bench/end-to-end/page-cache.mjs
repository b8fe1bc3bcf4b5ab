// @ts-check
import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync } from 'node:fs';

/**
 * Puts a file out of the page cache, without rights of an administrator: pages that are on disk are dropped on
 * request. Gives the reason where that did not work.
 *
 * @param {string} path
 * @returns {string | undefined}
 */
export function dropFromPageCache(path) {
  try {
    const file = openSync(path, 'r');
    fdatasyncSync(file);
    closeSync(file);
    // GNU dd takes a count of 0 with nocache as the request for the whole file.
    execFileSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], { stdio: 'pipe' });
    const resident = Number(
      execFileSync('fincore', ['--bytes', '--noheadings', '--output', 'RES', path], { encoding: 'utf8' }),
    );
    return resident === 0 ? undefined : `${resident} bytes of the file stay in the page cache`;
  } catch (error) {
    return `the file cannot be put out of the page cache here: ${String(error)}`;
  }
}
