import { basename } from 'node:path';
import { displayText } from '@pocketllm/runtime';
import { bytesText, countText } from '../terminal/quantity.js';
import { table } from '../terminal/table.js';
import type { KeyListing } from './key-listing.js';
import type { ModelReport, Runs, TokenizerReport } from './model-report.js';

/** A report for people. All text of the file is escaped and cut to length. */
export function reportText(report: ModelReport): string {
  const { files, keys, tensors } = report;
  const [first] = files;
  const more = files.length > 1 ? `, ${files.length} files` : '';
  const size = bytesText(files.reduce((sum, { bytes }) => sum + bytes, 0));
  return [
    `${displayText(basename(first!.path))}: ${size}, GGUF version ${first!.version}${more}`,
    table(summary(report), '  '),
    `\nKeys (${keys.length})`,
    table(
      keys.map((listing) => [displayText(listing.key), listing.type, valueText(listing)]),
      '  ',
    ),
    `\nTensors (${tensors.length})`,
    table(
      tensors.map(({ name, format, dimensions, bytes }) => [
        displayText(name),
        format,
        dimensions.join(' x ') || 'scalar',
        bytesText(bytes),
      ]),
      '  ',
    ),
  ].join('\n');
}

function summary(report: ModelReport): string[][] {
  const { architecture, name, parameters, bytes, formats, tensors, tokenizer, template, runs, warnings } =
    report;
  const formatList = formats.map((entry) => `${entry.format} ${bytesText(entry.bytes)} (${entry.tensors})`);
  return [
    ['name', name === null ? '-' : displayText(name)],
    ['architecture', architecture === null ? '-' : displayText(architecture)],
    ['parameters', `${countText(parameters)} in ${tensors.length} tensors, ${bytesText(bytes)}`],
    ['formats', formatList.join(', ') || '-'],
    ['tokenizer', tokenizer === null ? '-' : tokenizerText(tokenizer)],
    ['chat template', template === null ? '-' : `${template} characters`],
    ['runs', runsText(runs)],
    ...warnings.map((warning) => ['warning', warning]),
  ];
}

function tokenizerText({ model, pre, tokens, merges, named }: TokenizerReport): string {
  const ids = named.map(({ name, id }) => `${name} ${id}`).join(', ');
  const kind = [model, ...(pre === null ? [] : [pre])].map((word) => displayText(word)).join('/');
  return `${kind}: ${tokens} tokens, ${merges} merges${ids === '' ? '' : `; ${ids}`}`;
}

function runsText(runs: Runs): string {
  if (!runs.possible) return `no. ${runs.message}`;
  const { weights, positions, caches } = runs.memory;
  const cache = `${bytesText(caches.f16)} of f16 cache for ${positions} tokens`;
  return `yes, in ${bytesText(weights + caches.f16)}: ${bytesText(weights)} of weights, ${cache}; scratch comes on top`;
}

function valueText({ type, value, length }: KeyListing): string {
  // 0.1 is stored as 0.10000000149: show the number that was meant.
  if (type === 'float32') return String(Number((value as number).toPrecision(7)));
  if (!Array.isArray(value)) return displayText(String(value));
  const more = length! > value.length ? ', …' : '';
  return displayText(
    `${length} [${value.map((element) => displayText(String(element), 24)).join(', ')}${more}]`,
    200,
  );
}
