import { expect, it } from 'vitest';
import { Lane } from './lane.js';

it('runs tasks in the order in which they came, and goes on after one that fails', async () => {
  const lane = new Lane();
  const done: number[] = [];
  const slow = lane.enter(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    done.push(1);
    throw new Error('first');
  });
  const next = lane.enter(() => done.push(2));
  await expect(slow).rejects.toThrow('first');
  await next;
  expect(done).toEqual([1, 2]);
});

it('is drained when all tasks are over', async () => {
  const lane = new Lane();
  let over = false;
  void lane.enter(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    over = true;
  });
  await lane.drained();
  expect(over).toBe(true);
});
