import { ops } from '@pocketllm/abi';
import { expect, it } from 'vitest';
import { opSignature } from './op-signature.js';

it('a signature names inputs, attributes with their bounds and defaults, and outputs', () => {
  expect(opSignature(ops.rms_norm)).toBe(
    'rms_norm(x: f32[rows, cols], gain: f32 weight[cols/groups]; epsilon: float > 0; groups: integer >= 1 = 1)' +
      ' -> out: f32[rows, cols]',
  );
});

it('a signature marks what may be left out, and what uses the cache', () => {
  expect(opSignature(ops.matmul)).toContain('bias?: f32 weight[outFeatures]');
  expect(opSignature(ops.attention)).toContain(' with cache -> out: f32[rows, heads*valueSize]');
});
