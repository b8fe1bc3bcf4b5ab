import type { z } from 'zod';
import { type ApiError, badRequest } from '../errors/api-error.js';
import { fieldsOf } from './field.js';

type Issue = z.core.$ZodIssue;

export interface CheckedBody<Value> {
  readonly value: Value;
  /** What of the request has no effect, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Checks a body from outside. A field that is null counts as absent, and one that nothing knows is taken away and
 * told of in `warnings`. Throws an ApiError with the first field at fault.
 */
export function checkBody<Schema extends z.ZodObject>(
  schema: Schema,
  body: unknown,
): CheckedBody<z.output<Schema>> {
  const given = withoutNulls(body);
  const warnings: string[] = [];
  let parsed = schema.safeParse(given);
  // Taking unknown fields away can uncover no new ones but within a union, which is as deep as two.
  for (let round = 0; round < 3 && !parsed.success; round++) {
    const issues = parsed.error.issues.flatMap((issue) => leaves(issue, []));
    const fault = issues.find(({ issue }) => issue.code !== 'unrecognized_keys');
    if (fault) throw refusal(fault);
    for (const { issue, path } of issues) {
      for (const key of (issue as z.core.$ZodIssueUnrecognizedKeys).keys) {
        warnings.push(`${fieldName([...path, key])} is not known and was ignored.`);
        delete valueAt(given, path)[key];
      }
    }
    parsed = schema.safeParse(given);
  }
  if (!parsed.success) throw badRequest('The request is not valid.', 'invalid_request');
  return { value: parsed.data, warnings: [...reportedFields(schema, parsed.data), ...warnings] };
}

interface Leaf {
  readonly issue: Issue;
  /** From the root of the body. */
  readonly path: readonly PropertyKey[];
}

/** Of a union, the issues of the alternative that the value comes nearest to. */
function leaves(issue: Issue, above: readonly PropertyKey[]): Leaf[] {
  const path = [...above, ...issue.path];
  if (issue.code !== 'invalid_union') return [{ issue, path }];
  const nearest = issue.errors.find((errors) => errors.every((error) => error.path.length > 0));
  return nearest?.length ? nearest.flatMap((error) => leaves(error, path)) : [{ issue, path }];
}

function refusal({ issue, path }: Leaf): ApiError {
  const param = fieldName(path);
  const code = issue.code === 'custom' ? (issue.params?.code ?? 'invalid_value') : 'invalid_value';
  const isMissing = saysMissing(issue);
  const message = isMissing ? 'it is required' : issue.message;
  return badRequest(
    param === '' ? `The body: ${message}.` : `${param}: ${message.replace(/\.$/, '')}.`,
    isMissing ? 'missing_required_parameter' : code,
    param || undefined,
  );
}

function saysMissing(issue: Issue): boolean {
  if (issue.code === 'invalid_union')
    return issue.errors.length > 0 && issue.errors.flat().every(saysMissing);
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
}

/** `messages[0].content`; names from outside are cut short. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((key, depth) => (typeof key === 'number' ? `[${key}]` : `${depth > 0 ? '.' : ''}${String(key)}`))
    .join('')
    .slice(0, 200);
}

function withoutNulls(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

function reportedFields(schema: z.ZodObject, body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  return fieldsOf(schema).flatMap(({ name, warning }) => {
    const value = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
    return value === undefined ? [] : (warning(value) ?? []);
  });
}

function valueAt(root: unknown, path: readonly PropertyKey[]): Record<string, unknown> {
  let value = root as Record<PropertyKey, unknown>;
  for (const key of path) value = value[key] as Record<PropertyKey, unknown>;
  return value as Record<string, unknown>;
}
