import { readFileSync } from 'node:fs';
import { type WeightFormatName, weightFormats } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../../../tests/support/shared.js';
import { decodeRow } from '../formats/index.js';
import { encodeRow } from './encode-row.js';

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
const floatsOf = (base64: string) => new Float32Array(bytesOf(base64).buffer);

function weightedError(
  format: WeightFormatName,
  x: Float32Array,
  bytes: Uint8Array,
  importance?: Float32Array,
): number {
  const out = new Float32Array(x.length);
  decodeRow(format, bytes, out);
  return x.reduce((sum, value, i) => sum + (importance?.[i] ?? 1) * (value - out[i]!) ** 2, 0);
}

/** Formats whose codes follow a rule that leaves no choice: the same bytes are expected. */
const ruled = new Set<string>(['f32', 'f16', 'bf16', 'q8_0', 'q8_1', 'q8_k', 'q1_0']);

const vectors = 'facts/vectors/quantize.json';
describe.skipIf(!hasShared(vectors))('each recorded row (needs ../shared/facts)', () => {
  interface Recorded {
    rows: number;
    cols: number;
    f32: string;
    importance: string;
    encoded: Record<string, { plain?: string; importance?: string }>;
  }
  const recorded: Recorded | undefined = hasShared(vectors)
    ? JSON.parse(readFileSync(sharedPath(vectors), 'utf8'))
    : undefined;
  const cases = Object.entries(recorded?.encoded ?? {}).flatMap(([name, kinds]) =>
    (['plain', 'importance'] as const)
      .filter((kind) => kinds[kind] !== undefined)
      .map((kind) => ({ name, kind, bytes: bytesOf(kinds[kind]!) })),
  );

  it.each(cases)('is encoded no worse in $name, $kind', ({ name, kind, bytes }) => {
    const { rows, cols, f32, importance } = recorded!;
    const format = name.toLowerCase() as WeightFormatName;
    const given = kind === 'importance' ? floatsOf(importance) : undefined;
    const needed = weightFormats[format].importance === 'required';
    for (let r = 0; r < rows; r++) {
      const x = floatsOf(f32).subarray(r * cols, (r + 1) * cols);
      const expected = bytes.subarray((r * bytes.length) / rows, ((r + 1) * bytes.length) / rows);
      const found = encodeRow(format, x, given ?? (needed ? new Float32Array(cols).fill(1) : undefined));
      if (ruled.has(format)) expect(found).toEqual(expected);
      else {
        const bound = weightedError(format, x, expected, given);
        expect(weightedError(format, x, found, given)).toBeLessThanOrEqual(bound);
      }
    }
  });
});

const rows = 'fixtures/quant-rows.json';
describe.skipIf(!hasShared(rows))('the recorded row of the fixtures (needs ../shared/fixtures)', () => {
  const recorded: { src_f32: string; types: Record<string, { raw: string }> } = hasShared(rows)
    ? JSON.parse(readFileSync(sharedPath(rows), 'utf8'))
    : { src_f32: '', types: {} };

  it.each(Object.entries(recorded.types))('is encoded no worse in %s', (name, { raw }) => {
    const x = floatsOf(recorded.src_f32);
    const format = name.toLowerCase() as WeightFormatName;
    const needed = weightFormats[format].importance === 'required';
    const found = encodeRow(format, x, needed ? new Float32Array(x.length).fill(1) : undefined);
    if (ruled.has(format)) expect(found).toEqual(bytesOf(raw));
    else expect(weightedError(format, x, found)).toBeLessThanOrEqual(weightedError(format, x, bytesOf(raw)));
  });
});
