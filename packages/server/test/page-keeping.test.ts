import { describe, expect, it } from 'vitest';
import { openScriptedServer } from './open-server.js';
import {
  eventually,
  hasBrowser,
  needs,
  pageTests,
  patience,
  send,
  setNumber,
  slowly,
  titles,
} from './page-browser.js';

const { folder, open } = pageTests();

const slow = () => openScriptedServer('', { page: folder, run: slowly() });

/** Opens the page for an answer of which each letter is the same. */
async function openGreedy(url: string) {
  const opened = await open(url);
  await setNumber(opened.page, 'Temperature', '0');
  await opened.page.getByRole('switch', { name: 'Thinking' }).uncheck();
  return opened;
}

describe.skipIf(!hasBrowser)(`the chat page keeps${needs}`, { timeout: 4 * patience }, () => {
  it('an answer going while another conversation is shown', async () => {
    await using served = await slow();
    await using opened = await openGreedy(served.url);
    const { page, problems } = opened;
    const length = async () => (await page.locator('.answer .markdown').textContent())?.length ?? 0;
    await send(page, 'First');
    await eventually(length).toBeGreaterThan(5);
    const before = await length();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByText('Ask ').waitFor();
    await page.getByRole('button', { name: 'First (answering)' }).waitFor();
    expect(served.model.activity.running).toBe(1);
    await page.getByRole('button', { name: 'First (answering)' }).click();
    await page.locator('.answer[aria-busy="true"]').waitFor();
    await eventually(length).toBeGreaterThan(before + 20);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    expect(await titles(page)).toEqual(['First']);
    expect(problems).toEqual([]);
  });

  it('what had arrived when the page is closed', async () => {
    await using served = await slow();
    await using opened = await openGreedy(served.url);
    const { page, problems } = opened;
    await send(page, 'First');
    const kept = () =>
      page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const opening = indexedDB.open('pocketllm', 1);
            opening.onsuccess = () => {
              const reading = opening.result
                .transaction('conversations')
                .objectStore('conversations')
                .getAll();
              reading.onsuccess = () => {
                const messages = reading.result.flatMap(({ messages }) => Object.values(messages));
                resolve((messages.at(-1) as { text: string } | undefined)?.text.length ?? 0);
              };
            };
          }),
      );
    await eventually(kept).toBeGreaterThan(5);
    await page.reload();
    await page.getByText('Stopped.').waitFor();
    expect((await page.locator('.answer .markdown').textContent())?.length).toBeGreaterThan(5);
    await eventually(() => served.model.activity.running).toBe(0);
    expect(problems).toEqual([]);
  });

  it('two tabs at the same', async () => {
    await using served = await slow();
    await using opened = await openGreedy(served.url);
    const { page, problems } = opened;
    const other = await page.context().newPage();
    await other.goto(served.url);
    await other.getByText('Ask ').waitFor();
    await send(page, 'First');
    await eventually(() => titles(other)).toEqual(['First']);
    await other.getByRole('button', { name: 'First', exact: true }).click();
    await other.locator('.answer').waitFor();
    await page.bringToFront();
    await page.keyboard.press('Escape');
    await page.getByText('Stopped.').waitFor();
    const text = await page.locator('.answer .markdown').textContent();
    await eventually(() => other.locator('.answer .markdown').textContent()).toBe(text);
    expect(problems).toEqual([]);
  });

  it('to light or dark, as the system has it or as it is set', async () => {
    await using served = await slow();
    await using opened = await open(served.url, { colorScheme: 'light' });
    const { page, problems } = opened;
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await page.getByText('Ask ').waitFor();
    const light = await paper();
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.getByRole('radio', { name: 'Light' }).check({ force: true });
    expect(await paper()).toBe(light);
    await page.reload();
    await page.getByText('Ask ').waitFor();
    expect(await paper()).toBe(light);
    await page.getByRole('radio', { name: 'As the system' }).check({ force: true });
    expect(await paper()).toBe(dark);
    expect(problems).toEqual([]);
  });
});
