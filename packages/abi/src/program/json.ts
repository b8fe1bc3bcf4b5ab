import { PocketError } from '../errors.js';
import { type WeightFormatName, weightFormats } from '../formats/index.js';
import { isOpName, ops } from '../ops/index.js';
import { ProgramBuilder } from './builder.js';
import type { CacheLayer, Program, Value, Weight } from './program.js';

/** The program as a plain JSON value. Programs hold nothing else, so this is a copy. */
export function programToJson(program: Program): unknown {
  return structuredClone(program);
}

/**
 * Reads a program back by recording it again, so that what arrives as JSON is checked like what is written
 * in code. Fails with PROGRAM_INVALID.
 */
export function programFromJson(json: unknown): Program {
  const source = asRecord('program', json);
  if (source.abi !== 1) throw invalid('program.abi', '1', String(source.abi));
  const builder = new ProgramBuilder();
  const operands = new Map<string, Value | Weight>();
  const caches = new Map<string, CacheLayer>();
  for (const item of asList('inputs', source.inputs)) {
    const { name, type, dimensions } = item;
    if (type !== 'f32' && type !== 'i32') throw invalid(`inputs.${name}`, 'f32 or i32', String(type));
    const input = builder.input(asText('inputs.name', name), type, asDimensions(dimensions));
    operands.set(input.name, input);
  }
  for (const { name, format, dimensions } of asList('weights', source.weights)) {
    if (typeof format !== 'string' || !Object.hasOwn(weightFormats, format)) {
      throw invalid(`weights.${name}`, 'a weight format', String(format));
    }
    const text = asText('weights.name', name);
    const weight = builder.weight(text, format as WeightFormatName, asDimensions(dimensions) as number[]);
    operands.set(weight.name, weight);
  }
  for (const { name, kvHeads, headSize, valueSize } of asList('caches', source.caches)) {
    const shape = { kvHeads, headSize, valueSize } as Omit<CacheLayer, 'name'>;
    const layer = builder.cache(asText('caches.name', name), shape);
    caches.set(layer.name, layer);
  }
  for (const call of asList('calls', source.calls)) {
    const op = asText('calls.op', call.op);
    if (!isOpName(op)) throw invalid('calls.op', 'an op of ABI 1', op);
    const inputs = Object.entries(asNames(`${op}.inputs`, call.inputs)).map(([input, name]) => {
      const operand = operands.get(name);
      if (!operand) throw invalid(`${op}.${input}`, 'a name defined before', name);
      return [input, operand] as const;
    });
    const outputs = asNames(`${op}.outputs`, call.outputs);
    const known = Object.keys(ops[op].outputs);
    const unknown = Object.keys(outputs).find((output) => !known.includes(output));
    if (unknown !== undefined) throw invalid(`${op}.outputs`, `outputs ${known.join(', ')}`, unknown);
    const results = builder.call(
      op,
      Object.fromEntries(inputs),
      asRecord(`${op}.attributes`, call.attributes) as Record<string, string | number>,
      caches.get(String(call.cache)),
      outputs,
    );
    for (const value of Object.values(results)) operands.set(value.name, value);
  }
  for (const [name, target] of Object.entries(asNames('outputs', source.outputs))) {
    const value = operands.get(target);
    if (!value || 'format' in value) throw invalid(`outputs.${name}`, 'a value', target);
    builder.output(name, value);
  }
  return builder.build();
}

function asRecord(where: string, json: unknown): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalid(where, 'an object', json === null ? 'null' : Array.isArray(json) ? 'a list' : typeof json);
  }
  return json as Record<string, unknown>;
}

function asList(where: string, json: unknown): Record<string, unknown>[] {
  if (!Array.isArray(json)) throw invalid(where, 'a list', typeof json);
  return json.map((item, index) => asRecord(`${where}[${index}]`, item));
}

/** An object whose values are names. */
function asNames(where: string, json: unknown): Record<string, string> {
  const record = asRecord(where, json);
  for (const [key, name] of Object.entries(record)) asText(`${where}.${key}`, name);
  return record as Record<string, string>;
}

function asText(where: string, json: unknown): string {
  if (typeof json !== 'string') throw invalid(where, 'a string', typeof json);
  return json;
}

function asDimensions(json: unknown): (number | 'rows' | 'outputs')[] {
  if (!Array.isArray(json)) throw invalid('dimensions', 'a list', typeof json);
  return json as (number | 'rows' | 'outputs')[];
}

function invalid(where: string, expected: string, found: string) {
  return new PocketError('PROGRAM_INVALID', { where, expected, found });
}
