import { describe, expect, it } from 'vitest';
import { positiveInteger } from './attribute-spec.js';
import { defineOp, type OpDeclaration } from './define-op.js';
import { activation } from './tensor-spec.js';

const sound = {
  ...{ name: 'sample', number: 99, since: 1, summary: 'A sample.', formula: 'out = x' },
  inputs: { x: activation('rows', 'cols') },
  outputs: { out: activation('rows', 'cols') },
  attributes: { k: positiveInteger },
  mayAlias: [],
  tolerance: {},
  cost: { flops: () => 0 },
} satisfies OpDeclaration;

describe('defineOp', () => {
  it('freezes a sound declaration', () => {
    expect(Object.isFrozen(defineOp(sound))).toBe(true);
  });

  it('takes an output size from an attribute', () => {
    expect(() => defineOp({ ...sound, outputs: { out: activation('rows', 'k') } })).not.toThrow();
  });

  it('refuses an output whose size nothing gives', () => {
    const op = { ...sound, outputs: { out: activation('rows', 'width') } };
    expect(() => defineOp(op)).toThrow("sample has no input or attribute that sizes 'width'");
  });

  it('refuses one name for an input and an output, or for an input and an attribute', () => {
    const clash = /one name for two/;
    expect(() => defineOp({ ...sound, outputs: { x: activation('rows', 'cols') } })).toThrow(clash);
    expect(() => defineOp({ ...sound, attributes: { x: positiveInteger } })).toThrow(clash);
  });
});
