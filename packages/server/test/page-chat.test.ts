import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fasterBackend, type OpenServer, openTaleServer } from './open-server.js';
import {
  answersOnceThere,
  closeDialog,
  eventually,
  field,
  hasBrowser,
  needs,
  pageTests,
  patience,
  send,
  setNumber,
  titles,
} from './page-browser.js';

const { folder, open } = pageTests();
const tale = (): Promise<OpenServer> => openTaleServer({ page: folder }, fasterBackend);

const norway = 'What is the capital of Norway?';
const oslo = 'The capital of Norway is Oslo.';

describe.skipIf(!hasBrowser)(`a conversation on the chat page${needs}`, { timeout: 4 * patience }, () => {
  it('streams, and tells tokens, speed, model, backend and device', async () => {
    await using served = await tale();
    await using opened = await open(served.url);
    const { page, problems } = opened;
    await setNumber(page, 'Temperature', '0');
    await page.evaluate(() => {
      const lengths = new Set<number>();
      const look = () =>
        lengths.add(document.querySelector('.answer[aria-busy="true"] .markdown')?.textContent.length ?? 0);
      new MutationObserver(look).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      });
      Object.assign(window, { lengths });
    });
    await send(page, 'Tell me a tale about a fox named Pip who lives by the river.');
    const body = page.locator('.answer .markdown');
    const [told] = await answersOnceThere(page, 1);
    expect(told).toContain('Pip');
    // It could be read before it was complete.
    expect(await page.evaluate('window.lengths.size')).toBeGreaterThan(3);
    expect(await body.locator('p').count()).toBeGreaterThan(1);
    const counts = await page.locator('.counts').textContent();
    expect(counts).toMatch(/^\d+ tokens · [\d.]+ tokens\/s · first after [\d.]+ m?s$/);
    expect(await page.locator('.room').textContent()).toMatch(/^\d+ of 1,024 tokens of context$/);
    const where = await page.locator('.where').textContent();
    const { server, model } = served;
    expect(where).toBe(`${server.modelName} · ${fasterBackend.name} · ${model.info.device}`);
    expect(problems).toEqual([]);
  });

  it('folds what was thought, with its time', async () => {
    await using served = await tale();
    await using opened = await open(served.url);
    const { page } = opened;
    await setNumber(page, 'Temperature', '0');
    await send(page, norway);
    expect(await answersOnceThere(page, 1)).toEqual([oslo]);
    const thought = page.locator('.thought');
    expect(await thought.isVisible()).toBe(false);
    expect(await page.locator('.thinking summary').textContent()).toMatch(/^Thought for [\d.]+ m?s$/);
    await page.locator('.thinking summary').click();
    expect(await thought.isVisible()).toBe(true);
    expect(await thought.textContent()).toMatch(/\w{3}/);
    await page.getByRole('switch', { name: 'Thinking' }).uncheck();
    await send(page, norway);
    expect(await answersOnceThere(page, 2)).toEqual([oslo, oslo]);
    expect(await page.locator('.thinking:visible').count()).toBe(1);
  });

  it('keeps every version of a message that is edited or answered again', async () => {
    await using served = await tale();
    await using opened = await open(served.url);
    const { page, problems } = opened;
    await setNumber(page, 'Temperature', '0');
    await send(page, norway);
    await answersOnceThere(page, 1);
    await send(page, 'What is the opposite of cold?');
    await answersOnceThere(page, 2);

    const [first] = await page.locator('.user').all();
    await first!.hover();
    await first!.getByRole('button', { name: 'Edit message' }).click();
    await page.getByRole('textbox', { name: 'Edit message' }).fill('What is the capital of Italy?');
    await page.keyboard.press('Enter');
    expect(await answersOnceThere(page, 1)).toEqual(['The capital of Italy is Rome.']);
    await page.getByRole('button', { name: 'Version before' }).click();
    expect((await answersOnceThere(page, 2))[0]).toBe(oslo);
    await page.keyboard.press('Enter');
    expect(await answersOnceThere(page, 1)).toEqual(['The capital of Italy is Rome.']);

    const answer = page.locator('.answer');
    await answer.hover();
    await answer.getByRole('button', { name: 'Answer again' }).click();
    await answer.getByText('2 / 2').waitFor();
    expect(await answersOnceThere(page, 1)).toEqual(['The capital of Italy is Rome.']);
    expect(problems).toEqual([]);
  });

  it('is there after a reload, with its settings', async () => {
    await using served = await tale();
    await using opened = await open(served.url);
    const { page } = opened;
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('textbox', { name: 'System prompt' }).fill('Answer in one word.');
    await page.getByRole('spinbutton', { name: 'Temperature' }).fill('0');
    await page.getByRole('spinbutton', { name: 'Longest answer' }).fill('40');
    await closeDialog(page);
    await page.getByRole('switch', { name: 'Thinking' }).uncheck();
    await send(page, norway);
    expect(await answersOnceThere(page, 1)).toEqual(['Oslo']);
    await page.reload();
    expect(await answersOnceThere(page, 1)).toEqual(['Oslo']);
    expect(await page.getByRole('switch', { name: 'Thinking' }).isChecked()).toBe(false);
    const asked = page.waitForRequest(/chat\/completions/);
    await send(page, 'And of Italy?');
    expect((await asked).postDataJSON()).toEqual({
      messages: [
        { role: 'system', content: 'Answer in one word.' },
        { role: 'user', content: norway },
        { role: 'assistant', content: 'Oslo' },
        { role: 'user', content: 'And of Italy?' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      max_tokens: 40,
      chat_template_kwargs: { enable_thinking: false },
    });
    await answersOnceThere(page, 2);
  });

  it('is one of several, which can be named, exported and deleted', async () => {
    await using served = await tale();
    await using opened = await open(served.url);
    const { page, problems } = opened;
    await setNumber(page, 'Temperature', '0');
    await send(page, norway);
    await answersOnceThere(page, 1);
    await page.getByRole('button', { name: 'New conversation' }).click();
    await send(page, 'What is the opposite of cold?');
    await answersOnceThere(page, 1);
    await eventually(() => titles(page)).toEqual(['What is the opposite of cold?', norway]);

    const choose = async (title: string, item: string) => {
      await page.getByRole('button', { name: `Options of ${title}` }).click();
      await page.getByRole('button', { name: item }).click();
    };
    await choose(norway, 'Rename');
    await page.getByRole('textbox', { name: 'Title' }).fill('Norway');
    await page.keyboard.press('Enter');
    await eventually(() => titles(page)).toEqual(['What is the opposite of cold?', 'Norway']);

    let exported = '';
    for (const [format, name, content] of [
      ['Markdown', 'norway.md', `# Norway\n\n## You\n\n${norway}\n\n## Answer\n\n${oslo}\n`],
      ['JSON', 'norway.json', '"title": "Norway"'],
    ] as const) {
      const saved = page.waitForEvent('download');
      await choose('Norway', `Export as ${format}`);
      const download = await saved;
      expect(download.suggestedFilename()).toBe(name);
      exported = await download.path();
      expect(await readFile(exported, 'utf8')).toContain(content);
    }

    await page.getByRole('button', { name: 'Norway', exact: true }).click();
    const heading = page.getByRole('heading', { level: 1 });
    await eventually(() => heading.textContent()).toBe('Norway');
    expect(await answersOnceThere(page, 1)).toEqual([oslo]);
    await page.goBack();
    await eventually(() => heading.textContent()).toContain('opposite');
    await page.goForward();
    await eventually(() => heading.textContent()).toBe('Norway');
    await choose('Norway', 'Delete');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await titles(page)).toContain('Norway');
    await choose('Norway', 'Delete');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await eventually(() => titles(page)).toEqual(['What is the opposite of cold?']);
    await page.getByText(`Ask ${served.server.modelName}`).waitFor();
    expect(await field(page).inputValue()).toBe('');

    const importing = async (file: string | { name: string; mimeType: string; buffer: Buffer }) => {
      const asked = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Import a conversation' }).click();
      await (await asked).setFiles(file);
    };
    await importing(exported);
    await eventually(() => heading.textContent()).toBe('Norway');
    expect(await answersOnceThere(page, 1)).toEqual([oslo]);
    expect(await titles(page)).toContain('Norway');
    await importing({
      name: 'other.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"title": 1}'),
    });
    await page.getByText('other.json was not imported').waitFor();
    expect(problems).toEqual([]);
  });
});
