import {
  type Call,
  type Program,
  rowBytes,
  type Step,
  sizeIn,
  type Value,
  weightFormats,
} from '@pocketllm/abi';

type StepSizes = Pick<Step, 'rows' | 'outputs'>;

/** Where the results of a program's calls are kept. */
export interface SlotPlan {
  /** Bytes of each slot. */
  readonly bytes: readonly number[];
  /** Value name -> index of its slot. */
  readonly slotOf: ReadonlyMap<string, number>;
}

/** Bytes of a value in a step of these sizes. */
export function valueBytes({ type, dimensions }: Value, step: StepSizes): number {
  const sizes = dimensions.map((dimension) => sizeIn(step, dimension));
  const elements = sizes.reduce((product, size) => product * size, 1);
  if (type === 'f32' || type === 'i32') return elements * 4;
  const row = sizes.at(-1)!;
  return row === 0 ? 0 : (elements / row) * rowBytes(weightFormats[type], row)!;
}

/**
 * Gives every value of the program a slot that nothing else uses while the value is needed: from the call
 * that defines it to the last that reads it, or to the end of the step where it is an output.
 */
export function planSlots(program: Program, largest: StepSizes): SlotPlan {
  const values = new Map(program.values.map((value) => [value.name, value]));
  const lastUse = new Map<string, number>();
  program.calls.forEach((call, index) => {
    for (const name of [...Object.values(call.outputs), ...Object.values(call.inputs)]) {
      lastUse.set(name, index);
    }
  });
  for (const name of Object.values(program.outputs)) lastUse.set(name, program.calls.length);

  const bytes: number[] = [];
  const free = new Set<number>();
  const slotOf = new Map<string, number>();
  program.calls.forEach((call, index) => {
    const results = Object.values(call.outputs);
    for (const name of results) {
      const needed = valueBytes(values.get(name)!, largest);
      const fits = [...free].filter((slot) => bytes[slot]! >= needed).sort((a, b) => bytes[a]! - bytes[b]!);
      const slot = fits[0] ?? bytes.push(needed) - 1;
      free.delete(slot);
      slotOf.set(name, slot);
    }
    for (const name of new Set([...results, ...Object.values(call.inputs)])) {
      const slot = slotOf.get(name);
      if (slot !== undefined && lastUse.get(name) === index) free.add(slot);
    }
  });
  return { bytes, slotOf };
}

/** The calls that the wanted outputs rest on, and those that write the cache, in order. */
export function callsFor<C extends Call>(calls: readonly C[], wanted: Iterable<string>): C[] {
  const needed = new Set(wanted);
  return calls
    .toReversed()
    .filter((call) => {
      const runs = call.cache !== undefined || Object.values(call.outputs).some((name) => needed.has(name));
      if (runs) for (const name of Object.values(call.inputs)) needed.add(name);
      return runs;
    })
    .toReversed();
}
