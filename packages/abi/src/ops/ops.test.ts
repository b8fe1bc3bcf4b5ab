import { describe, expect, it } from 'vitest';
import { callSizes, ProgramBuilder, type Value, type Weight } from '../program/index.js';
import { type AttributeSpec, attributeMismatch } from './attribute-spec.js';
import type { OpDeclaration } from './define-op.js';
import { evaluateExtent, isOpName, type OpName, ops, parseExtent } from './index.js';

/** Small sizes that satisfy every op's constraints: one for each extent name of any op. */
const sizes: Readonly<Record<string, number>> = {
  ...{ rows: 3, cols: 64, vocabulary: 50, inFeatures: 32, outFeatures: 8, selected: 2, context: 40 },
  ...{ heads: 4, kvHeads: 2, headSize: 16, valueSize: 16, groups: 4, dimensions: 8 },
  ...{ k: 5, experts: 8, slots: 2, inputGroups: 2, outputGroups: 1 },
  ...{ height: 4, width: 6, channels: 3, size: 2 },
};

const sampleOf = (name: string, spec: AttributeSpec): string | number =>
  spec.type === 'choice' ? spec.of[0]! : spec.type === 'integer' ? (sizes[name] ?? 1) : 0.5;

const attributesOf = (op: OpDeclaration) =>
  Object.fromEntries(Object.entries(op.attributes).map(([name, spec]) => [name, sampleOf(name, spec)]));

/** A program with one call of the op in the sample sizes, and what the call was given. */
function sampleCall(name: OpName) {
  const op: OpDeclaration = ops[name];
  const p = new ProgramBuilder();
  const dimensionsOf = (extents: readonly string[]) =>
    extents.map((extent) => evaluateExtent(parseExtent(extent), sizes)!);
  const operands: Record<string, Value | Weight> = {};
  for (const [input, { kind, extents }] of Object.entries(op.inputs)) {
    const fixed = dimensionsOf(extents);
    const dimensions = extents[0] === 'rows' ? (['rows', ...fixed.slice(1)] as const) : fixed;
    if (kind === 'activation') operands[input] = p.input(input, 'f32', dimensions);
    else if (kind === 'indices') operands[input] = p.input(input, 'i32', dimensions);
    else operands[input] = p.weight(input, 'f32', fixed);
  }
  const { kvHeads, headSize, valueSize } = sizes as { kvHeads: number; headSize: number; valueSize: number };
  const cache = op.usesCache && p.cache('cache', { kvHeads, headSize, valueSize });
  const outputs = p.call(name, operands, attributesOf(op), cache);
  return { program: p.build(), operands, outputs };
}

const declarations = Object.entries<OpDeclaration>(ops) as [OpName, OpDeclaration][];

describe('ops', () => {
  it('have names, and numbers from 1 on, that are all different', () => {
    const numbers = declarations.map(([, { number }]) => number).sort((a, b) => a - b);
    expect(numbers).toEqual(declarations.map((_, index) => index + 1));
    expect(declarations.map(([, { name }]) => name)).toEqual(declarations.map(([key]) => key));
  });

  it('are recognized by name, and nothing else is', () => {
    expect(isOpName('rms_norm')).toBe(true);
    expect(isOpName('toString')).toBe(false);
  });
});

describe.each(declarations)('%s', (name, op) => {
  it('is snake_case, says what it does in one sentence and has a formula', () => {
    expect(op.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(op.summary).toMatch(/^[A-Z].*\.$/);
    expect(op.formula).not.toBe('');
  });

  it('can be recorded in sample sizes, and has every size it names bound', () => {
    const { program } = sampleCall(name);
    const bound = callSizes(program)[0]!;
    const specs = [...Object.values(op.inputs), ...Object.values(op.outputs)];
    const names = specs.flatMap(({ extents }) => extents).flatMap((extent) => parseExtent(extent).names);
    expect(Object.keys(bound)).toEqual(expect.arrayContaining(names));
    for (const extent of names) expect(bound[extent]).toBe(extent === 'rows' ? 'rows' : sizes[extent]);
  });

  it('costs a finite number of operations and bytes', () => {
    const bytesOf = (operand: string) => {
      const { extents } = op.inputs[operand] ?? op.outputs[operand]!;
      return extents.reduce((bytes, extent) => bytes * evaluateExtent(parseExtent(extent), sizes)!, 4);
    };
    const flops = op.cost.flops(sizes);
    expect(Number.isFinite(flops) && flops >= 0).toBe(true);
    if (!op.cost.bytes) return;
    const bytes = op.cost.bytes(sizes, bytesOf);
    expect(Number.isFinite(bytes) && bytes > 0).toBe(true);
  });

  it('refers to its own operands, sizes and attributes only', () => {
    for (const alias of op.mayAlias) expect(Object.keys(op.inputs)).toContain(alias);
    if (op.tolerance.rounds !== undefined) expect(op.inputs[op.tolerance.rounds]?.kind).toBe('activation');
    const sums = op.tolerance.sumsOver;
    if (sums !== undefined) expect(evaluateExtent(parseExtent(sums), sizes)).toBeGreaterThan(0);
    for (const { left, right } of op.constraints ?? []) {
      expect(evaluateExtent(parseExtent(left), sizes)).toBeGreaterThan(0);
      expect(evaluateExtent(parseExtent(right), sizes)).toBeGreaterThan(0);
    }
  });

  it('has defaults that its attributes allow', () => {
    for (const spec of Object.values<AttributeSpec>(op.attributes)) {
      if (spec.default !== undefined) expect(attributeMismatch(spec, spec.default)).toBeUndefined();
    }
  });
});

const merged = declarations.filter(([, { decomposition }]) => decomposition !== undefined);

it.each(merged)('%s stands for known ops, the last of which gives its output', (name, { decomposition }) => {
  for (const step of decomposition!) expect(isOpName(step.op)).toBe(true);
  expect(Object.keys(sampleCall(name).outputs)).toEqual([decomposition!.at(-1)!.output]);
});
