import fc from 'fast-check';
import { type Schema, valuesOf } from './schema-values.js';

/** A request that a client should not have sent, or perhaps should: the server decides. */
export interface OddRequest {
  readonly path: string;
  readonly body: string;
}

/** By path, a request with every usual field. */
export const sound: Readonly<Record<string, object>> = {
  '/v1/chat/completions': {
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: '5' },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
    tool_choice: 'auto',
    temperature: 1,
    top_p: 1,
    max_tokens: 1,
    n: 1,
    stop: ['x'],
    seed: 1,
    logprobs: true,
    top_logprobs: 1,
    logit_bias: { 5: 1 },
    stream: false,
    response_format: { type: 'text' },
    reasoning_effort: 'none',
  },
  '/v1/completions': {
    prompt: 'Hi',
    max_tokens: 1,
    n: 1,
    logprobs: 1,
    stream: true,
    stream_options: { include_usage: true },
  },
  '/tokenize': { prompt: 'Hi', add_special_tokens: true },
  '/detokenize': { tokens: [1, 2] },
};

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, '', 'x', [], {}, [[]], [null], {
    a: 1,
  }),
  fc.constantFrom<unknown>(
    '\ud800',
    '\u0000',
    'a'.repeat(5000),
    [1, 'a'],
    { type: 'text' },
    { role: 'user' },
    '<|im_end|>',
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Every place in a value, as a path. */
function paths(value: unknown, above: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [above];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [above, ...entries.flatMap(([key, inner]) => paths(inner, [...above, key]))];
}

function changed(
  value: unknown,
  path: readonly (string | number)[],
  change: 'replace' | 'remove' | 'add',
  by: unknown,
): unknown {
  const [key, ...rest] = path;
  if (key === undefined) {
    if (change === 'add' && typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ...value, added: by };
    return by;
  }
  const copy = structuredClone(value) as Record<string | number, unknown>;
  if (rest.length === 0 && change === 'remove') {
    if (Array.isArray(copy)) copy.splice(key as number, 1);
    else delete copy[key];
  } else copy[key] = changed(copy[key], rest, change, by);
  return copy;
}

const mutation = fc.constantFrom(...Object.keys(sound)).chain((path) =>
  fc.record({
    path: fc.constant(path),
    at: fc.constantFrom(...paths(sound[path])),
    change: fc.constantFrom('replace' as const, 'remove' as const, 'add' as const),
    by: odd,
    // A cut somewhere makes it no JSON at all.
    cut: fc.option(fc.nat(400), { freq: 8 }),
  }),
);

/** Sound requests with one thing replaced, removed or added, or cut off somewhere. */
export const mutatedRequests: fc.Arbitrary<OddRequest> = mutation.map(({ path, at, change, by, cut }) => {
  const whole = JSON.stringify(changed(sound[path], at, change, by)) ?? '';
  return { path, body: cut === null ? whole : whole.slice(0, cut) };
});

export interface Document {
  readonly paths: Readonly<
    Record<string, { post?: { requestBody?: { content: Record<string, { schema: Schema }> } } }>
  >;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** Requests with any fields that the server's own document names, each of a type that it names, or nearly. */
export function describedRequests(document: Document): fc.Arbitrary<OddRequest> {
  const resolve = (ref: string) => document.components?.schemas?.[ref.split('/').pop()!] ?? {};
  const described = Object.entries(document.paths).flatMap(([path, { post }]) => {
    const schema = post?.requestBody?.content['application/json']?.schema;
    return schema ? [{ path, values: valuesOf(schema, resolve) }] : [];
  });
  return fc.oneof(
    ...described.map(({ path, values }) =>
      values.map((value) => ({ path, body: JSON.stringify(value) ?? '' })),
    ),
  );
}
