import type { Kernel } from './kernel.js';

export const patches: Kernel<'patches'> = ({
  inputs: { image },
  outputs: { out },
  attributes: { size },
  sizes: { height, width, channels },
}) => {
  let to = 0;
  for (let top = 0; top < height; top += size) {
    for (let left = 0; left < width; left += size) {
      for (let c = 0; c < channels; c++) {
        for (let y = top; y < top + size; y++) {
          for (let x = left; x < left + size; x++) out[to++] = image[(y * width + x) * channels + c]!;
        }
      }
    }
  }
};
