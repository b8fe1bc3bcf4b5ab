export { type ConformanceOptions, conformance, type Describe, type It } from './conformance.js';
export type { KitOptions, Plan, PlannedTest } from './plan.js';
export type { Counts, DeviceReport, Report, SupportReport, TestReport } from './report.js';
export { type RunOptions, runConformance } from './run-conformance.js';
