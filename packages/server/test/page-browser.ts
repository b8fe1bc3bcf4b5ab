import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect } from 'vitest';
import config from '../page/vite.config.js';

const executablePath = process.env.POCKETLLM_CHROMIUM ?? '/usr/bin/chromium';

/** Whether tests in a browser can run here. */
export const hasBrowser = existsSync(executablePath);
/** For the names of such tests, so that one which is skipped says why. */
export const needs = hasBrowser ? '' : ` (needs Chromium: ${executablePath})`;

/** A machine that is shared and busy takes its time; nothing here waits longer than it must. */
export const patience = 60_000;

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const desk: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
export const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

/** The page of one person, with what must not happen on it. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors on the console, faults in scripts, and requests to others than the server. Refused requests are none. */
  readonly problems: readonly string[];
}

export interface PageTests {
  /** Where the page is, as it stands in the source. */
  readonly folder: string;
  open(url: string, options?: BrowserContextOptions): Promise<OpenPage>;
}

/** Builds the page, and starts a browser, for the tests of a file. */
export function pageTests(): PageTests {
  const folder = mkdtempSync(join(tmpdir(), 'pocketllm-page-'));
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (!hasBrowser) return;
    await build({
      ...config,
      configFile: false,
      logLevel: 'error',
      build: { ...config.build, outDir: folder },
    });
    browser = await chromium.launch({ executablePath, headless: true, args: flags, timeout: patience });
  }, 2 * patience);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    async open(url, options = desk) {
      const context = await browser!.newContext(options);
      context.setDefaultTimeout(patience);
      const page = await context.newPage();
      const problems = watch(page, new URL(url).origin);
      await page.goto(url);
      return { page, problems, [Symbol.asyncDispose]: () => context.close() };
    },
  };
}

function watch(page: Page, own: string): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`fault: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) problems.push(text);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'blob:' && origin !== own) problems.push(`request: ${request.url()}`);
  });
  return problems;
}

/**
 * Steps of a model that takes its time: some come soon, and from then on so few that a busy machine is done with its
 * test long before the context is full. A step may give several tokens, since what repeats itself is foreseen.
 */
export function slowly(): (usual: () => unknown) => Promise<unknown> {
  let steps = 0;
  return async (usual) => {
    await new Promise((resolve) => setTimeout(resolve, steps++ < 20 ? 5 : 1000));
    return usual();
  };
}

/** As vitest's, with the patience of these tests. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: patience });

export const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

/** Writes a message and sends it with the keyboard. */
export async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.keyboard.press('Enter');
}

/** The answers on the page that are complete. */
export const answers = (page: Page) => page.locator('.answer[aria-busy="false"]');

/** What the answers on the page say, once there are so many and all are complete. */
export async function answersOnceThere(page: Page, count: number): Promise<string[]> {
  await eventually(async () => [await answers(page).count(), await page.locator('.answer').count()]).toEqual([
    count,
    count,
  ]);
  return (await answers(page).locator('.markdown').allInnerTexts()).map((text) => text.trim());
}

/** The titles in the list of conversations. */
export const titles = (page: Page) => page.locator('.conversations .open').allInnerTexts();

/** Sets a number of the settings. */
export async function setNumber(page: Page, name: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('spinbutton', { name }).fill(value);
  await closeDialog(page);
}

/** Closes what lies over the page; it is gone a moment after the key. */
export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
}

/** Keeps a picture of the page for the guide, where the variable POCKETLLM_PICTURES asks for them. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.POCKETLLM_PICTURES === undefined) return;
  await page.evaluate(() => document.fonts.ready);
  const path = fileURLToPath(new URL(`../../../docs/guides/pictures/${name}.png`, import.meta.url));
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
}
