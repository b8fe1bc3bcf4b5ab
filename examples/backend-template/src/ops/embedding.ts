import type { Kernel } from './kernel.js';

export const embedding: Kernel = ({ integers, weight, floats }) => {
  const [ids, table, out] = [integers('ids'), weight('table'), floats('out')];
  for (const [row, id] of ids.entries()) table.decodeRow(id, out, row * table.length);
};
