import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BackendPlugin } from '@pocketllm/abi';
import reference from '@pocketllm/reference';
import { describe, expect, it } from 'vitest';
import schema from '../report.schema.json' with { type: 'json' };
import { casesOf } from '../src/cases/index.js';
import { type Report, runConformance } from '../src/index.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}

const definitions: Readonly<Record<string, Schema>> = schema.$defs;
const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => Number.isFinite(value),
  integer: Number.isSafeInteger,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Where a value breaks a schema, by as much of JSON schema as the report's uses. */
function faultsOf(value: unknown, wanted: Schema, place = 'report'): string[] {
  if (wanted.$ref) return faultsOf(value, definitions[wanted.$ref.replace('#/$defs/', '')]!, place);
  if (wanted.type && !types[wanted.type]!(value)) return [`${place} is no ${wanted.type}`];
  if ('const' in wanted && value !== wanted.const) return [`${place} is not ${wanted.const}`];
  if (wanted.enum && !wanted.enum.includes(value)) return [`${place} is not one of ${wanted.enum}`];
  if (wanted.minimum !== undefined && (value as number) < wanted.minimum) return [`${place} is too small`];
  if (wanted.items) {
    return (value as unknown[]).flatMap((item, i) => faultsOf(item, wanted.items!, `${place}[${i}]`));
  }
  if (wanted.type !== 'object') return [];
  const missing = (wanted.required ?? []).filter((name) => !Object.hasOwn(value as object, name));
  return [
    ...missing.map((name) => `${place}.${name} is missing`),
    ...Object.entries(value as object).flatMap(([name, member]) => {
      const known = wanted.properties?.[name] ?? wanted.additionalProperties;
      if (known === false || known === undefined) return [`${place}.${name} is not described`];
      return known === true ? [] : faultsOf(member, known, `${place}.${name}`);
    }),
  ];
}

describe('the report', () => {
  it('is as its schema says, for what passes, fails and is skipped', async () => {
    const failing: BackendPlugin = { ...reference, probe: () => Promise.reject(new Error('no driver')) };
    const only = ['plugin', 'cases › add', 'cancel ›', 'claims › add'];
    for (const plugin of [reference, failing]) {
      const report = await runConformance({ plugin, only, package: { name: 'p', version: '1.0.0' } });
      expect(faultsOf(JSON.parse(JSON.stringify(report)), schema)).toEqual([]);
    }
  });

  it('a schema that is broken shows', () => {
    expect(faultsOf({ schema: 2 }, schema)).toEqual(
      expect.arrayContaining(['report.kit is missing', 'report.schema is not 1']),
    );
  });

  it('a plugin without a device has not passed, though nothing failed', async () => {
    const plugin: BackendPlugin = { ...reference, probe: async () => ({ devices: [], reason: 'no card' }) };
    const report = await runConformance({ plugin });
    expect(report).toMatchObject({ passed: false, missing: 'no card', counts: { failed: 0 }, devices: [] });
  });

  it('a backend that never answers fails in time, and the tests after it run', async () => {
    const plugin: BackendPlugin = {
      ...reference,
      async open(id) {
        const backend = await reference.open(id);
        return Object.assign(Object.create(backend), {
          device: backend.device,
          prepare: () => new Promise(() => {}),
          memory: () => backend.memory(),
          close: () => backend.close(),
        });
      },
    };
    const report = await runConformance({ plugin, only: ['cases › patches'], timeoutMs: 200 });
    expect(report.counts).toMatchObject({ failed: casesOf.patches.length });
    expect(report.tests[0]?.reason).toContain('no answer within 0.2 seconds');
  });
});

describe('the support table', () => {
  it('knows every op and format that the kit has cases for, on the reference', () => {
    const path = fileURLToPath(new URL('../../../docs/reference/generated/support.json', import.meta.url));
    const devices = JSON.parse(readFileSync(join(path), 'utf8')) as (Report['devices'][number] & {
      backend: string;
    })[];
    const { support } = devices.find(({ backend }) => backend === 'reference')!;
    const listed = support.map(({ op, format }) => `${op} ${format}`);
    const there = Object.values(casesOf).flatMap((cases) => cases.map(({ op, format }) => `${op} ${format}`));
    expect([...new Set(there)].sort()).toEqual([...listed].sort());
    expect(support.filter(({ failed }) => failed > 0)).toEqual([]);
  });
});
