// @ts-check

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {Counts & { op: string, format?: string }} Support
 *
 * @typedef {object} Device What a report of the conformance kit says about one device.
 * @property {string} backend
 * @property {string} device
 * @property {string} name
 * @property {string} platform
 * @property {string[]} bitExact
 * @property {Counts} counts
 * @property {Support[]} support
 */

/**
 * The devices of a report.
 *
 * @param {{ complete: boolean, plugin: { name: string }, platform: string, devices: { id: string, name: string,
 *   bitExact: string[], counts: Counts, support: Support[] }[] }} report
 * @returns {Device[]}
 */
export function devicesOf(report) {
  if (!report.complete)
    throw new Error('the report leaves tests or devices out; run the kit without options');
  return report.devices.map(({ id, name, bitExact, counts, support }) => ({
    backend: report.plugin.name,
    device: id,
    name,
    platform: report.platform,
    bitExact,
    counts,
    support,
  }));
}

/** Puts devices in place of those of the same name. @param {Device[]} known @param {Device[]} found */
export function mergeDevices(known, found) {
  const key = (/** @type {Device} */ { backend, device }) => `${backend} ${device}`;
  const merged = new Map([...known, ...found].map((device) => [key(device), device]));
  return [...merged.values()].sort((a, b) => key(a).localeCompare(key(b)));
}

/** The page. @param {Device[]} devices */
export function supportPage(devices) {
  const support = devices.flatMap((device) => device.support);
  const names = unique(support.map(({ op }) => op));
  const formatsOf = (/** @type {string} */ op) =>
    unique(support.flatMap((entry) => (entry.op === op && entry.format ? [entry.format] : [])));
  const plain = names.filter((op) => formatsOf(op).length === 0);
  const head = devices.map(({ backend, device }) => (backend === device ? backend : `${backend} ${device}`));
  const row = (
    /** @type {string} */ label,
    /** @type {string} */ op,
    /** @type {string | undefined} */ format,
  ) => [`\`${label}\``, ...devices.map((device) => cellOf(device, op, format))];
  return [
    '# What runs where',
    '',
    'Made from reports of [the conformance kit](conformance.md) by `node scripts/generate-support.mjs`.',
    '',
    '- ✓: all cases pass. ✓ with a number: so many pass, the others are beyond a limit that the device states.',
    '- ✗: so many cases fail.',
    '- –: the device does not claim it.',
    '',
    '## Devices',
    '',
    ...table(
      ['backend', 'device', 'tested on', 'tests', 'equal to the bit'],
      devices.map(({ backend, device, name, platform, counts, bitExact }) => [
        backend,
        `${device} (${name})`,
        platform,
        `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
        bitExact.join(', ') || 'nothing',
      ]),
    ),
    '',
    '## Ops',
    '',
    ...table(
      ['op', ...head],
      plain.map((op) => row(op, op, undefined)),
    ),
    ...names
      .filter((op) => !plain.includes(op))
      .flatMap((op) => [
        '',
        `## ${op}, by format`,
        '',
        ...table(
          ['format', ...head],
          formatsOf(op).map((format) => row(format, op, format)),
        ),
      ]),
    '',
  ].join('\n');
}

/** @param {Device} device @param {string} op @param {string | undefined} format */
function cellOf({ support }, op, format) {
  const entries = support.filter((candidate) => candidate.op === op);
  // A device that does not claim an op at all has one entry for it, without a format.
  const entry =
    entries.find((candidate) => candidate.format === format) ??
    entries.find((candidate) => candidate.format === undefined);
  if (!entry) return '?';
  const { passed, failed, skipped } = entry;
  if (failed > 0) return `✗ ${failed} of ${passed + failed}`;
  if (passed === 0) return '–';
  return skipped > 0 ? `✓ ${passed} of ${passed + skipped}` : '✓';
}

/** @param {string[]} head @param {string[][]} rows */
function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** @param {string[]} values */
const unique = (values) => [...new Set(values)];
