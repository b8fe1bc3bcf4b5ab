import { ops, weightFormats } from '@pocketllm/abi';
import { decodeRow } from '@pocketllm/reference';
import { type Filler, normal, scaled, zeros } from '../data/filler.js';
import { type CallData, type Elements, floatsOf, type Judge, type Outputs } from './case.js';
import { casesFor } from './cases-for.js';
import { shapeFault } from './judges.js';
import { storedFormats } from './lists.js';

/** How much more weighted squared error than the reference's an encoder may leave in a row. */
const slack = 1.25;

/** A few columns count a thousand times as much as the others. */
const uneven: Filler = ({ count, random }) =>
  Float32Array.from({ length: count }, () => (random.below(8) === 0 ? 1 : 1e-3) * (0.5 + random.unit()));
const oneOutlierABlock: Filler = (context) =>
  normal(context).map((value, i) => (i % 64 === 9 ? value * 30 : value));

export const encodeCases = storedFormats.flatMap((format) => {
  const { block, importance } = weightFormats[format];
  const always = importance === 'required' ? ['importance'] : [];
  return casesFor(ops.encode, {
    sizes: {
      rows: [1, 3],
      cols: block.weights === 1 ? [33, 256] : [Math.max(block.weights, 64), block.weights * 2],
    },
    attributes: { format: [format] },
    optional: [always, ['importance']],
    operands: { importance: uneven },
    judges: { out: weightedError },
    finiteOnly: true,
    edges: {
      'zeros come back as zeros': { x: zeros },
      'values of the size of weights': { x: scaled(0.02) },
      'an outlier in a block': { x: oneOutlierABlock },
    },
  });
});

/** Encoders differ in the blocks that they find; what counts is how close those come to the row. */
function weightedError(call: CallData, expected: Outputs): Judge {
  const { rows, cols } = call.sizes as { rows: number; cols: number };
  const format = call.attributes.format as keyof typeof weightFormats;
  const x = floatsOf(call, 'x');
  const importance = call.inputs.importance;
  const errorsOf = (bytes: Elements) => {
    const decoded = new Float32Array(rows * cols);
    decodeRow(format, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), decoded);
    return Array.from({ length: rows }, (_, r) => {
      let error = 0;
      for (let c = 0; c < cols; c++) {
        error += (importance?.[c] ?? 1) * (x[r * cols + c]! - decoded[r * cols + c]!) ** 2;
      }
      return error;
    });
  };
  const allowed = errorsOf(expected.out!).map((error, r) => {
    let size = 0;
    for (let c = 0; c < cols; c++) size += (importance?.[c] ?? 1) * x[r * cols + c]! ** 2;
    return slack * error + 2 ** -40 * size;
  });
  return (actual) => {
    const shape = shapeFault(expected.out!, actual);
    if (shape) return shape;
    const errors = errorsOf(actual);
    const row = errors.findIndex((error, r) => !(error <= allowed[r]!));
    if (row === -1) return undefined;
    return `row ${row} has a weighted squared error of ${errors[row]}, allowed ${allowed[row]}`;
  };
}
