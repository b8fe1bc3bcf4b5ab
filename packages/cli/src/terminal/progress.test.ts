import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Progress } from './progress.js';

const stream = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });
const written = (from: PassThrough) => String(from.read() ?? '');

describe('Progress', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('says nothing in the first second', () => {
    const terminal = stream(true);
    const progress = new Progress(terminal, 'Loading');
    vi.advanceTimersByTime(900);
    progress.update(1, 4);
    progress.end();
    expect(written(terminal)).toBe('');
  });

  it('shows the share after that, and takes the line away at the end', () => {
    const terminal = stream(true);
    const progress = new Progress(terminal, 'Loading');
    vi.advanceTimersByTime(1100);
    progress.update(1, 4);
    expect(written(terminal)).toContain('Loading [######------------------]  25 % 1.1 s');
    progress.end();
    progress.end();
    expect(written(terminal)).toBe('\r\u001b[K');
  });

  it('shows the time alone where there are no figures', () => {
    const terminal = stream(true);
    const progress = new Progress(terminal, 'Reading the prompt');
    vi.advanceTimersByTime(1200);
    expect(written(terminal)).toContain('Reading the prompt 1.2 s');
    progress.end();
  });

  it('says nothing into a pipe', () => {
    const pipe = stream(false);
    const progress = new Progress(pipe, 'Loading');
    vi.advanceTimersByTime(5000);
    progress.update(1, 4);
    progress.end();
    expect(written(pipe)).toBe('');
  });
});
