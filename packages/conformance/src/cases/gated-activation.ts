import { ops } from '@pocketllm/abi';
import { extremesOf, filled, normal, scaled } from '../data/filler.js';
import { floatsOf } from './case.js';
import { casesFor } from './cases-for.js';
import { around } from './lists.js';

export const gatedActivationCases = (['silu', 'gelu_tanh'] as const).flatMap((name) =>
  casesFor(ops.gated_activation, {
    sizes: { rows: [1, 3, 5], cols: around(4, 64, 1024) },
    attributes: { function: [name] },
    operands: { gate: scaled(3) },
    terms: {
      out: (call) => {
        const gate = floatsOf(call, 'gate');
        const up = floatsOf(call, 'up');
        return (i) => ({ functions: Math.abs(gate[i]! * up[i]!) });
      },
    },
    prefix: name,
    edges: {
      ...extremesOf('gate', 'up'),
      'a closed gate gives zero and not NaN': { gate: filled(-1e4), up: normal },
    },
  }),
);
