import { expect, it } from 'vitest';
import { runConformance } from '../src/index.js';
import { roughBackend } from './rough-backend.js';

/** Every rule of the tolerance, in the formats that it tells apart. */
const only = [
  ...['rms_norm', 'layer_norm', 'activation', 'softcap', 'route_experts', 'attention_full'],
  ...['f32', 'bf16', 'q8_0', 'q4_k'].flatMap((format) => [
    `cases › matmul › ${format}`,
    `model › ${format}: its`,
  ]),
  ...['attention › f16', 'attention › q8_0', 'matmul_experts › bf16', 'matmul_experts › q8_0', 'recorded'],
];

it('a backend that is as rough as the ABI permits passes', async () => {
  const { tests, counts } = await runConformance({ plugin: roughBackend, only });
  expect(tests.filter(({ result }) => result === 'failed')).toEqual([]);
  expect(counts.passed).toBeGreaterThan(300);
}, 120_000);
