import type { Equality } from '@pocketllm/abi';

/** How many tests had which result. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface TestReport {
  /** The id of the device; absent where the test is about the plugin. */
  readonly device?: string;
  /** Where the test belongs, outermost first. */
  readonly group: readonly string[];
  readonly name: string;
  readonly result: keyof Counts;
  /** Why it failed or was skipped. */
  readonly reason?: string;
  /** How long it took. */
  readonly ms: number;
  /** What it measured: milliseconds or bytes, as the name says. */
  readonly measures?: Readonly<Record<string, number>>;
}

/** The cases of one op, in one format where it has any, on one device. */
export interface SupportReport extends Counts {
  readonly op: string;
  readonly format?: string;
}

export interface DeviceReport {
  readonly id: string;
  readonly name: string;
  readonly class: string;
  readonly bitExact: readonly Equality[];
  readonly counts: Counts;
  readonly support: readonly SupportReport[];
}

/** What the kit found; described by report.schema.json. */
export interface Report {
  readonly schema: 1;
  readonly kit: { readonly name: string; readonly version: string; readonly abi: 1 };
  readonly plugin: { readonly name: string; readonly package?: string; readonly version?: string };
  /** Runtime, operating system and processor, as far as they are known. */
  readonly platform: string;
  /** Nothing failed, and at least one device was tested. */
  readonly passed: boolean;
  /** False where a filter left tests or devices out. */
  readonly complete: boolean;
  /** What this machine lacks for further devices. */
  readonly missing?: string;
  readonly counts: Counts;
  readonly devices: readonly DeviceReport[];
  readonly tests: readonly TestReport[];
}

export function countResults(tests: readonly Pick<TestReport, 'result'>[]): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { result } of tests) counts[result]++;
  return counts;
}
