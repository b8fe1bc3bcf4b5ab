import { PocketError } from '../errors.js';
import type { Dimension, Program } from '../program/index.js';
import { CACHE_PAGE_POSITIONS } from './cache.js';
import type { Step } from './step.js';

/**
 * Checks a step against the program it is for: sizes of inputs, rows of sequences, pages within the cache.
 * Fails with STEP_INVALID. The runtime calls it once for each step; a backend can rely on it.
 */
export function checkStep(program: Program, step: Step): void {
  for (const [field, value] of [
    ['rows', step.rows],
    ['outputs', step.outputs],
  ] as const) {
    if (!isCount(value)) fail(field, 'a count', String(value));
  }
  for (const { name, type, dimensions } of program.inputs) {
    const data = step.inputs[name];
    const wanted = type === 'f32' ? Float32Array : Int32Array;
    if (!(data instanceof wanted)) fail(`inputs.${name}`, wanted.name, data?.constructor?.name ?? 'nothing');
    const size = dimensions.reduce<number>((product, dimension) => product * sizeIn(step, dimension), 1);
    if (data.length !== size) fail(`inputs.${name}`, `${size} elements`, String(data.length));
  }
  for (const name of step.wanted ?? []) {
    if (!Object.hasOwn(program.outputs, name)) {
      fail('wanted', `one of ${Object.keys(program.outputs).join(', ')}`, name);
    }
  }
  step.sequences.forEach(({ rows }, index) => {
    if (!isCount(rows) || rows < 1) fail(`sequences[${index}].rows`, 'at least 1', String(rows));
  });
  if (step.sequences.length > 0 || program.caches.length > 0) {
    const rows = step.sequences.reduce((sum, sequence) => sum + sequence.rows, 0);
    if (rows !== step.rows) fail('sequences', `${step.rows} rows in all`, String(rows));
  }
  if (program.caches.length > 0) checkCache(program, step);
}

/** The size of a dimension in a step. */
export const sizeIn = (step: Pick<Step, 'rows' | 'outputs'>, dimension: Dimension): number =>
  typeof dimension === 'number' ? dimension : step[dimension];

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

function checkCache(program: Program, step: Step): void {
  if (!step.cache) fail('cache', 'a cache', 'none');
  const { pages: capacity, layers } = step.cache.spec;
  for (const { name, kvHeads, headSize, valueSize } of program.caches) {
    const layer = layers.find((candidate) => candidate.name === name);
    const found = layer ? [layer.kvHeads, layer.headSize, layer.valueSize].join(', ') : 'none';
    const expected = [kvHeads, headSize, valueSize].join(', ');
    if (found !== expected) fail(`cache.layers.${name}`, expected, found);
  }
  step.sequences.forEach(({ rows, start, pages }, index) => {
    const field = `sequences[${index}]`;
    if (!isCount(start)) fail(`${field}.start`, 'a position', String(start));
    const needed = pagesFor(start + rows);
    if (pages.length < needed) fail(`${field}.pages`, `at least ${needed}`, String(pages.length));
    const wrong = pages.findIndex((page) => !isCount(page) || page >= capacity);
    if (wrong >= 0) fail(`${field}.pages`, `ids below ${capacity}`, String(pages[wrong]));
  });
  if (step.sequences.length > 1) checkSharing(step);
}

/** Sequences may read the same pages, and none may write a page that another one has: both run at once. */
function checkSharing({ sequences }: Step): void {
  const writers = new Map<number, number>();
  sequences.forEach(({ rows, start, pages }, index) => {
    const written = pages.slice(Math.floor(start / CACHE_PAGE_POSITIONS), pagesFor(start + rows));
    for (const page of written) writers.set(page, index);
  });
  sequences.forEach(({ rows, start, pages }, index) => {
    for (let place = 0; place < pagesFor(start + rows); place++) {
      const writer = writers.get(pages[place]!) ?? index;
      if (writer === index) continue;
      const found = `page ${pages[place]}, which sequences[${writer}] writes`;
      fail(`sequences[${index}].pages`, 'pages that no other sequence writes', found);
    }
  });
}

const pagesFor = (positions: number): number => Math.ceil(positions / CACHE_PAGE_POSITIONS);

function fail(field: string, expected: string, found: string): never {
  throw new PocketError('STEP_INVALID', { field, expected, found });
}
