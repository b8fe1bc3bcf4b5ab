import { ops } from '../ops/index.js';
import { type BoundSizes, inferCall } from './infer.js';
import type { Program, Value, Weight } from './program.js';

/** The sizes of each call of a valid program by extent name; the two step dimensions stand for themselves. */
export function callSizes(program: Program): BoundSizes[] {
  const operands = new Map<string, Value | Weight>();
  for (const item of [...program.inputs, ...program.weights, ...program.values]) {
    operands.set(item.name, item);
  }
  return program.calls.map((call) => {
    const inputs = Object.entries(call.inputs).map(([input, name]) => [input, operands.get(name)] as const);
    return inferCall(ops[call.op], Object.fromEntries(inputs), call.attributes).sizes;
  });
}
