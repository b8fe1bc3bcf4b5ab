import { describe, expect, it } from 'vitest';
import { pageKey } from './page-key.js';
import { PageTable } from './page-table.js';

describe('PageTable', () => {
  it('gives each page to one holder, and none where all are held', () => {
    const table = new PageTable(3);
    const taken = [table.take(), table.take(), table.take()];
    expect(new Set(taken)).toEqual(new Set([0, 1, 2]));
    expect(table.take()).toBeUndefined();
    table.giveBack(1);
    expect(table.available).toBe(1);
    expect(table.take()).toBe(1);
  });

  it('keeps known pages that nobody holds, and drops the one let go longest ago for a new one', () => {
    const table = new PageTable(2);
    const first = table.publish(undefined, 'a', table.take()!);
    const second = table.publish(undefined, 'b', table.take()!);
    table.letGo(first);
    table.letGo(second);
    expect([table.available, table.kept]).toEqual([2, 2]);
    expect(table.take()).toBe(first.page);
    expect(table.find(undefined, 'a')).toBeUndefined();
    expect(table.find(undefined, 'b')).toBe(second);
  });

  it('keeps a page that is used again longer than one that is not', () => {
    const table = new PageTable(2);
    const [first, second] = ['a', 'b'].map((key) => table.publish(undefined, key, table.take()!));
    table.letGo(first!);
    table.letGo(second!);
    table.hold(table.find(undefined, 'a')!);
    table.letGo(first!);
    expect(table.take()).toBe(second!.page);
  });

  it('drops the end of a text before its beginning', () => {
    const table = new PageTable(3);
    const first = table.publish(undefined, 'a', table.take()!);
    const second = table.publish(first, 'b', table.take()!);
    table.letGo(second);
    table.letGo(first);
    table.take();
    table.take();
    expect(table.find(first, 'b')).toBeUndefined();
    expect(table.find(undefined, 'a')).toBe(first);
  });

  it('gives a page back whose content is known already, and holds the known one', () => {
    const table = new PageTable(4);
    const first = table.publish(undefined, 'a', table.take()!);
    const twin = table.publish(undefined, 'a', table.take()!);
    expect(twin).toBe(first);
    expect(table.available).toBe(3);
    table.letGo(first);
    expect(table.kept).toBe(0);
    table.letGo(first);
    expect(table.kept).toBe(1);
  });

  it('tells the same page behind one text from that behind another', () => {
    const table = new PageTable(4);
    const [a, b] = ['a', 'b'].map((key) => table.publish(undefined, key, table.take()!));
    const behind = table.publish(a, 'c', table.take()!);
    expect(table.find(a, 'c')).toBe(behind);
    expect(table.find(b, 'c')).toBeUndefined();
    expect(table.find(undefined, 'c')).toBeUndefined();
  });
});

describe('the key of a page', () => {
  const tokens = Array.from({ length: 96 }, (_, place) => place * 5000);

  it('differs by every token of the page, and by none outside of it', () => {
    const key = pageKey(tokens, 1, 96);
    for (let place = 0; place < 96; place++) {
      const other = pageKey(tokens.with(place, tokens[place]! + 65_536), 1, 96);
      expect(other === key).toBe(place < 32 || place >= 64);
    }
  });

  it('differs by how many of its rows were read as a prompt', () => {
    const keys = [32, 33, 63, 64].map((rows) => pageKey(tokens, 1, rows));
    expect(new Set(keys).size).toBe(4);
    expect(pageKey(tokens, 1, 96)).toBe(keys[3]);
    expect(pageKey(tokens, 1, 10)).toBe(keys[0]);
  });
});
