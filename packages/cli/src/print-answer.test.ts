import { PassThrough } from 'node:stream';
import { Generation, type GenerationPiece, type GenerationResult } from '@pocketllm/runtime';
import { describe, expect, it } from 'vitest';
import { printAnswer, timingsText } from './print-answer.js';
import { Output } from './terminal/output.js';

const result = (finishReason: GenerationResult['finishReason'], generatedTokens = 42): GenerationResult => ({
  text: '',
  reasoning: '',
  tokens: [],
  promptTokens: [],
  finishReason,
  timings: {
    promptTokens: 20,
    promptMs: 400,
    firstTokenMs: 450,
    generatedTokens,
    generationMs: 1300,
    cachedTokens: 0,
    queuedMs: 50,
  },
});

async function printed(pieces: readonly Partial<GenerationPiece>[], isTTY = false) {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const output = new Output({ stdout, stderr, env: {} }, new AbortController().signal);
  const generation = new Generation({
    async *pieces() {
      for (const piece of pieces) yield { text: '', reasoning: '', ...piece };
    },
    snapshot: () => result('stop'),
  });
  await printAnswer(generation, output);
  return { stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

describe('printAnswer', () => {
  it('ends reasoning and text with a line feed each, where they have none', async () => {
    const pieces = [{ reasoning: 'Hm' }, { reasoning: '.' }, { text: 'Yes' }, { text: '.' }];
    expect(await printed(pieces)).toEqual({ stdout: 'Yes.\n', stderr: 'Hm.\n' });
    expect(await printed([{ reasoning: 'Hm.\n', text: 'Yes.\n' }])).toEqual({
      stdout: 'Yes.\n',
      stderr: 'Hm.\n',
    });
  });

  it('prints nothing for an empty answer', async () => {
    expect(await printed([])).toEqual({ stdout: '', stderr: '' });
  });

  it('passes text on as it is into a pipe, and makes it harmless on a terminal', async () => {
    const pieces = [{ text: 'a\u001b[2Jb\n' }];
    expect((await printed(pieces)).stdout).toBe('a\u001b[2Jb\n');
    expect((await printed(pieces, true)).stdout).toBe('a\\u{1b}[2Jb\n');
  });
});

describe('timingsText', () => {
  it('tells rates, and how the answer ended where the model did not end it', () => {
    const figures = '42 tokens in 1.3 s (32.3/s), prompt of 20 in 0.4 s (50.0/s)';
    expect(timingsText(result('stop'))).toBe(figures);
    expect(timingsText(result('length'))).toBe(`cut off after ${figures}`);
    expect(timingsText(result('cancelled'))).toBe(`stopped after ${figures}`);
    expect(timingsText(result('cancelled', 0))).toBe('stopped before the first token');
  });
});
