import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../../../tests/support/shared.js';
import { dataFormats, formatOfGgufType, weightFormats } from './index.js';
import { describeUnknownGgufType, removedGgufTypes } from './removed.js';

const formats = Object.entries({ ...weightFormats, ...dataFormats });

describe('the formats', () => {
  it.each(formats)('%s is listed under its own name and found by its GGUF type', (name, format) => {
    expect(format.name).toBe(name);
    expect(formatOfGgufType(format.ggufType)).toBe(format);
  });

  it('have no GGUF type of a format that was removed', () => {
    for (const ggufType of removedGgufTypes.keys()) expect(formatOfGgufType(ggufType)).toBeUndefined();
  });

  it('keep the activation formats apart from those of weights', () => {
    const activations = formats.filter(([, { use }]) => use === 'activations').map(([name]) => name);
    expect(activations).toEqual(['q8_1', 'q8_k']);
  });
});

const vectors = 'facts/vectors/dequant.json';
describe.skipIf(!hasShared(vectors))('the formats against recorded blocks (needs ../shared/facts)', () => {
  interface Recorded {
    ggufType: number;
    weightsPerBlock: number;
    bytesPerBlock: number;
  }
  const types = hasShared(vectors)
    ? Object.entries<Recorded>(JSON.parse(readFileSync(sharedPath(vectors), 'utf8')).types)
    : [];

  it.each(types)('%s has the recorded type and block', (name, recorded) => {
    expect(formatOfGgufType(recorded.ggufType)).toMatchObject({
      name: name.toLowerCase(),
      block: { weights: recorded.weightsPerBlock, bytes: recorded.bytesPerBlock },
    });
  });
});

describe('describeUnknownGgufType', () => {
  it('says why a removed format is not read', () => {
    expect(describeUnknownGgufType(33)).toContain('q4_0_8_8');
    expect(describeUnknownGgufType(4)).toContain('convert the model again');
  });
  it('knows the ids of the fork', () => expect(describeUnknownGgufType(137)).toContain('ik_llama.cpp'));
  it('admits that it does not know', () => expect(describeUnknownGgufType(43)).toContain('not a format'));
});
