import { describe, expect, it } from 'vitest';
import { evaluateExtent, parseExtent, solveExtent } from './extents.js';

const evaluate = (source: string, sizes: Record<string, number>) =>
  evaluateExtent(parseExtent(source), sizes);
const solve = (source: string, value: number, sizes: Record<string, number>) =>
  solveExtent(parseExtent(source), value, sizes);

describe('extents', () => {
  it('list the names they read, in order', () => {
    expect(parseExtent('height*width/size/size').names).toEqual(['height', 'width', 'size', 'size']);
    expect(parseExtent('2').names).toEqual([]);
    expect(parseExtent('rows').isName).toBe(true);
    expect(parseExtent('ceil(cols/32)').isName).toBe(false);
  });

  it.each(['', 'a b', 'a*', '*a', 'a+b', '(a)', 'ceil(a', 'ceil()', 'a**b'])('refuse %j', (source) => {
    expect(() => parseExtent(source)).toThrow(TypeError);
  });

  it('are evaluated from left to right', () => {
    expect(evaluate('heads*headSize', { heads: 4, headSize: 64 })).toBe(256);
    expect(evaluate('height*width/size/size', { height: 4, width: 6, size: 2 })).toBe(6);
  });

  it('have no value where a division leaves a rest or a name is unknown', () => {
    expect(evaluate('cols/groups', { cols: 10, groups: 4 })).toBeUndefined();
    expect(evaluate('cols/groups', { cols: 10 })).toBeUndefined();
  });

  it('round up where they say so', () => {
    expect(evaluate('ceil(cols/32)', { cols: 32 })).toBe(1);
    expect(evaluate('ceil(cols/32)', { cols: 33 })).toBe(2);
  });

  it('are solved for their one unknown name', () => {
    expect(solve('heads*headSize', 256, { heads: 4 })).toEqual({ name: 'headSize', size: 64 });
    expect(solve('cols/groups', 16, { groups: 4 })).toEqual({ name: 'cols', size: 64 });
    expect(solve('cols/groups', 16, { cols: 64 })).toEqual({ name: 'groups', size: 4 });
  });

  it('have no solution where none is whole, several names are unknown, or rounding hides it', () => {
    expect(solve('heads*headSize', 255, { heads: 4 })).toBeUndefined();
    expect(solve('heads*headSize', 256, {})).toBeUndefined();
    expect(solve('ceil(cols/32)', 2, {})).toBeUndefined();
  });
});
