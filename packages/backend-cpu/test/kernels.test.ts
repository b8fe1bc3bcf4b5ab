import { describe, expect, it } from 'vitest';
import { capabilities } from '../src/capabilities.js';
import { missingNative, native } from './native.js';

/** Ops of the capabilities file that run on the kernels of another. */
const kernelsOf: Readonly<Record<string, string>> = { matmul_experts: 'matmul', attention_full: 'attention' };

describe.skipIf(missingNative !== undefined)(`kernels (${missingNative ?? 'built'})`, () => {
  it.each(missingNative === undefined ? native.builtIsas : [])(
    '%s has one for all that is claimed',
    (isa) => {
      const has = (op: string, format: string) =>
        native.kernels.some((kernel) => kernel.isa === isa && kernel.op === op && kernel.format === format);
      for (const { op, formats, caches } of capabilities.ops) {
        for (const format of formats ?? caches ?? ['f32']) {
          expect(has(kernelsOf[op] ?? op, format), `${op} ${format}`).toBe(true);
        }
      }
    },
  );

  it('are named after op, format, tile and instruction set, each name once', () => {
    const names = new Set(native.kernels.map(({ name }) => name));
    for (const name of names) {
      const kernels = native.kernels.filter((kernel) => kernel.name === name);
      const { op, format } = kernels[0]!;
      const [, isa] = new RegExp(`^${op}_${format}_[rq]\\d+_(\\w+)$`).exec(name) ?? [];
      expect(native.builtIsas, name).toContain(isa);
      // Its own, and those that have none of their own for it.
      expect(new Set(kernels.map((kernel) => kernel.isa)), name).toContain(isa);
      expect(new Set(kernels.map((kernel) => kernel.isa)).size, name).toBe(kernels.length);
    }
  });
});
