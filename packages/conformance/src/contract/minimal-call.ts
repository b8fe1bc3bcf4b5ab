import {
  type AttributeValue,
  isPocketError,
  type OpDeclaration,
  type Program,
  parseExtent,
  type Sizes,
  type WeightFormatName,
} from '@pocketllm/abi';
import { elementsOf, programOfCall } from '../cases/call-program.js';
import type { CaseStep } from '../cases/case.js';
import { Random } from '../data/random.js';
import { randomBlocks } from '../data/random-blocks.js';

/** One way to call an op. */
export interface CallForm {
  readonly op: OpDeclaration;
  readonly format?: WeightFormatName;
  /** Sizes and attributes that differ from the usual small ones. */
  readonly sizes?: Sizes;
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
}

/** Small sizes that fit every op and every format. */
const usual: Sizes = {
  ...{
    rows: 2,
    selected: 1,
    cols: 256,
    inFeatures: 256,
    outFeatures: 8,
    vocabulary: 8,
    experts: 4,
    slots: 2,
  },
  ...{ headSize: 64, valueSize: 64, height: 8, width: 8, channels: 3 },
};
const usualAttributes: Readonly<Record<string, AttributeValue>> = {
  ...{ heads: 2, kvHeads: 1, dimensions: 32, groups: 1, slots: 2, inputGroups: 1, outputGroups: 1 },
  ...{ size: 4, k: 2 },
};

/** The program of a call with all its operands; undefined where the sizes do not fit together. */
export function programOf(form: CallForm): Program | undefined {
  const { op, format } = form;
  const { sizes, attributes } = sizesOf(form);
  const operands = Object.keys(op.inputs);
  try {
    return programOfCall({ op, sizes, attributes, operands, format });
  } catch (error) {
    if (isPocketError(error, 'PROGRAM_INVALID')) return undefined;
    throw error;
  }
}

/** Weights and a step for it: indices are 0, ranges hold one row. */
export function dataOf(form: CallForm): { weights: Record<string, Uint8Array>; step: CaseStep } {
  const { sizes } = sizesOf(form);
  const random = new Random('minimal call');
  const weights: Record<string, Uint8Array> = {};
  const inputs: Record<string, Float32Array | Int32Array> = {};
  for (const [name, spec] of Object.entries(form.op.inputs)) {
    const count = elementsOf(spec, sizes);
    if (spec.kind === 'weight') weights[name] = randomBlocks(form.format!, count, random);
    else if (spec.kind === 'vector') weights[name] = new Uint8Array(new Float32Array(count).fill(1).buffer);
    else if (spec.kind === 'activation') inputs[name] = random.floats(count);
    else inputs[name] = Int32Array.from({ length: count }, (_, i) => (name === 'ranges' ? i % 2 : 0));
  }
  const { rows = 0, selected = 0 } = sizes;
  const pages = Array.from({ length: Math.ceil(rows / 32) }, (_, page) => page);
  const sequences = rows === 0 ? [] : [{ rows, start: 0, pages, phase: 'prefill' as const }];
  return { weights, step: { rows, outputs: selected, sequences, inputs } };
}

function sizesOf({ op, sizes, attributes }: CallForm): {
  sizes: Sizes;
  attributes: Record<string, AttributeValue>;
} {
  const chosen: Record<string, AttributeValue> = {};
  const numbers: Record<string, number> = { ...usual, ...sizes };
  for (const [name, spec] of Object.entries(op.attributes)) {
    const fallback = spec.type === 'choice' ? spec.of[0]! : 1;
    chosen[name] = attributes?.[name] ?? sizes?.[name] ?? usualAttributes[name] ?? spec.default ?? fallback;
    if (spec.type === 'integer') numbers[name] = chosen[name] as number;
  }
  const named = Object.values(op.inputs).flatMap(({ extents }) =>
    extents.flatMap((extent) => parseExtent(extent).names),
  );
  return {
    sizes: Object.fromEntries(Object.entries(numbers).filter(([name]) => named.includes(name))),
    attributes: chosen,
  };
}
