import { expect, it } from 'vitest';
import { Lane } from './lane.js';

it('a lane runs tasks in order, and goes on after one that fails', async () => {
  const lane = new Lane();
  const order: string[] = [];
  const slow = lane.run(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    order.push('slow');
  });
  const failing = lane.run(() => {
    order.push('failing');
    throw new Error('no');
  });
  const last = lane.run(() => order.push('last'));
  await expect(failing).rejects.toThrow('no');
  await Promise.all([slow, last, lane.idle()]);
  expect(order).toEqual(['slow', 'failing', 'last']);
});
