import { weightFormats } from '../formats/index.js';
import { type OpDeclaration, ops } from '../ops/index.js';
import { cacheFormats } from './cache.js';
import { deviceClasses, equalities } from './capabilities.js';
import { claimableOf } from './claimable.js';

/**
 * The JSON schema of `pocketllm.backend.json`, for editors and authors. The package ships it as
 * `@pocketllm/abi/schema.json`.
 */
export function capabilitiesSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Capabilities of a PocketLLM backend',
    description: 'What a backend runs, readable on any machine without running its code.',
    ...object(
      {
        $schema: { type: 'string' },
        abi: { const: 1, description: 'The version of the ABI that the backend was built for.' },
        name: {
          type: 'string',
          pattern: '^[a-z][a-z0-9-]*$',
          description: 'The name that --backend takes.',
        },
        deviceClasses: listOf(deviceClasses),
        bitExact: {
          ...listOf(equalities),
          description:
            'Results that are equal bit for bit: whoever shares a step (batch), however a prompt is cut ' +
            '(chunks), whichever pages hold a sequence (pages), on any number of threads (threads).',
        },
        ops: {
          type: 'array',
          description: 'Several rows may name one op; one that fits is enough.',
          items: { anyOf: Object.values<OpDeclaration>(ops).map(rowOf) },
        },
      },
      ['abi', 'name', 'deviceClasses', 'bitExact', 'ops'],
    ),
    $defs: {
      formats: listOf(Object.keys(weightFormats)),
      caches: listOf(cacheFormats),
      limit: object({
        max: { type: 'integer', minimum: 1 },
        multipleOf: { type: 'integer', minimum: 1 },
      }),
    },
  };
}

function rowOf(op: OpDeclaration): object {
  const { formats, caches, limits, attributes } = claimableOf(op);
  const properties: Record<string, object> = { op: { const: op.name, description: op.summary } };
  const lists = [...(formats ? ['formats'] : []), ...(caches ? ['caches'] : [])];
  for (const list of lists) properties[list] = { $ref: `#/$defs/${list}` };
  properties.limits = object(Object.fromEntries(limits.map((size) => [size, { $ref: '#/$defs/limit' }])));
  properties.attributes = object(
    Object.fromEntries(Object.entries(attributes).map(([name, values]) => [name, listOf(values)])),
  );
  return object(properties, ['op', ...lists]);
}

const object = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
});

const listOf = (values: readonly string[]) => ({ type: 'array', items: { enum: values } });
