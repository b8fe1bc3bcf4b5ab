import { type OpDeclaration, type OpName, ops } from '../ops/index.js';
import { programFromJson } from './json.js';
import type { Call, Program } from './program.js';

/** A call of a merged op that was rewritten, for the load report. */
export interface Rewrite {
  readonly op: OpName;
  readonly into: readonly string[];
  readonly calls: number;
}

/**
 * Rewrites calls of merged ops that a device lacks into the ops they stand for. Ops without a declared
 * decomposition stay, and are refused later by the capability check.
 */
export function decompose(
  program: Program,
  supports: (op: OpName) => boolean,
): { program: Program; rewrites: readonly Rewrite[] } {
  const rewritten = new Map<OpName, number>();
  const calls = program.calls.flatMap<unknown>((call, index) => {
    const { decomposition }: OpDeclaration = ops[call.op];
    if (!decomposition || supports(call.op)) return [call];
    rewritten.set(call.op, (rewritten.get(call.op) ?? 0) + 1);
    return stepsOf(call, index, decomposition);
  });
  if (rewritten.size === 0) return { program, rewrites: [] };
  const rewrites = [...rewritten].map(([op, count]) => {
    const { decomposition }: OpDeclaration = ops[op];
    return { op, into: decomposition!.map((step) => step.op), calls: count };
  });
  return { program: programFromJson({ ...program, calls }), rewrites };
}

function stepsOf(call: Call, index: number, decomposition: NonNullable<OpDeclaration['decomposition']>) {
  const resolve = (name: string) =>
    name.startsWith('$') ? call.inputs[name.slice(1)]! : `${call.op}.${index}.${name}`;
  return decomposition.map((step) => ({
    op: step.op,
    inputs: Object.fromEntries(Object.entries(step.inputs).map(([input, name]) => [input, resolve(name)])),
    attributes: Object.fromEntries(
      Object.entries(step.attributes).map(([name, value]) => [
        name,
        typeof value === 'string' && value.startsWith('$') ? call.attributes[value.slice(1)] : value,
      ]),
    ),
    outputs: { out: call.outputs[step.output] ?? resolve(step.output) },
  }));
}
