import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import {
  addDeviceOptions,
  addGenerationOptions,
  generationOptions,
  integerFrom,
  numberFrom,
} from './options.js';

describe('numbers', () => {
  it.each([
    ['0', 0],
    ['1e3', 1000],
    ['+7', 7],
  ])('takes %s for an integer', (text, value) => {
    expect(integerFrom(0)(text)).toBe(value);
  });

  it.each(['', ' ', 'x', '1x', '0x10', '1.5', '-1', 'NaN', 'Infinity', '9007199254740993', '1e400'])(
    'refuses "%s" as a count',
    (text) => {
      expect(() => integerFrom(0)(text)).toThrow('It takes an integer of at least 0');
    },
  );

  it.each(['.5', '0', '1', '1.', '5e-1'])('takes %s for a share', (text) => {
    expect(numberFrom(0, 1)(text)).toBe(Number(text));
  });

  it.each(['1.01', '-0.1', 'half', '1,5', '1e999'])('refuses "%s" as a share', (text) => {
    expect(() => numberFrom(0, 1)(text)).toThrow('It takes a number from 0 to 1');
  });
});

describe('flags', () => {
  const parse = (...argv: string[]) =>
    addDeviceOptions(addGenerationOptions(new Command().exitOverride().configureOutput({ outputError() {} })))
      .parse(argv, { from: 'user' })
      .opts();

  it('keep their spellings', () => {
    const argv =
      '--system s --think --max-tokens 5 --temperature 0.5 --top-k 3 --top-p 0.9 --min-p 0.1 --seed -4 --stop a --stop b ' +
      '--ignore-eos --backend b --device d --threads 2 --max-model-len 64 --kv-cache-dtype q8_0';
    expect(parse(...argv.split(' '))).toEqual({
      system: 's',
      think: true,
      maxTokens: 5,
      temperature: 0.5,
      topK: 3,
      topP: 0.9,
      minP: 0.1,
      seed: -4,
      stop: ['a', 'b'],
      ignoreEos: true,
      backend: 'b',
      device: 'd',
      threads: 2,
      maxModelLen: 64,
      kvCacheDtype: 'q8_0',
    });
  });

  it('that are left out leave the choice to the library', () => {
    expect(generationOptions(parse())).toEqual({});
    expect(parse().think).toBeUndefined();
    expect(parse('--no-think').think).toBe(false);
  });

  it('refuse a cache format that does not exist', () => {
    expect(() => parse('--kv-cache-dtype', 'q4_0')).toThrow(/Allowed choices are f16, f32, q8_0/);
  });
});
