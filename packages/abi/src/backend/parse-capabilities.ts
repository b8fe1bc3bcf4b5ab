import { PocketError } from '../errors.js';
import { weightFormats } from '../formats/index.js';
import { isOpName, type OpName, ops } from '../ops/index.js';
import { cacheFormats } from './cache.js';
import { type Capabilities, deviceClasses, equalities } from './capabilities.js';
import { claimableOf } from './claimable.js';

/** Says what is wrong where: `field` is not `expected`. */
type Refuse = (field: string, expected: string) => never;

/**
 * Checks the content of a capabilities file. Fails with PLUGIN_INVALID naming the field, or ABI_MISMATCH.
 * Fields, ops and weight formats that this version does not know are passed over, since later ones are additive;
 * the JSON schema refuses them, for authors.
 */
export function parseCapabilities(json: unknown, plugin: string): Capabilities {
  const refuse: Refuse = (field, expected) => {
    throw new PocketError('PLUGIN_INVALID', { plugin, reason: `${field} is not ${expected}` });
  };
  const file = asRecord('the file', json, refuse);
  if (!Number.isSafeInteger(file.abi)) refuse('abi', 'a version of the ABI');
  if (file.abi !== 1) throw new PocketError('ABI_MISMATCH', { plugin, wants: file.abi as number, has: 1 });
  if (typeof file.name !== 'string' || !/^[a-z][a-z0-9-]*$/.test(file.name)) {
    refuse('name', 'lower-case letters, digits and dashes');
  }
  checkList('deviceClasses', file.deviceClasses, deviceClasses, refuse);
  checkList('bitExact', file.bitExact, equalities, refuse);
  const rows = asList('ops', file.ops, refuse).flatMap((entry, index) => {
    const row = asRecord(`ops[${index}]`, entry, refuse);
    const op = typeof row.op === 'string' ? row.op : refuse(`ops[${index}].op`, 'the name of an op');
    return isOpName(op) ? [checkRow(`ops[${index}]`, withKnownFormats(row), op, refuse)] : [];
  });
  return { ...file, ops: rows } as unknown as Capabilities;
}

function withKnownFormats(row: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(row.formats)) return row;
  return { ...row, formats: row.formats.filter((name) => Object.hasOwn(weightFormats, String(name))) };
}

function checkRow(field: string, row: Record<string, unknown>, op: OpName, refuse: Refuse) {
  const claimable = claimableOf(ops[op]);
  for (const [list, allowed] of [
    ['formats', Object.keys(weightFormats)],
    ['caches', cacheFormats],
  ] as const) {
    if (claimable[list]) checkList(`${field}.${list}`, row[list], allowed, refuse);
    else if (row[list] !== undefined) refuse(`${field}.${list}`, `something that ${op} has`);
  }
  for (const [size, limit] of Object.entries(asRecord(`${field}.limits`, row.limits ?? {}, refuse))) {
    const place = `${field}.limits.${size}`;
    if (!claimable.limits.includes(size)) refuse(place, `one of ${claimable.limits.join(', ')}`);
    for (const [bound, value] of Object.entries(asRecord(place, limit, refuse))) {
      if (bound !== 'max' && bound !== 'multipleOf') refuse(`${place}.${bound}`, 'max or multipleOf');
      if (!Number.isSafeInteger(value) || (value as number) < 1) {
        refuse(`${place}.${bound}`, 'a positive integer');
      }
    }
  }
  const attributes = asRecord(`${field}.attributes`, row.attributes ?? {}, refuse);
  for (const [name, values] of Object.entries(attributes)) {
    const place = `${field}.attributes.${name}`;
    const known = Object.hasOwn(claimable.attributes, name);
    if (!known) refuse(place, `a choice of ${op}`);
    checkList(place, values, claimable.attributes[name]!, refuse);
  }
  return row;
}

function asRecord(field: string, value: unknown, refuse: Refuse): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : refuse(field, 'an object');
}

function asList(field: string, value: unknown, refuse: Refuse): unknown[] {
  return Array.isArray(value) ? value : refuse(field, 'a list');
}

function checkList(field: string, value: unknown, allowed: readonly unknown[], refuse: Refuse): void {
  const wrong = asList(field, value, refuse).find((item) => !allowed.includes(item));
  if (wrong !== undefined) refuse(`${field} entry ${String(wrong)}`, `one of ${allowed.join(', ')}`);
}
