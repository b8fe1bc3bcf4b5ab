// @ts-check
// node scripts/generate-support.mjs REPORT...: takes what complete reports of the conformance kit say about devices into
// docs/reference/generated/support.json, and writes docs/reference/support.md from it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { supportDevices, supportSource } from './support/generated.mjs';
import { repository } from './support/problems.mjs';
import { devicesOf, mergeDevices, supportPage } from './support/support-table.mjs';

const found = process.argv.slice(2).flatMap((path) => devicesOf(JSON.parse(readFileSync(path, 'utf8'))));
const devices = mergeDevices(supportDevices(), found);
mkdirSync(dirname(join(repository, supportSource)), { recursive: true });
writeFileSync(join(repository, supportSource), `${JSON.stringify(devices, undefined, 1)}\n`);
writeFileSync(join(repository, 'docs/reference/support.md'), supportPage(devices));
process.stdout.write(`docs/reference/support.md: ${devices.length} devices\n`);
