import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApplicationFolder, capabilitiesOf } from '../../../tests/support/backend-package.js';
import { type BuiltCommand, buildCommand } from './built-command.js';

let command: BuiltCommand;

beforeAll(async () => {
  command = await buildCommand();
}, 120_000);
afterAll(() => command?.remove());

function start(argv: readonly string[], cwd = process.cwd()): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [command.script, ...argv], { cwd });
}

/** How a process ends, and what it wrote. */
async function ended(child: ChildProcessWithoutNullStreams) {
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { code, signal, stdout, stderr };
}

const endless = ['run', 'Once upon a time', '--raw', '--ignore-eos', '--temperature', '0'];

/** Where a server that has been started answers. */
function readyUrl(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve) => {
    child.stderr.on('data', (data) => {
      const ready = /Ready at (\S+):/.exec(String(data));
      if (ready) resolve(ready[1]!);
    });
  });
}

const complete = (url: string, fields: object): Promise<Response> =>
  fetch(`${url}/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'Once upon a time', temperature: 0, ignore_eos: true, ...fields }),
  });

describe('the command as a process', () => {
  it('answers a question from a pipe', async () => {
    const child = start(['run', '--no-think', '--temperature', '0']);
    child.stdin.end('What is the capital of France?\n');
    const { code, stdout } = await ended(child);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The capital of France is Paris.\n' });
  });

  it('ends with 2 for a wrong flag', async () => {
    const { code, stdout } = await ended(start(['run', 'hi', '--frobnicate']));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('stops on Ctrl-C, prints what there is and ends with 130', async () => {
    const child = start(endless);
    child.stdout.once('data', () => child.kill('SIGINT'));
    const { code, signal, stdout } = await ended(child);
    expect({ code, signal }).toEqual({ code: 130, signal: null });
    expect(stdout).toMatch(/\S.*\n$/);
  });

  it('prints the object of a stopped answer with --json', async () => {
    const child = start([...endless, '--json']);
    // Without text to wait for: the line about the backend comes before the model is loaded.
    child.stderr.once('data', () => setTimeout(() => child.kill('SIGINT'), 3000));
    const { code, stdout } = await ended(child);
    expect(code).toBe(130);
    const result = JSON.parse(stdout);
    expect(result.finishReason ?? result.error.code).toMatch(/^(cancelled|CANCELLED)$/);
  });

  it('serves until SIGTERM, which lets a running answer finish', async () => {
    const child = start(['serve', '--port', '0']);
    const all = ended(child);
    const response = await complete(await readyUrl(child), { max_tokens: 40, stream: true });
    const reader = response.body!.getReader();
    await reader.read();
    child.kill('SIGTERM');
    let rest = '';
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      rest += new TextDecoder().decode(read.value);
    }
    expect(rest).toMatch(/"finish_reason":"length".*data: \[DONE\]\n\n$/s);
    expect(await all).toMatchObject({ code: 0, signal: null, stdout: '' });
  });

  it('is served again on the same port after the process was killed; only running answers are lost', async () => {
    const answerOf = async (url: string) => {
      const answer = (await (await complete(url, { max_tokens: 8 })).json()) as {
        choices: { text: string }[];
      };
      return answer.choices[0]!.text;
    };
    const first = start(['serve', '--port', '0']);
    const url = await readyUrl(first);
    const answer = await answerOf(url);
    const running = (await complete(url, { stream: true })).body!.getReader();
    await running.read();
    const gone = once(first, 'exit');
    first.kill('SIGKILL');
    await gone;
    await expect(complete(url, {})).rejects.toThrow();
    const second = start(['serve', '--port', new URL(url).port]);
    expect(await readyUrl(second)).toBe(url);
    expect(await answerOf(url)).toBe(answer);
    const all = ended(second);
    second.kill('SIGTERM');
    expect(await all).toMatchObject({ code: 0, signal: null });
  });

  it('is killed by a second Ctrl-C where the first one does not help', async () => {
    const application = new ApplicationFolder();
    try {
      application.addBackend('stuck-backend', 'stuck', {
        capabilities: capabilitiesOf('stuck'),
        module: `export default {
          abi: 1, name: 'stuck',
          probe() { process.stderr.write('probing'); return new Promise(() => setInterval(() => {}, 1000)); },
          async open() {},
        }`,
      });
      const child = start(['run', 'hi', '--backend', 'stuck-backend'], application.root);
      child.stderr.once('data', async () => {
        child.kill('SIGINT');
        await new Promise((resolve) => setTimeout(resolve, 500));
        expect(child.exitCode).toBeNull();
        child.kill('SIGINT');
      });
      expect(await ended(child)).toMatchObject({ code: null, signal: 'SIGINT' });
    } finally {
      application.remove();
    }
  });

  it('ends quietly when nobody reads on', async () => {
    const child = start(endless);
    child.stdout.once('data', () => child.stdout.destroy());
    const [stderr, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(stderr).not.toContain('EPIPE');
  });

  it('writes a listing that fills a pipe as far as it is read', async () => {
    const child = start(['ops', '--json']);
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
