import { permittedRounding, roundedSum } from '../tolerance.js';
import { type CallData, floatsOf } from './case.js';

/** What the error of one dot product of a row of x and a row of a weight grows from. */
interface DotTerms {
  readonly length: number;
  readonly absolute: number;
  readonly rounded: number;
}

/** Terms of row `row` of x times row `weightRow` of the weight; rows are `inFeatures` long. */
export function dotTerms(call: CallData): (row: number, weightRow: number) => DotTerms {
  const x = floatsOf(call, 'x');
  const weight = floatsOf(call, 'weight');
  const length = call.sizes.inFeatures!;
  const roundings = new Map<number, Float64Array>();
  return (row, weightRow) => {
    let rounding = roundings.get(row);
    if (!rounding) {
      rounding = permittedRounding(call.format!, x, row * length, length);
      roundings.set(row, rounding);
    }
    let absolute = 0;
    for (let i = 0; i < length; i++)
      absolute += Math.abs(weight[weightRow * length + i]! * x[row * length + i]!);
    return { length, absolute, rounded: roundedSum(weight, weightRow * length, rounding) };
  };
}
