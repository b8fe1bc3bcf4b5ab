// @ts-check
// What clients of serve-load ask, and what they are told.
import { fork } from 'node:child_process';
import { join } from 'node:path';

/**
 * @typedef {{ rss: number, live: number }} Memory Bytes: of the process, and of what JavaScript holds.
 * @typedef {{ url: string, maxModelLen: number, pages: number, memory: () => Promise<Memory>, end: () => Promise<void> }} Served
 * @typedef {{ status: number, text: string, tokens: number, firstMs: number }} Told
 */

/** @param {object} options @returns {Promise<Served>} */
export async function startServer(options) {
  const child = fork(join(import.meta.dirname, 'server.mjs'), [JSON.stringify(options)], {
    execArgv: ['--expose-gc'],
  });
  const ready = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    .../** @type {{ url: string, maxModelLen: number, pages: number }} */ (ready),
    memory() {
      const told = new Promise((resolve) => child.once('message', resolve));
      child.send('memory');
      return /** @type {Promise<Memory>} */ (told);
    },
    async end() {
      child.send('end');
      await ended;
    },
  };
}

/**
 * Reads an answer as a stream: when its tokens come, and what they say. A `signal` breaks the connection.
 * @param {string} url @param {object} body @param {AbortSignal} [signal]
 * @param {() => void} [heard] is called for each piece as it comes
 * @returns {Promise<Told>}
 */
export async function ask(url, body, signal, heard) {
  const started = performance.now();
  const response = await fetch(`${url}/v1/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ignore_eos: true,
      stream: true,
      stream_options: { include_usage: true },
      ...body,
    }),
    ...(signal ? { signal } : {}),
  });
  /** @type {Told} */
  const told = { status: response.status, text: '', tokens: 0, firstMs: 0 };
  if (response.status !== 200) {
    await response.text();
    return told;
  }
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      if (!event.startsWith('data: {')) continue;
      const { choices = [], usage, error } = JSON.parse(event.slice(6));
      if (error) return { ...told, status: 500 };
      if (usage) told.tokens = usage.completion_tokens;
      if (!choices[0]?.text) continue;
      told.firstMs ||= performance.now() - started;
      heard?.();
      told.text += choices[0].text;
    }
  }
  return told;
}

/** @param {string} url @returns {Promise<(name: string) => number>} A value of /metrics by its name behind the prefix. */
export async function metrics(url) {
  const text = await (await fetch(`${url}/metrics`)).text();
  return (name) =>
    Number(text.match(new RegExp(`^(?:pocketllm:)?${name}(?:\\{.*\\})? (\\S+)$`, 'm'))?.[1] ?? 0);
}

const story =
  'Once there was a fox named Pip who lived by a river. Every day Pip went to the river to look for fish. ';

/** Requests that differ in prompt, length and the way of choosing; the same number gives the same request. */
export function request(/** @type {number} */ number) {
  const openings = ['A bear', 'The capital of Norway', 'One day Pip', 'Why is', 'Tell me', 'When the rain'];
  const prompt = story.repeat(number % 4) + openings[number % openings.length];
  const choosing = number % 2 === 0 ? { temperature: 0 } : { temperature: 0.8, seed: number };
  return { prompt, ...choosing, max_tokens: 24 + 8 * (number % 5) };
}
