import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type RunOptions, runCommand } from '../../test/run-command.js';

const question = {
  messages: [{ role: 'user', content: 'What is the capital of Norway?' }],
  temperature: 0,
  reasoning_effort: 'none',
};

/** Runs `serve` on a free port, does something with it, and ends it by Ctrl-C. */
async function serving(
  argv: readonly string[],
  use: (url: string) => Promise<void>,
  options: RunOptions = {},
) {
  let interrupt = () => {};
  let used: Promise<unknown> | undefined;
  const result = await runCommand(['serve', '--backend', 'reference', '--port', '0', ...argv], {
    ...options,
    onListen: (listening) => {
      interrupt = listening;
    },
    onStatus: (text) => {
      const url = /Ready at (\S+)\/v1:/.exec(text)?.[1];
      if (url !== undefined) used = use(url).finally(() => interrupt());
    },
  });
  await used;
  return result;
}

describe('serve', () => {
  it('says where it is ready with what, answers, and ends well on Ctrl-C', async () => {
    let answer: unknown;
    const { code, stdout, stderr } = await serving(['--model-name', 'mine'], async (url) => {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...question, model: 'mine' }),
      });
      answer = await response.json();
    });
    expect(answer).toMatchObject({ choices: [{ message: { content: 'The capital of Norway is Oslo.' } }] });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^Ready at http:\/\/127\.0\.0\.1:\d+\/v1: mine on reference, reference\.$/m);
    expect(stderr).toMatch(/^The chat page is at http:\/\/127\.0\.0\.1:\d+\/\.$/m);
  });

  it('takes its key from the environment, and may then be open to others', async () => {
    const statuses: number[] = [];
    const use = async (url: string) => {
      const models = `${url.replace('0.0.0.0', '127.0.0.1')}/v1/models`;
      statuses.push((await fetch(models)).status);
      statuses.push((await fetch(models, { headers: { authorization: 'Bearer secret' } })).status);
    };
    const { stderr } = await serving(['--host', '0.0.0.0'], use, { env: { POCKETLLM_API_KEY: 'secret' } });
    expect(statuses).toEqual([401, 200]);
    expect(stderr).not.toContain('secret');
  });

  it.each([
    [['--host', '0.0.0.0'], 'set an API key'],
    [['--host', '::'], 'set an API key'],
    [['--api-key', 'a b'], 'without blanks'],
    [['--port', '65536'], 'at most 65535'],
    [['--max-queue', '-1'], 'an integer of at least 0'],
    [['a.gguf', '--model', 'b.gguf'], 'given twice'],
  ])('%j ends with 2', async (argv, message) => {
    const { code, stderr } = await runCommand(['serve', '--backend', 'reference', ...argv]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('fails in one line where the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await runCommand(['serve', '--backend', 'reference', '--port', String(port)]);
    other.close();
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^LISTEN_FAILED: .*EADDRINUSE.* Choose another one with --port\.$/,
    );
  });
});
