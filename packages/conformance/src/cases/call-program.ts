import {
  type AttributeValue,
  type Dimension,
  evaluateExtent,
  type OpDeclaration,
  type OpName,
  type Program,
  parseExtent,
  recordProgram,
  type Sizes,
  type TensorSpec,
  type Value,
  type WeightFormatName,
} from '@pocketllm/abi';

/** One call of an op, as the kit puts it into a program. */
export interface CallShape {
  readonly op: OpDeclaration;
  /** Of the extents, integer attributes included. */
  readonly sizes: Sizes;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  /** Names of the operands that the call has. */
  readonly operands: readonly string[];
  readonly format: WeightFormatName | undefined;
  /** The operands that are results of a call themselves, so that their buffer is the backend's. */
  readonly computed?: readonly string[];
  /** Computed operands that are outputs of the program too. */
  readonly kept?: readonly string[];
  /** Operands that are one and the same value, by the name of its input. */
  readonly sameAs?: Readonly<Record<string, string>>;
}

/** The dimensions of an operand: the rows and outputs of a step by name, all else as numbers. */
function dimensionsOf({ extents }: TensorSpec, sizes: Sizes): Dimension[] {
  return extents.map((extent) => {
    if (extent === 'rows') return 'rows';
    if (extent === 'selected') return 'outputs';
    return evaluateExtent(parseExtent(extent), sizes)!;
  });
}

/** Elements of an operand in a step of these sizes. */
export function elementsOf({ extents }: TensorSpec, sizes: Sizes): number {
  return extents.reduce((product, extent) => product * evaluateExtent(parseExtent(extent), sizes)!, 1);
}

/** Each operand is an input or a weight of its own name, each result an output of the program. */
export function programOfCall(call: CallShape): Program {
  const { op, sizes, attributes, operands, format, computed = [], kept = [], sameAs = {} } = call;
  return recordProgram((p) => {
    const inputs = new Map<string, Value>();
    const operand = (name: string) => {
      const spec: TensorSpec = op.inputs[name]!;
      const dimensions = dimensionsOf(spec, sizes);
      if (spec.kind === 'vector') return p.weight(name, 'f32', dimensions as number[]);
      if (spec.kind === 'weight') return p.weight(name, format!, dimensions as number[]);
      const source = sameAs[name] ?? name;
      const known = inputs.get(source);
      if (known) return known;
      const input = p.input(source, spec.kind === 'indices' ? 'i32' : 'f32', dimensions);
      const value = computed.includes(source) ? p.scale(input, { factor: 1 }) : input;
      inputs.set(source, value);
      return value;
    };
    const results = p.call(
      op.name as OpName,
      Object.fromEntries(operands.map((name) => [name, operand(name)])),
      attributes,
      op.usesCache ? p.cache('layer', cacheShape(sizes)) : undefined,
    );
    for (const [name, value] of Object.entries(results)) p.output(name, value);
    for (const name of kept) p.output(keptOutput(name), inputs.get(name)!);
  });
}

/** The output that shows what a computed operand still holds after the call. */
export const keptOutput = (operand: string): string => `${operand} afterwards`;

const cacheShape = ({ kvHeads, headSize, valueSize }: Sizes) => ({
  kvHeads: kvHeads!,
  headSize: headSize!,
  valueSize: valueSize!,
});
