import type { DeviceInfo } from '@pocketllm/abi';
import manifest from '../package.json' with { type: 'json' };
import { type KitOptions, type Plan, type PlannedTest, planTests } from './plan.js';
import {
  countResults,
  type DeviceReport,
  type Report,
  type SupportReport,
  type TestReport,
} from './report.js';
import { describe } from './verdict.js';

export interface RunOptions extends KitOptions {
  /** Where the plugin came from, for the report. */
  readonly package?: { readonly name: string; readonly version: string } | undefined;
  /** Called before the first test. */
  readonly onPlan?: (plan: Plan) => void;
  /** Called after each test. */
  readonly onResult?: (result: TestReport) => void;
}

/** Runs the kit without a test runner. Never fails for the plugin's sake: what is wrong is in the report. */
export async function runConformance(options: RunOptions): Promise<Report> {
  const plan = await planTests(options);
  options.onPlan?.(plan);
  const results: { test: PlannedTest; report: TestReport }[] = [];
  for (const test of plan.tests) {
    const report = await runTest(test);
    results.push({ test, report });
    options.onResult?.(report);
  }
  const tests = results.map(({ report }) => report);
  const counts = countResults(tests);
  return {
    schema: 1,
    kit: { name: manifest.name, version: manifest.version, abi: 1 },
    plugin: {
      name: String(options.plugin.name),
      ...(options.package ? { package: options.package.name, version: options.package.version } : {}),
    },
    platform: platform(),
    passed: counts.failed === 0 && plan.devices.length > 0,
    complete: plan.complete,
    ...(plan.missing ? { missing: plan.missing } : {}),
    counts,
    devices: plan.devices.map((device) => deviceReport(device, results)),
    tests,
  };
}

async function runTest(test: PlannedTest): Promise<TestReport> {
  const { device, group, name, skip } = test;
  const place = { ...(device ? { device } : {}), group, name };
  if (skip !== undefined) return { ...place, result: 'skipped', reason: skip, ms: 0 };
  const start = performance.now();
  const ms = () => Math.round((performance.now() - start) * 10) / 10;
  try {
    const measures = await test.run();
    const measured = Object.keys(measures).length > 0 ? { measures } : {};
    return { ...place, result: 'passed', ms: ms(), ...measured };
  } catch (error) {
    return { ...place, result: 'failed', reason: describe(error), ms: ms() };
  }
}

function deviceReport(
  { id, name, class: kind, capabilities }: DeviceInfo,
  results: readonly { test: PlannedTest; report: TestReport }[],
): DeviceReport {
  const own = results.filter(({ report }) => report.device === id);
  const support = new Map<string, { test: PlannedTest; reports: TestReport[] }>();
  for (const { test, report } of own) {
    if (!test.op) continue;
    const key = `${test.op} ${test.format}`;
    const entry = support.get(key) ?? { test, reports: [] };
    entry.reports.push(report);
    support.set(key, entry);
  }
  return {
    id,
    name,
    class: kind,
    bitExact: capabilities.bitExact,
    counts: countResults(own.map(({ report }) => report)),
    support: [...support.values()].map(
      ({ test: { op, format }, reports }): SupportReport => ({
        op: op!,
        ...(format ? { format } : {}),
        ...countResults(reports),
      }),
    ),
  };
}

/** Node's version, system and processor; a browser's own words about itself. */
function platform(): string {
  const { process, navigator } = globalThis as {
    process?: { version?: string; platform?: string; arch?: string };
    navigator?: { userAgent?: string };
  };
  if (process?.version) return `node ${process.version} ${process.platform} ${process.arch}`;
  return navigator?.userAgent ?? 'unknown';
}
