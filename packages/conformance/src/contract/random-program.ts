import {
  checkCapabilities,
  type DeviceInfo,
  type Program,
  type ProgramBuilder,
  recordProgram,
  type Value,
} from '@pocketllm/abi';
import { refusal } from '../claims.js';
import { gains } from '../data/filler.js';
import { Random } from '../data/random.js';

export const programWidth = 48;

interface Ingredients {
  readonly p: ProgramBuilder;
  /** One of the values that are there. */
  readonly any: () => Value;
  readonly gain: () => ReturnType<ProgramBuilder['weight']>;
}

type Recipe = (from: Ingredients) => Value;

/** Calls that keep values of ordinary size, whatever they are given. */
const recipes: readonly Recipe[] = [
  ({ p, any }) => p.scale(p.add(any(), any()), { factor: 0.5 }),
  ({ p, any }) => p.softcap(p.multiply(any(), any()), { cap: 4 }),
  ({ p, any }) => p.softcap(any(), { cap: 3 }),
  ({ p, any }) => p.scale(any(), { factor: -0.75 }),
  ({ p, any }) => p.activation(any(), { function: 'silu' }),
  ({ p, any }) => p.softcap(p.gatedActivation(any(), any(), { function: 'silu' }), { cap: 4 }),
  ({ p, any, gain }) => p.rmsNorm(p.add(any(), any()), gain(), { epsilon: 0.1 }),
];

export interface RandomProgram {
  readonly program: Program;
  readonly weights: Readonly<Record<string, Uint8Array>>;
}

/**
 * A program of some dozens of calls over values of one shape, each of which may be read again at any time:
 * who gives a buffer away too early computes something else. Undefined where the device claims too few ops.
 */
export function randomProgram(device: DeviceInfo, seed: string): RandomProgram | undefined {
  const usable = recipes.filter((recipe) => {
    const program = mix([recipe], 1, new Random(seed)).program;
    return !refusal(() => checkCapabilities(program, device.capabilities, device.id));
  });
  return usable.length > 1 ? mix(usable, 24, new Random(seed)) : undefined;
}

function mix(usable: readonly Recipe[], calls: number, random: Random): RandomProgram {
  const weights: Record<string, Uint8Array> = {};
  const program = recordProgram((p) => {
    const values = ['x', 'y'].map((name) => p.input(name, 'f32', ['rows', programWidth]));
    const any = () => values[random.below(values.length)]!;
    const gain = () => {
      const name = `gain.${Object.keys(weights).length}`;
      const floats = gains({ count: programWidth, random, sizes: {}, attributes: {}, values: {} });
      weights[name] = new Uint8Array(floats.buffer);
      return p.weight(name, 'f32', [programWidth]);
    };
    for (let i = 0; i < calls; i++) values.push(usable[random.below(usable.length)]!({ p, any, gain }));
    p.output('last', values.at(-1)!);
    for (let i = 0; i < 3; i++) p.output(`some ${i}`, any());
  });
  return { program, weights };
}
