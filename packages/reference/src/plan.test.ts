import { type Program, recordProgram } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { callsFor, planSlots, valueBytes } from './plan.js';

const largest = { rows: 10, outputs: 2 };

describe('planSlots', () => {
  it('uses two slots in turn for a chain, however long', () => {
    const chain = recordProgram((p) => {
      let x = p.input('x', 'f32', ['rows', 3]);
      for (let i = 0; i < 50; i++) x = p.scale(x, { factor: 2 });
      p.output('out', x);
    });
    expect(planSlots(chain, largest).bytes).toEqual([120, 120]);
  });

  it('never gives a value a slot that still holds one which is needed', () => {
    const program = recordProgram((p) => {
      const x = p.input('x', 'f32', ['rows', 4]);
      const early = p.scale(x, { factor: 2 });
      p.output('early', early);
      const { values, ids } = p.topK(early, { k: 2 });
      let y = p.add(values, values);
      for (let i = 0; i < 5; i++) y = p.add(y, values);
      p.output('sum', y);
      p.output('ids', ids);
      const picked = p.selectRows(y, p.input('selection', 'i32', ['outputs']));
      p.output('picked', p.matmul(picked, p.weight('w', 'f32', [100, 2])));
    });
    expectNoOverlap(program);
  });

  it('takes the smallest free slot that is large enough', () => {
    const program = recordProgram((p) => {
      const x = p.input('x', 'f32', ['rows', 4]);
      const wide = p.matmul(x, p.weight('wide', 'f32', [100, 4]));
      const small = p.matmul(wide, p.weight('small', 'f32', [2, 100]));
      const again = p.scale(small, { factor: 2 }); // only the wide slot is free, and does
      p.output('out', p.scale(again, { factor: 2 })); // the small one is free again
    });
    const { bytes, slotOf } = planSlots(program, largest);
    expect(bytes).toEqual([4000, 80]);
    expect(program.values.map(({ name }) => slotOf.get(name))).toEqual([0, 1, 0, 1]);
  });
});

/** Walks the calls with the slots as memory: whatever is read must still be what was written there. */
function expectNoOverlap(program: Program): void {
  const { bytes, slotOf } = planSlots(program, largest);
  const values = new Map(program.values.map((value) => [value.name, value]));
  const held = new Map<number, string>();
  const expectHeld = (name: string) => {
    const slot = slotOf.get(name);
    if (slot !== undefined) expect(held.get(slot)).toBe(name);
  };
  for (const call of program.calls) {
    for (const name of Object.values(call.outputs)) {
      const slot = slotOf.get(name)!;
      held.set(slot, name);
      expect(bytes[slot]).toBeGreaterThanOrEqual(valueBytes(values.get(name)!, largest));
    }
    for (const name of [...Object.values(call.inputs), ...Object.values(call.outputs)]) expectHeld(name);
  }
  for (const name of Object.values(program.outputs)) expectHeld(name);
}

describe('valueBytes', () => {
  it('follows the step, and counts encoded rows in blocks', () => {
    const step = { rows: 3, outputs: 0 };
    expect(valueBytes({ name: 'v', type: 'f32', dimensions: ['rows', 5] }, step)).toBe(60);
    expect(valueBytes({ name: 'v', type: 'i32', dimensions: ['outputs', 5] }, step)).toBe(0);
    expect(valueBytes({ name: 'v', type: 'q8_0', dimensions: ['rows', 64] }, step)).toBe(3 * 2 * 34);
    expect(valueBytes({ name: 'v', type: 'q8_0', dimensions: ['outputs', 64] }, step)).toBe(0);
  });
});

describe('callsFor', () => {
  const program = recordProgram((p) => {
    const x = p.input('x', 'f32', ['rows', 4]);
    const cache = p.cache('layer.0', { kvHeads: 1, headSize: 4, valueSize: 4 });
    const q = p.scale(x, { factor: 2 });
    const attended = p.attention(q, x, x, cache, { heads: 1, kvHeads: 1, scale: 1 });
    p.output('soft', p.softcap(attended, { cap: 5 }));
    p.output('sum', p.add(x, x));
  });
  const opsFor = (...wanted: string[]) =>
    callsFor(
      program.calls,
      wanted.map((name) => program.outputs[name]!),
    ).map(({ op }) => op);

  it('keeps what an output rests on, and what writes the cache, in order', () => {
    expect(opsFor('soft')).toEqual(['scale', 'attention', 'softcap']);
    expect(opsFor('sum')).toEqual(['scale', 'attention', 'add']);
    expect(opsFor()).toEqual(['scale', 'attention']);
  });
});
