// @ts-check
import { relative } from 'node:path';
import { repository } from './problems.mjs';

/**
 * @typedef {object} TestReport what vitest's JSON reporter writes, as far as it is read here
 * @property {{ name: string, status: string, message: string, assertionResults: TestResult[] }[]} testResults
 */
/** @typedef {{ fullName: string, status: string, failureMessages: string[] }} TestResult */

/**
 * Counts a report. A file that could not be loaded counts as one failed test. What neither passed nor failed
 * counts as skipped, each with its file and its name, which says what it needs.
 *
 * @param {TestReport} report
 */
export function countTests({ testResults }) {
  let passed = 0;
  /** @type {string[]} */
  const skipped = [];
  /** @type {string[]} */
  const failed = [];
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(repository, name);
    const failedBefore = failed.length;
    for (const test of assertionResults) {
      const title = `${file}: ${test.fullName}`;
      if (test.status === 'passed') passed++;
      else if (test.status === 'failed') failed.push(`${title}\n${test.failureMessages.join('\n')}`);
      else skipped.push(title);
    }
    if (status === 'failed' && failed.length === failedBefore)
      failed.push(`${file}: could not be run\n${message}`);
  }
  return { passed, failed, skipped };
}
