import { weightFormats } from '../formats/index.js';
import { choice } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation, encoded, optional, vector } from './tensor-spec.js';

const formatNames = Object.keys(weightFormats) as (keyof typeof weightFormats)[];

/**
 * Encodes rows in a weight format, as the ladder does when a model has to become smaller.
 *
 *     out[r, :] = the blocks of `format` that come closest to x[r, :]
 *
 * Closest by squared error, weighted by importance[c] where given. Different encoders may find different
 * blocks; what counts is the error, not the bytes.
 */
export const encode = defineOp({
  name: 'encode',
  number: 21,
  since: 1,
  summary: 'Encodes rows in a weight format, with importance weights where given.',
  formula: 'out[r, :] = the blocks of format closest to x[r, :]',
  inputs: { x: activation('rows', 'cols'), importance: optional(vector('cols')) },
  outputs: { out: encoded('rows', 'cols') },
  attributes: { format: choice(...formatNames) },
  mayAlias: [],
  tolerance: {},
  cost: { flops: ({ rows, cols }) => rows! * cols! },
});
