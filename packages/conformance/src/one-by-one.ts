import type { Program } from '@pocketllm/abi';
import type { CaseStep, Elements, Outputs } from './cases/case.js';

/**
 * Steps of one sequence each that together do what `step` does; undefined where it has fewer than two sequences, or where
 * not all that it is given goes row by row.
 */
export function oneByOne({ inputs }: Program, step: CaseStep): CaseStep[] | undefined {
  const byRow = step.outputs === 0 && inputs.every(({ dimensions }) => dimensions[0] === 'rows');
  if (!byRow || step.sequences.length < 2) return undefined;
  let from = 0;
  return step.sequences.map((sequence) => {
    const [start, end] = [from, from + sequence.rows];
    from = end;
    const rowsOf = (values: Elements): Elements => {
      const width = values.length / step.rows;
      return values.subarray(start * width, end * width);
    };
    const own = Object.entries(step.inputs).map(
      ([name, values]) => [name, rowsOf(values) as typeof values] as const,
    );
    return { ...step, rows: sequence.rows, sequences: [sequence], inputs: Object.fromEntries(own) };
  });
}

/** What the steps of single sequences gave, as the outputs of one step. */
export function joined(parts: readonly Outputs[]): Outputs {
  const join = (name: string): Elements => {
    const elements = parts.map((part) => part[name]!);
    const Kind = elements[0]!.constructor as new (length: number) => Elements;
    const all = new Kind(elements.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of elements) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  };
  return Object.fromEntries(Object.keys(parts[0]!).map((name) => [name, join(name)]));
}
