import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../test/run-command.js';

const chat = (stdin: string, ...flags: string[]) =>
  runCommand(['chat', '--temperature', '0', '--no-think', ...flags], { stdin });

describe('chat through a pipe', () => {
  it('answers line by line, remembers, and keeps stdout for answers', async () => {
    const { code, stdout, stderr } = await chat('My name is Zorban.\n\nWhat is my name?');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([expect.stringContaining('Zorban'), 'Your name is Zorban.', '']);
    expect(stderr).not.toContain('> ');
  });

  it('forgets on /reset and leaves on /exit', async () => {
    const lines = ['My name is Zorban.', '/reset', 'What is my name?', '/exit', 'Who are you?'];
    const { code, stdout } = await chat(lines.join('\n'));
    expect(code).toBe(0);
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stdout).not.toContain('Your name is Zorban.');
  });

  it('takes a system prompt from a flag, and another one from /system', async () => {
    const lines = ['Who are you?', "/system You are Bramo, a ship's cook.", '/reset', 'Who are you?'];
    const { stdout } = await chat(lines.join('\n'), '--system', 'You are Mira, a wise old owl.');
    expect(stdout.split('\n')).toEqual(['I am Mira, a wise old owl.', "I am Bramo, a ship's cook.", '']);
  });

  it('ends with 1 where an answer fails', async () => {
    const { code, stderr } = await chat('word '.repeat(100), '--max-model-len', '64');
    expect(code).toBe(1);
    expect(stderr).toContain('CONTEXT_OVERFLOW');
  });

  it('takes one model', async () => {
    const { code, stderr } = await runCommand(['chat', 'a.gguf', '--model', 'b.gguf']);
    expect(code).toBe(2);
    expect(stderr).toContain('the model is given twice');
  });
});

describe('chat at a terminal', () => {
  /** Types each line once the one before has been answered. */
  async function typed(...lines: string[]) {
    const stdin = new PassThrough();
    const flags = ['chat', '--temperature', '0', '--no-think'];
    return runCommand(flags, {
      stdin,
      terminals: ['stdin', 'stderr'],
      onPrompt: () => stdin.write(lines.shift() ?? '/exit\r'),
    });
  }

  it('asks for lines on stderr', async () => {
    const { code, stdout, stderr } = await typed('What is the capital of France?\r');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The capital of France is Paris.\n' });
    expect(stderr).toContain('/help lists the commands');
    expect(stderr).toContain('> ');
  });

  it('goes on after an answer that fails', async () => {
    const { code, stdout, stderr } = await typed(
      `${'word '.repeat(1100)}\r`,
      'What is the capital of France?\r',
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The capital of France is Paris.\n' });
    expect(stderr).toContain('CONTEXT_OVERFLOW');
  });

  it('says how to leave on the first Ctrl-C, and leaves on the second', async () => {
    const { code, stderr } = await typed('\u0003\u0003');
    expect(code).toBe(130);
    expect(stderr).toContain('Ctrl-C again, or /exit, leaves.');
  });

  it('stops an answer on Ctrl-C, and takes the next line', async () => {
    const stdin = new PassThrough();
    const tale = 'Tell me a tale about a fox named Pip who lives by the river.\r';
    const lines = [tale, 'What is the capital of France?\r'];
    let stopped = false;
    const { code, stdout } = await runCommand(['chat', '--temperature', '0', '--no-think'], {
      stdin,
      terminals: ['stdin', 'stderr'],
      onPrompt: () => stdin.write(lines.shift() ?? '/exit\r'),
      onOutput: () => {
        if (!stopped) stdin.write('\u0003');
        stopped = true;
      },
    });
    expect(code).toBe(0);
    const [begun, next] = stdout.split('\n');
    expect(begun!.length).toBeLessThan(100);
    expect(next).toBe('The capital of France is Paris.');
  });
});
