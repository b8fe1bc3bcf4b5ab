import { isPocketError } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { PagePool } from './page-pool.js';

describe('PagePool', () => {
  it('gives pages of 32 positions, each to one holder', async () => {
    const pool = new PagePool(4);
    const first = await pool.take(33);
    const second = await pool.take(64);
    expect(first).toHaveLength(2);
    expect(new Set([...first, ...second]).size).toBe(4);
    expect(pool.free).toBe(0);
  });

  it('serves those who wait in the order they came, a large wish before a small one behind it', async () => {
    const pool = new PagePool(3);
    const all = await pool.take(96);
    const served: string[] = [];
    const large = pool.take(96).then((pages) => [served.push('large'), pages] as const);
    const small = pool.take(1).then(() => served.push('small'));
    pool.giveBack(all.slice(0, 1));
    await Promise.resolve();
    expect(served).toEqual([]);
    pool.giveBack(all.slice(1));
    const [, pages] = await large;
    pool.giveBack(pages);
    await small;
    expect(served).toEqual(['large', 'small']);
  });

  it('lets the next in line go on when one gives up', async () => {
    const pool = new PagePool(2);
    const held = await pool.take(32);
    const abort = new AbortController();
    const given = pool.take(64, abort.signal).catch((error: unknown) => error);
    const next = pool.take(32);
    abort.abort();
    expect(isPocketError(await given, 'CANCELLED')).toBe(true);
    await next;
    pool.giveBack(held);
    expect(pool.free).toBe(1);
  });

  it('refuses a signal that has fired before', async () => {
    const error = await new PagePool(1).take(1, AbortSignal.abort()).catch((thrown: unknown) => thrown);
    expect(isPocketError(error, 'CANCELLED')).toBe(true);
  });

  it('refuses those who wait, and those who come later, once it is closed', async () => {
    const pool = new PagePool(1);
    const held = await pool.take(1);
    const codes = [pool.take(1), pool.take(1)].map((taken) => taken.catch(({ code }) => code));
    pool.close();
    pool.giveBack(held);
    codes.push(pool.take(1).catch(({ code }) => code));
    expect(await Promise.all(codes)).toEqual(['CLOSED', 'CLOSED', 'CLOSED']);
    expect(pool.free).toBe(1);
  });
});
