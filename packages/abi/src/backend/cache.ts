import type { CacheLayer } from '../program/index.js';

/** Positions in one page. A page id names the same page in every layer. */
export const CACHE_PAGE_POSITIONS = 32;

export const cacheFormats = ['f16', 'f32', 'q8_0'] as const;

export type CacheFormat = (typeof cacheFormats)[number];

export interface CacheSpec {
  /** The layers of the programs that will use it: `program.caches`. */
  readonly layers: readonly CacheLayer[];
  /** Pages, each of 32 positions in every layer. Ids run from 0 to pages - 1. */
  readonly pages: number;
  readonly format: CacheFormat;
}

/**
 * Keys and values of all sequences, in pages. Who owns which page is the caller's book-keeping: a full page
 * may stand in the lists of several sequences, a page that is written must stand in one.
 */
export interface Cache {
  readonly spec: CacheSpec;
  /** Copies a page in every layer (a fork of a page that is not full). */
  copyPage(from: number, to: number): Promise<void>;
  /** The bytes of a page in every layer, for `writePage` of a cache with the same spec on the same device. */
  readPage(page: number): Promise<Uint8Array>;
  writePage(page: number, bytes: Uint8Array): Promise<void>;
  /** Gives the memory back; twice is fine. */
  close(): Promise<void>;
}
