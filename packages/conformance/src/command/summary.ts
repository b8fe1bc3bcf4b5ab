import { type Counts, countResults, type Report, type TestReport } from '../report.js';

const path = ({ group, name }: TestReport): string => [...group, name].join(' › ');

const countsText = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** Collects results, and gives a line whenever the subject changes (the op, or the part of the contract). */
export class Progress {
  #subject = '';
  #results: TestReport[] = [];

  /** Lines to print after this result: of the subject before, and of a failure. */
  add(result: TestReport): string[] {
    const subject = result.group.slice(0, 3).join(' › ');
    const lines = subject === this.#subject ? [] : this.end();
    this.#subject = subject;
    this.#results.push(result);
    if (result.result === 'failed') lines.push(`FAILED ${path(result)}\n       ${result.reason}`);
    return lines;
  }

  end(): string[] {
    const lines =
      this.#results.length > 0 ? [`${this.#subject}: ${countsText(countResults(this.#results))}`] : [];
    this.#results = [];
    return lines;
  }
}

/** What is to be said at the end: why tests were skipped, what was measured, and the verdict. */
export function summarize(report: Report): string[] {
  const { tests, devices, missing, complete, counts } = report;
  const lines: string[] = [];
  const reasons = new Map<string, number>();
  for (const { result, reason } of tests) {
    if (result === 'skipped') reasons.set(reason!, (reasons.get(reason!) ?? 0) + 1);
  }
  if (reasons.size > 0) {
    lines.push('', 'Skipped, which is not a pass:');
    for (const [reason, count] of reasons) lines.push(`  ${count} because ${reason}`);
  }
  const measured = tests.filter(({ measures }) => measures);
  if (measured.length > 0) lines.push('', 'Measured:');
  for (const test of measured) {
    const figures = Object.entries(test.measures!).map(([name, value]) => `${name} ${value}`);
    lines.push(`  ${path(test)}: ${figures.join(', ')}`);
  }
  lines.push('');
  for (const device of devices) lines.push(`${device.id} (${device.name}): ${countsText(device.counts)}`);
  if (missing) lines.push(`Further devices are not here: ${missing}`);
  if (devices.length === 0) lines.push('No device was tested, so nothing was shown.');
  if (!complete) lines.push('Part of the tests only, as the options ask for.');
  lines.push(`${report.passed ? 'PASSED' : 'FAILED'}: ${countsText(counts)}`);
  return lines;
}
