import type { Program, Value } from '@pocketllm/abi';

/**
 * A buffer for each value that a call defines. One that nobody reads any more serves the next value of its shape, so
 * a model of many layers needs hardly more than one layer does.
 */
export function assignBuffers(
  program: Program,
  allocate: (value: Value) => ArrayBuffer,
): Map<string, ArrayBuffer> {
  const values = new Map(program.values.map((value) => [value.name, value]));
  const lastUse = new Map<string, number>();
  program.calls.forEach(({ inputs, outputs }, index) => {
    for (const name of [...Object.values(outputs), ...Object.values(inputs)]) lastUse.set(name, index);
  });
  for (const name of Object.values(program.outputs)) lastUse.set(name, program.calls.length);

  const buffers = new Map<string, ArrayBuffer>();
  const free = new Map<string, ArrayBuffer[]>();
  const freeLike = (name: string) => {
    const shape = values.get(name)!.dimensions.join();
    if (!free.has(shape)) free.set(shape, []);
    return free.get(shape)!;
  };
  program.calls.forEach(({ inputs, outputs }, index) => {
    const defined = Object.values(outputs);
    for (const name of defined) buffers.set(name, freeLike(name).pop() ?? allocate(values.get(name)!));
    for (const name of new Set([...defined, ...Object.values(inputs)])) {
      if (values.has(name) && lastUse.get(name) === index) freeLike(name).push(buffers.get(name)!);
    }
  });
  return buffers;
}
