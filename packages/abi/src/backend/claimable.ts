import { type OpDeclaration, parseExtent } from '../ops/index.js';

/** What a row of a capabilities file may say about an op. */
export interface Claimable {
  /** The row must list formats: of the op's weights, or of what it encodes. */
  readonly formats: boolean;
  /** The row must list cache formats. */
  readonly caches: boolean;
  /** Sizes that may have a limit: extents, the names in them, and integer attributes. */
  readonly limits: readonly string[];
  /** Choice attributes with their values. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

export function claimableOf(op: OpDeclaration): Claimable {
  const specs = [...Object.values(op.inputs), ...Object.values(op.outputs)];
  const limits = specs
    .flatMap(({ extents }) => extents)
    .flatMap((extent) => [...parseExtent(extent).names, extent])
    .filter((extent) => parseExtent(extent).names.length > 0);
  const attributes: Record<string, readonly string[]> = {};
  for (const [name, spec] of Object.entries(op.attributes)) {
    if (spec.type === 'integer') limits.push(name);
    if (spec.type === 'choice') attributes[name] = spec.of;
  }
  return {
    formats: specs.some(({ kind }) => kind === 'weight' || kind === 'encoded'),
    caches: op.usesCache === true,
    limits: [...new Set(limits)],
    attributes,
  };
}
