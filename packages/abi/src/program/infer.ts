import { PocketError } from '../errors.js';
import { type WeightFormatName, weightFormats } from '../formats/index.js';
import {
  type AttributeValue,
  attributeMismatch,
  evaluateExtent,
  type OpDeclaration,
  parseExtent,
  solveExtent,
  type TensorSpec,
} from '../ops/index.js';
import type { Dimension, ElementType, Value, Weight } from './program.js';

/** Sizes by extent name; the two step dimensions stand for themselves. */
export type BoundSizes = Readonly<Record<string, Dimension>>;

export interface Inferred {
  /** All attributes, defaults filled in. */
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly sizes: BoundSizes;
  readonly outputs: Readonly<Record<string, { type: ElementType; dimensions: readonly Dimension[] }>>;
}

const isWeight = (operand: Value | Weight): operand is Weight => 'format' in operand;

/**
 * Checks one call against its declaration and infers the shapes of its outputs.
 * Fails with PROGRAM_INVALID naming the op, the operand and the dimension at fault.
 */
export function inferCall(
  op: OpDeclaration,
  operands: Readonly<Record<string, Value | Weight | undefined>>,
  given: Readonly<Record<string, AttributeValue | undefined>>,
): Inferred {
  const attributes = checkAttributes(op, given);
  for (const name of Object.keys(operands)) {
    if (!Object.hasOwn(op.inputs, name))
      fail(`${op.name}.${name}`, `one of ${Object.keys(op.inputs).join(', ')}`, name);
  }
  const sizes: Record<string, Dimension> = {};
  for (const [name, spec] of Object.entries(op.attributes)) {
    if (spec.type === 'integer') sizes[name] = attributes[name] as number;
  }
  const present = Object.entries(op.inputs).flatMap(([name, spec]) => {
    const operand = operands[name];
    if (!operand) {
      return spec.optional ? [] : fail(`${op.name}.${name}`, 'an operand', 'none');
    }
    checkKind(op, name, spec, operand);
    return [{ name, spec, operand }];
  });
  // Plain names bind first, so that an expression finds all but one of its names known.
  for (const pass of ['names', 'expressions'] as const) {
    for (const { name, spec, operand } of present) {
      spec.extents.forEach((extent, axis) => {
        if (parseExtent(extent).isName !== (pass === 'names')) return;
        bindExtent(`${op.name}.${name}`, extent, axis, operand.dimensions[axis]!, sizes);
      });
    }
  }
  checkConstraints(op, sizes);
  const outputs = Object.fromEntries(
    Object.entries(op.outputs).map(([name, spec]) => {
      const where = `${op.name}.${name}`;
      const type = outputType(spec, attributes);
      const dimensions = spec.extents.map((extent) => sizeOf(where, extent, sizes));
      if (type !== 'f32' && type !== 'i32') checkBlocks(where, type, dimensions.at(-1)!);
      return [name, { type, dimensions }];
    }),
  );
  return { attributes, sizes, outputs };
}

function checkAttributes(op: OpDeclaration, given: Readonly<Record<string, AttributeValue | undefined>>) {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(op.attributes, name)) {
      fail(
        `${op.name}.${name}`,
        `one of the attributes ${Object.keys(op.attributes).join(', ') || '(none)'}`,
        name,
      );
    }
  }
  return Object.fromEntries(
    Object.entries(op.attributes).map(([name, spec]) => {
      const value = given[name] ?? spec.default;
      const expected = attributeMismatch(spec, value);
      if (expected) fail(`${op.name}.${name}`, expected, String(value));
      return [name, value as AttributeValue];
    }),
  );
}

function checkKind(op: OpDeclaration, name: string, spec: TensorSpec, operand: Value | Weight): void {
  const where = `${op.name}.${name}`;
  const found = isWeight(operand) ? `a weight in ${operand.format}` : `a value of ${operand.type}`;
  const fits = {
    activation: !isWeight(operand) && operand.type === 'f32',
    indices: !isWeight(operand) && operand.type === 'i32',
    vector: isWeight(operand) && operand.format === 'f32',
    weight: isWeight(operand),
    encoded: false,
  }[spec.kind];
  const expected = {
    activation: 'a value of f32',
    indices: 'a value of i32',
    vector: 'a weight in f32',
    weight: 'a weight',
    encoded: 'nothing',
  }[spec.kind];
  if (!fits) fail(where, expected, `${operand.name}, ${found}`);
  if (operand.dimensions.length !== spec.extents.length) {
    fail(where, `dimensions [${spec.extents.join(', ')}]`, `[${operand.dimensions.join(', ')}]`);
  }
}

function bindExtent(
  where: string,
  extent: string,
  axis: number,
  found: Dimension,
  sizes: Record<string, Dimension>,
): void {
  const expression = parseExtent(extent);
  const dimension = `${extent} (axis ${axis})`;
  if (expression.isName && sizes[extent] === undefined) {
    sizes[extent] = found;
    return;
  }
  const known = expression.isName ? sizes[extent] : evaluateExtent(expression, numbersOf(sizes));
  if (known !== undefined) {
    if (known !== found) fail(where, String(known), String(found), dimension);
    return;
  }
  const solved = typeof found === 'number' ? solveExtent(expression, found, numbersOf(sizes)) : undefined;
  if (!solved) fail(where, `a size that makes ${extent} whole`, String(found), dimension);
  sizes[solved.name] = solved.size;
}

function checkConstraints(op: OpDeclaration, sizes: BoundSizes): void {
  for (const { left, relation, right } of op.constraints ?? []) {
    const a = evaluateExtent(parseExtent(left), numbersOf(sizes));
    const b = evaluateExtent(parseExtent(right), numbersOf(sizes));
    if (a === undefined || b === undefined) continue;
    const holds = relation === 'divides' ? b % a === 0 : a <= b;
    if (!holds) fail(op.name, `${left} ${relation} ${right}`, `${a} and ${b}`, left);
  }
}

function sizeOf(where: string, extent: string, sizes: BoundSizes): Dimension {
  const expression = parseExtent(extent);
  const size = expression.isName ? sizes[extent] : evaluateExtent(expression, numbersOf(sizes));
  return size ?? fail(where, `a size for ${extent}`, 'none');
}

function outputType(spec: TensorSpec, attributes: Readonly<Record<string, AttributeValue>>): ElementType {
  if (spec.kind === 'encoded') return attributes.format as WeightFormatName;
  return spec.kind === 'indices' ? 'i32' : 'f32';
}

function checkBlocks(where: string, format: WeightFormatName, row: Dimension): void {
  const { weights } = weightFormats[format].block;
  if (typeof row === 'number' && row % weights === 0) return;
  fail(where, `rows of whole ${format} blocks of ${weights}`, String(row), 'last');
}

function numbersOf(sizes: BoundSizes): Record<string, number> {
  return Object.fromEntries(
    Object.entries(sizes).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

function fail(where: string, expected: string, found: string, dimension?: string): never {
  throw new PocketError('PROGRAM_INVALID', {
    where,
    expected,
    found,
    ...(dimension === undefined ? {} : { dimension }),
  });
}
