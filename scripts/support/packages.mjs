// @ts-check
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from './files.mjs';

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {string} [license]
 * @property {boolean} [private]
 * @property {string[]} [files]
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [bin]
 * @property {{ backend: string, abi: number }} [pocketllm] stands in packages that hold a backend
 * @property {Record<string, Record<string, string> | string>} [exports]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, string>} [optionalDependencies]
 */

/** @typedef {{ folder: string, manifest: Manifest }} Package `folder` is relative to the root: packages/abi */

/** @param {string} root @param {string} path @returns {Manifest} */
export function readManifest(root, path) {
  return JSON.parse(readText(root, path));
}

/** The workspace packages, in the order of their folders. @param {string} root @returns {Package[]} */
export function readPackages(root) {
  return readdirSync(join(root, 'packages'))
    .filter((name) => existsSync(join(root, 'packages', name, 'package.json')))
    .sort()
    .map((name) => ({
      folder: `packages/${name}`,
      manifest: readManifest(root, `packages/${name}/package.json`),
    }));
}

/** The packages that are published. @param {string} root */
export function readPublicPackages(root) {
  return readPackages(root).filter(({ manifest }) => manifest.private !== true);
}

/**
 * The packages with the prebuilt parts of a package, one a platform, all of its own version.
 *
 * @param {string} folder of a package with a platforms.json
 * @param {Manifest} manifest
 * @returns {Record<string, string>}
 */
export function platformPackages(folder, { name, version }) {
  const platforms = Object.keys(JSON.parse(readText(folder, 'platforms.json')));
  return Object.fromEntries(platforms.map((platform) => [`${name}-${platform}`, version]));
}
