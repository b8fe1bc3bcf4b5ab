import { positiveInteger } from './attribute-spec.js';
import { defineOp } from './define-op.js';
import { activation } from './tensor-spec.js';

/**
 * Cuts an image into square patches, one row each, from left to right and top to bottom.
 *
 *     out[py * (width/size) + px, (c * size + y) * size + x] = image[py * size + y, px * size + x, c]
 */
export const patches = defineOp({
  name: 'patches',
  number: 20,
  since: 1,
  summary: 'Cuts an image into square patches, one row each.',
  formula: 'out[py * (width/size) + px, (c * size + y) * size + x] = image[py * size + y, px * size + x, c]',
  inputs: { image: activation('height', 'width', 'channels') },
  outputs: { out: activation('height*width/size/size', 'channels*size*size') },
  attributes: { size: positiveInteger },
  constraints: [
    { left: 'size', relation: 'divides', right: 'height' },
    { left: 'size', relation: 'divides', right: 'width' },
  ],
  mayAlias: [],
  tolerance: {},
  cost: { flops: () => 0 },
});
