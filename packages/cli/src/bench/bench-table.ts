import { table } from '../terminal/table.js';
import type { BenchReport, BenchResult } from './run-bench.js';

/** The report for people. */
export function benchText({ limits, tests }: Pick<BenchReport, 'limits' | 'tests'>): string {
  const head = ['', 'tokens', 'depth', 'sequences', 'tokens/s', 'GB/s', 'of best', 'GFLOP/s', 'of best'];
  const rows = tests.map((test) => [
    test.kind,
    String(test.tokens),
    String(test.depth),
    String(test.sequences),
    figure(test.tokensPerSecond),
    ...partOf(test.bytesPerSecond, limits.readBytesPerSecond),
    ...partOf(test.flopsPerSecond, limits.flopsPerSecond),
  ]);
  const best = `best here: ${giga(limits.readBytesPerSecond)} GB/s read, ${giga(limits.flopsPerSecond)} GFLOP/s in ${limits.format}`;
  return `${table([head, ...rows])}\n${best}`;
}

/** What a program gets: the report with the parts of the best. */
export const benchJson = (report: BenchReport) => ({
  ...report,
  tests: report.tests.map((test: BenchResult) => ({
    ...test,
    partOfRead: test.bytesPerSecond / report.limits.readBytesPerSecond,
    partOfFlops: test.flopsPerSecond / report.limits.flopsPerSecond,
  })),
});

/** Three digits, or all before the point. */
const figure = (value: number): string => (value < 100 ? value.toPrecision(3) : String(Math.round(value)));

const giga = (rate: number): string => figure(rate / 1e9);

const partOf = (rate: number, best: number): [string, string] => [
  giga(rate),
  `${Math.round((100 * rate) / best)} %`,
];
