import type { AttributeValue, OpDeclaration, Sizes, WeightFormatName } from '@pocketllm/abi';
import type { CallShape } from './call-program.js';
import type { CasesSpec, Fillers, Phase } from './cases-spec.js';
import { walk } from './lists.js';

/** One case before its data exist. */
export interface Variant {
  readonly name: string;
  readonly shape: CallShape;
  /** Rows of each sequence. */
  readonly sequences: readonly number[];
  readonly phase: Phase;
  readonly fillers: Fillers;
}

/** What stands in one place of each list. */
type Choice = Readonly<Record<string, unknown>>;

/** The variants of a spec for one format and phase: its lists walked, its edges, and how buffers may meet. */
export function variantsOf(
  op: OpDeclaration,
  spec: CasesSpec,
  format: WeightFormatName | undefined,
  phase: Phase,
): Variant[] {
  const sizes = Object.entries(spec.sizes).map(
    ([name, list]) => [name, typeof list === 'function' ? list(format!) : list] as const,
  );
  const optional = spec.optional ?? [[]];
  const attributes = spec.attributes ?? {};
  const { sequences } = spec;
  const walked = walk<unknown>({
    ...Object.fromEntries(sizes),
    ...attributes,
    optional,
    ...(sequences ? { sequences } : {}),
  });
  const edge: Choice = {
    ...Object.fromEntries(
      sizes.map(([name, list]) => [name, name === 'rows' ? Math.max(...list) : middle(list)]),
    ),
    ...Object.fromEntries(Object.entries(attributes).map(([name, list]) => [name, list[0]])),
    optional: optional.at(-1),
    ...(sequences ? { sequences: sequences.at(-1) } : {}),
  };
  const variant = (choice: Choice, fillers: Fillers = {}) => ({
    ...shapeOf(op, spec, format, choice),
    phase,
    fillers: { ...spec.operands, ...fillers },
  });
  const named = (name: string, shown: Omit<Variant, 'name'>): Variant => ({
    ...shown,
    name: spec.phases ? `${name}, ${phase}` : name,
  });
  const prefix = spec.prefix === undefined ? '' : `${spec.prefix}: `;
  return [
    ...walked.map((choice) => named(spec.title ?? describe(choice), variant(choice))),
    ...Object.entries(spec.edges ?? {}).map(([fact, fillers]) =>
      named(prefix + fact, variant(edge, fillers)),
    ),
    ...(spec.edges ? meetings(op, variant(edge)).map(([fact, shown]) => named(prefix + fact, shown)) : []),
  ];
}

function shapeOf(op: OpDeclaration, spec: CasesSpec, format: WeightFormatName | undefined, choice: Choice) {
  const attributes: Record<string, AttributeValue> = {};
  const sizes: Record<string, number> = {};
  for (const [name, declared] of Object.entries(op.attributes)) {
    const value = (choice[name] as AttributeValue | undefined) ?? declared.default;
    if (value === undefined) throw new TypeError(`cases of ${op.name} need values of ${name}`);
    attributes[name] = value;
    if (declared.type === 'integer') sizes[name] = value as number;
  }
  for (const name of Object.keys(spec.sizes)) sizes[name] = choice[name] as number;
  const sequences = (choice.sequences as readonly number[] | undefined) ?? [sizes.rows ?? 0];
  if (spec.sequences) sizes.rows = sequences.reduce((sum, rows) => sum + rows, 0);
  const present = choice.optional as readonly string[];
  const operands = Object.keys(op.inputs).filter(
    (input) => !op.inputs[input]!.optional || present.includes(input),
  );
  return { sequences, shape: { op, sizes: sizes as Sizes, attributes, operands, format } };
}

/** Programs in which buffers meet: an operand that is computed, one that is needed later, one used twice. */
function meetings(
  op: OpDeclaration,
  { shape, ...rest }: Omit<Variant, 'name'>,
): [fact: string, variant: Omit<Variant, 'name'>][] {
  const changed = (change: Partial<CallShape>) => ({ ...rest, shape: { ...shape, ...change } });
  const [first, ...others] = shape.operands.filter((name) => op.inputs[name]!.kind === 'activation');
  const twins = others.filter((name) => `${op.inputs[name]!.extents}` === `${op.inputs[first!]!.extents}`);
  const sameAs = Object.fromEntries(twins.map((name) => [name, first!]));
  const facts = op.mayAlias.flatMap((name): [string, Omit<Variant, 'name'>][] => [
    [`${name} may give its buffer to the result`, changed({ computed: [name] })],
    [`${name} keeps its value where it is needed later`, changed({ computed: [name], kept: [name] })],
  ]);
  if (twins.length > 0)
    facts.push([`${[first, ...twins].join(' and ')} may be one value`, changed({ sameAs })]);
  return facts;
}

/** The name of a case by what was chosen: `rows 3, cols 64, epsilon 0.000001`. */
function describe({ optional, ...chosen }: Choice): string {
  const parts = Object.entries(chosen).map(
    ([name, value]) => `${name} ${Array.isArray(value) ? value.join('+') : value}`,
  );
  const present = optional as readonly string[];
  return [...parts, ...(present.length > 0 ? [`with ${present.join(' and ')}`] : [])].join(', ');
}

const middle = <T>(list: readonly T[]): T => list[list.length >> 1]!;
