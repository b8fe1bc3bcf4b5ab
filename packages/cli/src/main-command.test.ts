import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { runCommand } from '../test/run-command.js';
import type { CommandIo } from './command-io.js';
import { main } from './main-command.js';

const commands = ['run', 'chat', 'inspect', 'devices', 'backends', 'architectures', 'ops', 'doctor'];

describe('help', () => {
  it('lists every command on stdout', async () => {
    const { code, stdout, stderr } = await runCommand(['--help']);
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toContain(`  ${command} [`);
    expect(stderr).toBe('');
  });

  it.each(commands)('of %s is on stdout', async (command) => {
    const { code, stdout, stderr } = await runCommand([command, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: pocketllm ${command}`);
    expect(stdout).toContain('--verbose');
  });

  it('is on stderr where no command was given, which is wrong', async () => {
    const { code, stdout, stderr } = await runCommand([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: pocketllm');
    expect(stderr).not.toContain('USAGE');
  });

  it('has the version of the package', async () => {
    expect(await runCommand(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });
});

describe('a wrong command', () => {
  it.each([
    ['an unknown command', ['rum'], "unknown command 'rum'"],
    ['an unknown flag', ['run', '--frobnicate'], "unknown option '--frobnicate'"],
    ['an unknown flag of a listing', ['backends', '--frobnicate'], "unknown option '--frobnicate'"],
    ['too many arguments', ['run', 'a', 'b', 'c'], 'too many arguments'],
    ['a count that is no number', ['run', 'hi', '--max-tokens', 'many'], "'many' is invalid"],
    ['a count below its least', ['run', 'hi', '--max-tokens', '0'], 'an integer of at least 1'],
    ['a number out of its range', ['run', 'hi', '--top-p', '1.5'], 'a number from 0 to 1'],
    ['a flag without its value', ['run', 'hi', '--seed'], 'argument missing'],
    ['a cache format that is none', ['run', 'hi', '--kv-cache-dtype', 'q2_k'], 'Allowed choices'],
    ['a model that is missing', ['run', 'missing.gguf', 'hi'], 'MODEL_NOT_FOUND: path: missing.gguf'],
    ['a model to inspect that is missing', ['inspect', 'missing.gguf'], 'MODEL_NOT_FOUND'],
    ['no model to inspect', ['inspect'], 'there is no model'],
    ['a prompt file that is missing', ['run', '-f', 'missing.txt'], 'missing.txt cannot be read'],
    ['no prompt at all', ['run'], 'there is no prompt'],
    ['a prompt given twice', ['run', '--prompt', 'a', '-f', 'b'], 'given twice'],
    ['a system prompt without a template', ['run', 'hi', '--raw', '--system', 'x'], '--raw turns off'],
    ['a backend that is none', ['run', 'hi', '--backend', 'nope'], 'BACKEND_NOT_FOUND: wanted: nope'],
    ['an op that is none', ['ops', 'frobnicate'], 'there is no op frobnicate'],
  ])('%s ends with 2 and one line that says why', async (_, argv, message) => {
    const { code, stdout, stderr } = await runCommand(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('is an object on stdout, too, with --json', async () => {
    const { code, stdout, stderr } = await runCommand(['run', 'missing.gguf', 'hi', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'MODEL_NOT_FOUND',
        message: stderr.trimEnd(),
        details: { path: 'missing.gguf', reason: 'no such file' },
      },
    });
  });

  it('shows where it comes from with --verbose only', async () => {
    const argv = ['run', 'hi', '--backend', 'nope'];
    expect((await runCommand(argv)).stderr).not.toMatch(/^ +at /m);
    expect((await runCommand([...argv, '--verbose'])).stderr).toMatch(/^ +at /m);
  });
});

describe('standard output', () => {
  const io = (stdout: PassThrough): CommandIo => ({
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    cwd: process.cwd(),
    env: {},
    onInterrupt: () => () => {},
  });
  const failing = (code: string) =>
    new PassThrough({
      transform(_, __, done) {
        done(Object.assign(new Error(`write ${code}`), { code }));
      },
    });

  it('that nobody reads ends the command quietly', async () => {
    const world = io(failing('EPIPE'));
    expect(await main(['ops'], world)).toBe(0);
    expect((world.stderr as PassThrough).read()).toBeNull();
  });

  it('that cannot be written is a failure', async () => {
    const world = io(failing('ENOSPC'));
    expect(await main(['ops'], world)).toBe(1);
    expect(String((world.stderr as PassThrough).read())).toContain(
      'OUTPUT_FAILED: standard output cannot be written',
    );
  });
});
