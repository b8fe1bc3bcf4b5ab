// @ts-check
// What serve-load tries, one part after the other. Each gives its figures, and what was not as it should be.
import { ask, metrics, request } from './client.mjs';

/**
 * @typedef {import('./client.mjs').Served} Served
 * @typedef {{ figures: Record<string, unknown>, faults: string[] }} Outcome
 * @typedef {{ served: Served, clients: number, seconds: number, longPrompt: number }} Setting
 */

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
const different = 30;

/** Tokens a second of one client and of 16. @param {Setting} setting @returns {Promise<Outcome>} */
export async function speed({ served: { url } }) {
  const body = { prompt: 'Once upon a time there was', temperature: 0.8, max_tokens: 96 };
  const rate = async (/** @type {number} */ clients, /** @type {number} */ rounds) => {
    const started = performance.now();
    const counts = await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        let tokens = 0;
        for (let round = 0; round < rounds; round++) {
          tokens += (await ask(url, { ...body, seed: 100 * client + round })).tokens;
        }
        return tokens;
      }),
    );
    return (counts.reduce((sum, count) => sum + count, 0) / (performance.now() - started)) * 1000;
  };
  await rate(16, 1);
  const one = await rate(1, 4);
  const many = await rate(16, 4);
  const ratio = many / one;
  return {
    figures: { 'tokens/s, 1 client': one, 'tokens/s, 16 clients': many, ratio },
    faults: ratio >= 4 ? [] : ['16 clients get less than 4 times what one gets'],
  };
}

/** More clients than there is room for, each asking again and again. @param {Setting} setting @returns {Promise<Outcome>} */
export async function overload({ served, clients, seconds }) {
  const { url } = served;
  const alone = [];
  for (let number = 0; number < different; number++) alone.push((await ask(url, request(number))).text);
  /** @type {Record<string, number>} */
  const statuses = {};
  let wrong = 0;
  let asked = 0;
  /** @type {import('./client.mjs').Memory[]} */
  const memory = [];
  const end = performance.now() + seconds * 1000;
  const client = async () => {
    while (performance.now() < end) {
      const number = asked++ % different;
      const { status, text } = await ask(url, request(number));
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 200 && text !== alone[number]) wrong++;
      if (status === 429) await pause(100);
    }
  };
  const watch = async () => {
    while (performance.now() < end) {
      memory.push(await served.memory());
      await pause((seconds * 1000) / 60);
    }
  };
  await Promise.all([watch(), ...Array.from({ length: clients }, client)]);
  // The first half is for warming up: code is compiled, buffers find their size.
  const growthOf = (/** @type {'rss' | 'live'} */ kind) => {
    const late = memory.map((at) => at[kind]).slice(memory.length / 2);
    return mean(late.slice(late.length / 2)) / mean(late.slice(0, late.length / 2)) - 1;
  };
  const [growth, live] = [growthOf('rss'), growthOf('live')];
  const faults = Object.keys(statuses).filter((status) => status !== '200' && status !== '429');
  return {
    figures: {
      ...statuses,
      'answers unlike those alone': wrong,
      'growth of memory': growth,
      'and of what is held': live,
      ...(await left(url)),
    },
    faults: [
      ...faults.map((status) => `answers with ${status}`),
      ...(wrong > 0 ? ['answers that are not those alone'] : []),
      ...(statuses[200] ? [] : ['no answer at all']),
      // Before that, code is still being compiled.
      ...(seconds >= 60 && Math.max(growth, live) > 0.02 ? ['memory grows'] : []),
      ...(await stuck(url)),
    ],
  };
}

/** Half of the clients leave in the middle of their answers. @param {Setting} setting @returns {Promise<Outcome>} */
export async function vanish({ served: { url } }) {
  const answers = Array.from({ length: 24 }, (_, number) => {
    const abort = new AbortController();
    const body = { ...request(number), max_tokens: 150 };
    if (number % 2 === 0) return ask(url, body);
    setTimeout(() => abort.abort(), 20 + 10 * number);
    return ask(url, body, abort.signal).catch(() => ({ status: 0, tokens: 0 }));
  });
  const told = await Promise.all(answers);
  const whole = told.filter(({ status, tokens }) => status === 200 && tokens === 150).length;
  return {
    figures: { 'whole answers': whole, ...(await left(url)) },
    faults: [...(whole >= 12 ? [] : ['those who stayed did not get their answers']), ...(await stuck(url))],
  };
}

/** The second turn of a long conversation. @param {Setting} setting @returns {Promise<Outcome>} */
export async function turns({ served: { url, maxModelLen } }) {
  const length = Math.min(2048, maxModelLen - 64);
  const prompt = Array.from({ length }, (_, place) => 300 + ((place * 37) % 3000));
  const body = { temperature: 0, max_tokens: 2 };
  const first = await ask(url, { ...body, prompt });
  const second = await ask(url, { ...body, prompt: [...prompt, ...prompt.slice(0, 24)] });
  const ratio = second.firstMs / first.firstMs;
  return {
    figures: { 'first turn, ms': first.firstMs, 'second turn, ms': second.firstMs, ratio },
    faults: ratio < 0.1 ? [] : ['the second turn takes more than a tenth of the first'],
  };
}

/**
 * How long tokens wait for each other while a long prompt is read, beside what they wait afterwards: at the same length of
 * their answers. Its last quarter is looked at alone, where each row of it costs most.
 * @param {Setting} setting @returns {Promise<Outcome>}
 */
export async function stall({ served: { url, maxModelLen }, longPrompt }) {
  const length = Math.min(longPrompt, maxModelLen - 8);
  const prompt = Array.from({ length }, (_, place) => 300 + ((place * 41) % 3001));
  const enough = new AbortController();
  const talks = [1, 2, 3, 4].map((seed) => {
    /** @type {number[]} */
    const times = [];
    const body = { prompt: 'Once', temperature: 0.8, seed, max_tokens: maxModelLen - 8 };
    const over = ask(url, body, enough.signal, () => times.push(performance.now())).catch(() => undefined);
    return { times, over };
  });
  const heard = () => Math.min(...talks.map(({ times }) => times.length));
  const hear = async (/** @type {number} */ pieces) => {
    for (const until = heard() + pieces; heard() < until; ) await pause(20);
  };
  await hear(50);
  const from = performance.now();
  const long = await ask(url, { prompt, temperature: 0, max_tokens: 1 });
  const to = from + long.firstMs;
  await hear(100);
  enough.abort();
  await Promise.all(talks.map(({ over }) => over));
  const gapsBetween = (/** @type {number} */ start, /** @type {number} */ end) =>
    talks
      .flatMap(({ times }) =>
        times.slice(1).flatMap((time, i) => (times[i] >= start && time <= end ? time - times[i] : [])),
      )
      .sort((a, b) => a - b);
  const at = (/** @type {number[]} */ sorted, /** @type {number} */ part) =>
    sorted[Math.floor(part * sorted.length)] ?? 0;
  const beside = gapsBetween(from, to);
  const last = gapsBetween(to - long.firstMs / 4, to);
  const alone = gapsBetween(to, Number.POSITIVE_INFINITY);
  const ratio = at(beside, 0.5) / at(alone, 0.5);
  const lastRatio = at(last, 0.5) / at(alone, 0.5);
  return {
    figures: {
      'prompt of': length,
      'prompt read in ms': long.firstMs,
      'gap afterwards, median and 99 %': [at(alone, 0.5), at(alone, 0.99)],
      'gap beside it, median and 99 %': [at(beside, 0.5), at(beside, 0.99)],
      'gap beside its last quarter, median and 99 %': [at(last, 0.5), at(last, 0.99)],
      'ratio of medians, and of the last quarter': [ratio, lastRatio],
    },
    faults: Math.max(ratio, lastRatio) > 2.2 ? ['tokens wait for more than two steps'] : [],
  };
}

const mean = (/** @type {number[]} */ values) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** What is under way, and pages in use, a while after the last answer. @param {string} url */
async function left(url) {
  await pause(300);
  const value = await metrics(url);
  return {
    'answers left': value('num_requests_running') + value('num_requests_waiting'),
    'part of pages in use': value('kv_cache_usage_perc'),
    'tokens reused': value('prefix_cache_hits_total'),
    preemptions: value('num_preemptions_total'),
    'drafts, and right ones': [
      value('spec_decode_num_draft_tokens_total'),
      value('spec_decode_num_accepted_tokens_total'),
    ],
  };
}

/** @param {string} url */
async function stuck(url) {
  const now = await left(url);
  return now['answers left'] + now['part of pages in use'] > 0 ? ['something is left'] : [];
}
