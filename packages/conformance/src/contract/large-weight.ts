import {
  checkCapabilities,
  type DeviceInfo,
  ops,
  type Program,
  rowBytes,
  type WeightFormatName,
  weightFormats,
} from '@pocketllm/abi';
import { programOfCall } from '../cases/call-program.js';
import { storedFormats } from '../cases/lists.js';
import { refusal } from '../claims.js';
import { Random } from '../data/random.js';
import { randomBlocks } from '../data/random-blocks.js';

/** A product with a matrix of a few megabytes, in the first format that the device claims. */
export interface LargeWeight {
  readonly program: Program;
  readonly bytes: Uint8Array;
}

const columns = 1024;

export function largeWeight(device: DeviceInfo, wantedBytes: number): LargeWeight | undefined {
  for (const format of storedFormats) {
    const outFeatures = Math.ceil(wantedBytes / rowBytes(weightFormats[format], columns)!);
    const program = programOfMatmul(format, outFeatures);
    if (refusal(() => checkCapabilities(program, device.capabilities, device.id))) continue;
    // Few rows differ: what counts is the size.
    const row = randomBlocks(format, columns, new Random(`large ${format}`));
    const bytes = new Uint8Array(row.length * outFeatures);
    for (let at = 0; at < bytes.length; at += row.length) bytes.set(row, at);
    return { program, bytes };
  }
  return undefined;
}

function programOfMatmul(format: WeightFormatName, outFeatures: number): Program {
  const sizes = { rows: 1, inFeatures: columns, outFeatures };
  return programOfCall({ op: ops.matmul, sizes, attributes: {}, operands: ['x', 'weight'], format });
}
