import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../../../tests/support/shared.js';
import { type RunOptions, runCommand } from '../../test/run-command.js';
import { inTreeModel } from '../in-tree-model.js';

const question = 'What is the capital of France?';
const answer = 'The capital of France is Paris.';

/** Of the question through the template, without thinking. */
const promptTokens = [
  4088, 302, 198, 481, 319, 260, 1043, 300, 458, 2896, 30, 4089, 198, 4088, 312, 198, 4090, 283, 4091, 283,
];

/** A process has one backend, so all of these name the same. */
const run = (argv: readonly string[], options?: RunOptions) =>
  runCommand(['run', '--backend', 'reference', ...argv], options);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pocketllm-run-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('run', () => {
  it('prints the answer on stdout, and reasoning, device and figures on stderr', async () => {
    const { code, stdout, stderr } = await run([question, '--temperature', '0']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${answer}\n` });
    expect(stderr).toMatch(/^The user asks .*\n\d+ tokens in .*\/s\), prompt of 16 in .*\/s\)\n$/);
  });

  it.each([
    ['an argument', [question], {}],
    ['the second argument', [inTreeModel(), question], {}],
    ['--prompt', ['--model', inTreeModel(), '--prompt', question], {}],
    ['standard input', [], { stdin: `${question}\n` }],
    ['standard input by its name', ['--prompt-file', '-'], { stdin: question }],
    ['a file', ['-f', 'prompt.txt'], {}],
  ])('takes the prompt from %s', async (_, argv, options) => {
    writeFileSync(join(folder, 'prompt.txt'), `${question}\n`);
    const { stdout } = await run([...argv, '--no-think', '--max-tokens', '1', '--json'], {
      cwd: folder,
      ...options,
    });
    expect(JSON.parse(stdout).promptTokens).toEqual(promptTokens);
  });

  it('prints one object with --json, and nothing else on stdout', async () => {
    const { code, stdout } = await run([question, '--temperature', '0', '--json']);
    expect(code).toBe(0);
    const result = JSON.parse(stdout);
    expect(Object.keys(result)).toEqual([
      ...['text', 'reasoning', 'tokens', 'promptTokens', 'finishReason', 'backend', 'device', 'timings'],
    ]);
    expect(result).toMatchObject({
      text: answer,
      reasoning: expect.stringContaining('capital of France'),
      finishReason: 'stop',
      backend: 'reference',
      device: 'reference',
      timings: { generatedTokens: result.tokens.length, promptTokens: result.promptTokens.length },
    });
    expect(result.promptTokens[0]).toBe(4088);
    expect(result.tokens.at(-1)).toBe(4089);
  });

  it('follows the system prompt, through the template', async () => {
    const argv = [
      'What is the capital of Norway?',
      '--system',
      'Always end with "Ahoy!"',
      '--temperature',
      '0',
    ];
    expect((await run([...argv, '--no-think'])).stdout).toBe('The capital of Norway is Oslo. Ahoy!\n');
  });

  it('thinks for no more tokens than allowed', async () => {
    const argv = [question, '--temperature', '0', '--json', '--thinking-budget', '3'];
    const { reasoning, text } = JSON.parse((await run(argv)).stdout);
    expect(reasoning).toMatch(/^The( \w+)?$/);
    expect(text).not.toBe('');
  });

  it('chooses the same tokens for the same seed', async () => {
    const text = async (seed: string) =>
      (await run(['Once', '--raw', '--max-tokens', '12', '--temperature', '1.5', '--seed', seed])).stdout;
    const first = await text('7');
    expect(await text('7')).toBe(first);
    expect(await text('8')).not.toBe(first);
  });

  it('ends before a stop text, and after as many tokens as allowed', async () => {
    const stopped = await run([
      question,
      '--temperature',
      '0',
      '--no-think',
      '--stop',
      'nope',
      '--stop',
      ' is ',
    ]);
    expect(stopped.stdout).toBe('The capital of France\n');
    const short = await run([question, '--temperature', '0', '--no-think', '--max-tokens', '2', '--json']);
    expect(JSON.parse(short.stdout)).toMatchObject({ finishReason: 'length', tokens: { length: 2 } });
  });

  it('turns the text of special tokens into tokens only where it is asked to, and without the template', async () => {
    const prompt = '<|im_start|>user\nHi';
    const ids = async (...flags: string[]) =>
      JSON.parse((await run([prompt, '--max-tokens', '1', '--json', ...flags])).stdout)
        .promptTokens as number[];
    expect((await ids('--raw', '--parse-special'))[0]).toBe(4088);
    expect(await ids('--raw')).not.toContain(4088);
    expect((await ids()).filter((id) => id === 4088)).toHaveLength(2);
  });

  it('stops on Ctrl-C, prints what there is and ends with 130', async () => {
    let interrupt = () => {};
    const { code, stdout } = await run(['Once upon a time', '--raw', '--ignore-eos', '--temperature', '0'], {
      onListen: (listening) => {
        interrupt = listening;
      },
      onOutput: () => interrupt(),
    });
    expect(code).toBe(130);
    expect(stdout.length).toBeGreaterThan(1);
    expect(stdout.length).toBeLessThan(200);
  });

  it.each([
    ['dim on a terminal', {}, true],
    ['plain where NO_COLOR is set', { NO_COLOR: '1' }, false],
    ['plain on a terminal without colours', { TERM: 'dumb' }, false],
  ])('shows reasoning %s', async (_, env, isDim) => {
    const argv = [question, '--temperature', '0', '--max-tokens', '8'];
    const { stderr } = await run(argv, { terminals: ['stdout', 'stderr'], env });
    expect(stderr).toContain('The');
    expect(stderr.includes('\u001b[2mThe')).toBe(isDim);
  });

  it('continues the prompt of a model without a template, says so, and refuses a system prompt', async () => {
    const bytes = readFileSync(inTreeModel());
    bytes.write('X', bytes.indexOf('tokenizer.chat_template') + 'tokenizer.chat_'.length);
    const model = join(folder, 'raw.gguf');
    writeFileSync(model, bytes);
    const flags = ['--temperature', '0', '--max-tokens', '5'];
    const { code, stdout, stderr } = await run([model, 'Once upon a', ...flags]);
    expect(code).toBe(0);
    expect(stderr).toContain('no chat template: the prompt is continued as with --raw');
    expect(stdout).toBe((await run(['Once upon a', '--raw', ...flags])).stdout);
    const refused = await run([model, 'hi', '--system', 'Be kind.']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('REQUEST_INVALID: field: system');
    expect((await runCommand(['chat', '--backend', 'reference', model], { stdin: 'hi' })).stderr).toContain(
      'TEMPLATE_FAILED',
    );
  });

  it('of a prompt beyond the context fails with both counts', async () => {
    const { code, stdout, stderr } = await run(['word '.repeat(400), '--max-model-len', '64']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/CONTEXT_OVERFLOW: promptTokens: \d+; maxModelLen: 64\./);
  });

  it('of a device that is none fails and names those there are', async () => {
    const { code, stderr } = await run([question, '--device', 'cuda:0']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'BACKEND_UNAVAILABLE: backend: reference; reason: no device cuda:0; it has reference',
    );
  });
});

describe.skipIf(!hasShared('fixtures/hostile-gguf'))('hostile files (needs ../shared/fixtures)', () => {
  const hostile = (name: string) => sharedPath(`fixtures/hostile-gguf/${name}`);

  it('fail with 1 and one line', async () => {
    const { code, stdout, stderr } = await run([hostile('dims-count-5.gguf'), 'hello']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^MODEL_MALFORMED: .*offset: \d+\. .+$/);
  });

  it('fail in --json as an object with code and details', async () => {
    const { code, stdout } = await run([hostile('control-header-only.gguf'), 'hello', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'MODEL_MALFORMED',
      details: { found: 'missing' },
    });
  });
});
