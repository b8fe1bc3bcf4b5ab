import type { AttributeSpec, OpDeclaration, TensorSpec } from '@pocketllm/abi';

/** `rms_norm(x: f32[rows, cols], gain: vector[cols/groups]; epsilon: float > 0) -> out: f32[rows, cols]` */
export function opSignature(op: OpDeclaration): string {
  const inputs = tensors(op.inputs);
  const attributes = Object.entries(op.attributes).map(([name, spec]) => `${name}: ${attributeText(spec)}`);
  const cache = op.usesCache ? ' with cache' : '';
  return `${op.name}(${[inputs, ...attributes].join('; ')})${cache} -> ${tensors(op.outputs)}`;
}

const tensors = (specs: Readonly<Record<string, TensorSpec>>) =>
  Object.entries(specs)
    .map(
      ([name, spec]) => `${name}${spec.optional ? '?' : ''}: ${kinds[spec.kind]}[${spec.extents.join(', ')}]`,
    )
    .join(', ');

const kinds: Readonly<Record<TensorSpec['kind'], string>> = {
  activation: 'f32',
  indices: 'i32',
  vector: 'f32 weight',
  weight: 'weight',
  encoded: 'encoded',
};

function attributeText(spec: AttributeSpec): string {
  const fallback = spec.default === undefined ? '' : ` = ${spec.default}`;
  if (spec.type === 'choice') return `${spec.of.join(' | ')}${fallback}`;
  if (spec.type === 'integer') return `integer >= ${spec.from}${fallback}`;
  return `float${spec.above === undefined ? '' : ` > ${spec.above}`}${fallback}`;
}
