import {
  CACHE_PAGE_POSITIONS,
  type CacheFormat,
  cacheFormats,
  type Program,
  weightFormats,
} from '@pocketllm/abi';

/** Bytes that running a model takes before scratch, which depends on the device. */
export interface MemoryNeed {
  readonly weights: number;
  /** Tokens that the caches have room for. */
  readonly positions: number;
  readonly caches: Readonly<Record<CacheFormat, number>>;
}

/** Weights as they stand in the file, and a cache of `positions` in each format that keys and values can have. */
export function memoryNeed(program: Program, weights: number, positions: number): MemoryNeed {
  const elements = program.caches.reduce(
    (sum, { kvHeads, headSize, valueSize }) => sum + kvHeads * (headSize + valueSize),
    0,
  );
  const pages = Math.ceil(positions / CACHE_PAGE_POSITIONS);
  const bytes = cacheFormats.map((format) => {
    const { block } = weightFormats[format];
    return [format, (pages * CACHE_PAGE_POSITIONS * elements * block.bytes) / block.weights] as const;
  });
  return { weights, positions, caches: Object.fromEntries(bytes) as Record<CacheFormat, number> };
}
