#!/usr/bin/env node
// @ts-check
// What this machine has and what it can do at best: instruction sets, cores, read rate, peaks of arithmetic.
import { parseArgs } from 'node:util';
import { describeMachine, machineText } from './machine/describe.mjs';
import { measureMachine } from './machine/measure.mjs';

const { values } = parseArgs({
  options: { threads: { type: 'string' }, json: { type: 'boolean' } },
});
const description = describeMachine();
const limits = measureMachine(Number(values.threads ?? description.cores));
if (values.json) {
  process.stdout.write(`${JSON.stringify({ ...description, ...limits })}\n`);
} else {
  const { threads, read, peaks } = limits;
  process.stdout.write(`${machineText(description)}\n`);
  process.stdout.write(`${threads} threads read ${(read.bytesPerSecond / 1e9).toFixed(1)} GB/s`);
  process.stdout.write(` (${read.streams} streams a thread)\n`);
  for (const { isa, type, operationsPerSecond } of peaks) {
    process.stdout.write(`${isa} ${type}: ${(operationsPerSecond / 1e12).toFixed(2)} T operations/s\n`);
  }
}
