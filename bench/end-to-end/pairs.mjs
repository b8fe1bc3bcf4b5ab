// @ts-check
import { basename } from 'node:path';
import { quietCores, waitForQuiet } from './cpu-clock.mjs';
import { dropFromPageCache } from './page-cache.mjs';
import { contextOf, rows } from './rows.mjs';

/** @typedef {import('./measure.mjs').Measurement} Measurement */
/** @typedef {import('./side.mjs').Outcome} Outcome */
/** @typedef {import('./side.mjs').SideJob} SideJob */

/**
 * One process's result, as it is kept: what was asked, by whom, which pair, what came.
 *
 * @typedef {{ at: string, row: string, model: string, isa?: string, side: string, role: 'peer' | 'ours', pair: number,
 *   threads: number, context: number } & (Measurement | { leftOut: string } | { failed: string })} RawRow
 */

/** Whether nothing else took more than 0.15 of a core meanwhile, as far as that was measured. @param {Measurement} raw */
const isQuiet = ({ otherCores = 0 }) => otherCores <= quietCores;

/** Middle value; the mean of two where the count is even. @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/**
 * Measures one entry of the table on both sides, in turn: peer, ours, peer, ours. A side that cannot do it has no
 * further turn. Where a quiet machine is waited for, pairs that were disturbed are repeated, up to three times as
 * many. Every result goes to `keep` as it comes.
 *
 * @param {{ row: string, model: string, isa?: string }} entry
 * @param {object} options
 * @param {{ peer?: string, ours?: string }} options.sides
 * @param {number} options.pairs
 * @param {string} options.path of the model
 * @param {number} options.threads
 * @param {import('./work-of-model.mjs').ModelWork} options.work
 * @param {boolean} options.realtime
 * @param {number} options.quietSeconds to wait for before each process
 * @param {(job: SideJob) => Promise<Outcome>} options.run
 * @param {(raw: RawRow) => void} options.keep
 */
export async function measurePairs({ row: rowName, model, isa }, options) {
  const { sides, pairs, path, threads, work, realtime, quietSeconds, run, keep } = options;
  const row = rows[rowName];
  if (!row) throw new TypeError(`no row is named ${rowName}`);
  const [context, { vocabulary }] = [contextOf(row, work.positions), work];
  const forced = isa === undefined ? {} : { isa };
  /** @type {RawRow[]} */
  const raws = [];
  const left = { ...sides };
  const most = quietSeconds > 0 ? 3 * pairs : pairs;
  let enough = 0;
  for (let pair = 1; pair <= most && enough < pairs; pair++) {
    let quiet = true;
    for (const role of /** @type {const} */ (['peer', 'ours'])) {
      const side = left[role];
      if (side === undefined) continue;
      await waitForQuiet(quietSeconds);
      const undropped = row.kind === 'load' && row.cold ? dropFromPageCache(path) : undefined;
      const job = { side, row, model: path, threads, context, vocabulary, seed: pair, realtime, ...forced };
      const outcome = undropped === undefined ? await run(job) : { leftOut: undropped };
      const asked = { row: rowName, model: basename(model), ...forced, side, role, pair, threads, context };
      const raw = { at: new Date().toISOString(), ...asked, ...outcome };
      raws.push(raw);
      keep(raw);
      if (!('values' in raw)) delete left[role];
      else if (!isQuiet(raw)) quiet = false;
    }
    if (quiet || quietSeconds === 0) enough++;
  }
  return raws;
}

/**
 * What the pairs of one entry come to. `ratio` is the median over pairs of ours to the peer's, turned so that above
 * 1 is better for us; `quiet` counts the pairs that were. Where there are quiet pairs, the figures are theirs alone.
 * `leftOut` says which side was left out, and why.
 *
 * @typedef {{ unit: Measurement['unit'], leftOut: string[], peer?: number, ours?: number, ratio?: number, pairs: number,
 *   quiet: number, about: Partial<Record<'peer' | 'ours', Record<string, unknown>>>,
 *   counts: Record<string, number> }} Summary
 */

/** @param {RawRow[]} raws @returns {Summary} */
export function summarize(raws) {
  /** @type {Map<number, Partial<Record<'peer' | 'ours', RawRow & Measurement>>>} */
  const byPair = new Map();
  const leftOut = [];
  for (const raw of raws) {
    if ('leftOut' in raw) leftOut.push(`${raw.role} left out: ${raw.leftOut}`);
    else if ('failed' in raw)
      leftOut.push(`${raw.role} left out: ${raw.side} failed: ${raw.failed.split('\n', 1)[0]}`);
    else byPair.set(raw.pair, { ...byPair.get(raw.pair), [raw.role]: raw });
  }
  const all = [...byPair.values()];
  const quiet = all.filter(({ peer, ours }) =>
    [peer, ours].every((raw) => raw === undefined || isQuiet(raw)),
  );
  const used = quiet.length > 0 ? quiet : all;
  const unit =
    all.flatMap(({ peer, ours }) => [peer, ours]).find((raw) => raw !== undefined)?.unit ?? 'tokens/s';
  const values = (/** @type {'peer' | 'ours'} */ role) =>
    used.flatMap(({ [role]: raw }) => (raw ? [median(raw.values)] : []));
  const ratios = used.flatMap(({ peer, ours }) => {
    if (!peer || !ours) return [];
    const ratio = median(ours.values) / median(peer.values);
    return [unit === 'tokens/s' ? ratio : 1 / ratio];
  });
  const last = (/** @type {'peer' | 'ours'} */ role) => all.findLast((pair) => pair[role])?.[role];
  const [peer, ours] = [values('peer'), values('ours')];
  const [lastPeer, lastOurs] = [last('peer'), last('ours')];
  return {
    unit,
    leftOut,
    ...(peer.length > 0 ? { peer: median(peer) } : {}),
    ...(ours.length > 0 ? { ours: median(ours) } : {}),
    ...(ratios.length > 0 ? { ratio: median(ratios) } : {}),
    pairs: all.length,
    quiet: quiet.length,
    about: { ...(lastPeer && { peer: lastPeer.about }), ...(lastOurs && { ours: lastOurs.about }) },
    counts: lastOurs?.counts ?? {},
  };
}
