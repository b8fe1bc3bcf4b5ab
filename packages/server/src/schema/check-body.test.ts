import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.js';
import { checkBody } from './check-body.js';
import { fieldsOf, refused, reported, supported } from './field.js';

const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('note'), note: z.string() }),
]);
const schema = z.strictObject({
  content: supported(z.union([z.string(), z.array(part)]), 'The content.'),
  count: supported(z.int().min(1).optional(), 'A count.'),
  audio: refused('Audio is not made.'),
  store: reported('Nothing is stored.', [false]),
});

function refusal(body: unknown) {
  try {
    checkBody(schema, body);
  } catch (error) {
    if (error instanceof ApiError) return error.body.error;
  }
  throw new Error('was not refused');
}

describe('checkBody', () => {
  it('passes what is known, and takes null for absent', () => {
    const body = { content: 'a', count: null, audio: null, store: false };
    expect(checkBody(schema, body)).toEqual({ value: { content: 'a', store: false }, warnings: [] });
  });

  it('tells of fields that have no effect, at any depth', () => {
    const body = { content: [{ type: 'text', text: 'a', cache: 1 }], store: true, shiny: {}, __proto__x: 1 };
    const { value, warnings } = checkBody(schema, body);
    expect(value).toEqual({ content: [{ type: 'text', text: 'a' }], store: true });
    expect(warnings).toEqual([
      'store has no effect: nothing is stored.',
      'content[0].cache is not known and was ignored.',
      'shiny is not known and was ignored.',
      '__proto__x is not known and was ignored.',
    ]);
  });

  it('takes away a field named __proto__', () => {
    const { value, warnings } = checkBody(schema, JSON.parse('{"content": "a", "__proto__": {"count": 5}}'));
    expect(value).toEqual({ content: 'a' });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(warnings).toHaveLength(1);
  });

  it.each([
    [{ content: 'a', audio: {} }, 'audio', 'unsupported_parameter'],
    [{ content: 'a', count: 0 }, 'count', 'invalid_value'],
    [{ content: 'a', count: 0.5 }, 'count', 'invalid_value'],
    [{ count: 1 }, 'content', 'missing_required_parameter'],
    [{ content: [{ type: 'text' }] }, 'content[0].text', 'missing_required_parameter'],
    [{ content: [{ type: 'image' }] }, 'content[0].type', 'invalid_value'],
    [{ content: 5 }, 'content', 'invalid_value'],
    ['text', null, 'invalid_value'],
    [null, null, 'invalid_value'],
    [[], null, 'invalid_value'],
  ])('refuses %j, naming the field', (body, param, code) => {
    expect(refusal(body)).toMatchObject({ param, code, type: 'invalid_request_error' });
  });

  it('lists fields with what becomes of them, and insists on that', () => {
    expect(fieldsOf(schema).map(({ name, support }) => `${name}: ${support}`)).toEqual([
      'content: supported',
      'count: supported',
      'audio: refused',
      'store: reported',
    ]);
    expect(() => fieldsOf(z.strictObject({ odd: z.string() }))).toThrow(TypeError);
  });
});
