import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../schema/field.js';
import { endpoints } from './openapi.js';

const page = readFileSync(
  fileURLToPath(new URL('../../../../docs/reference/openai-api.md', import.meta.url)),
  'utf8',
);

/** The table below the heading of an endpoint, as lines. */
function tableOf(path: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`POST ${path}\n`)) ?? '';
  return section.split('\n').filter((line) => /^\| `/.test(line));
}

describe('the page of the API', () => {
  it.each(endpoints.filter(({ body }) => body))(
    'lists every field of $path as its schema has it',
    ({ path, body }) => {
      expect(tableOf(path)).toEqual(
        fieldsOf(body!).map(({ name, support, note }) => `| \`${name}\` | ${support} | ${note} |`),
      );
    },
  );

  it('names every endpoint', () => {
    for (const { method, path } of endpoints) expect(page).toContain(`${method.toUpperCase()} ${path}`);
  });
});
