import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fasterBackend, openTaleServer } from './open-server.js';
import {
  answers,
  answersOnceThere,
  closeDialog,
  desk,
  eventually,
  field,
  hasBrowser,
  needs,
  pageTests,
  patience,
  phone,
  picture,
  send,
  setNumber,
  titles,
} from './page-browser.js';

const { folder, open } = pageTests();

/** Rules of accessibility that the page breaks as it is now, each with where. */
async function brokenRules(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run());
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

/** Lets the next answer be these events instead of the model's. */
async function scriptAnswer(page: Page, ...deltas: object[]): Promise<void> {
  const chunks = deltas.map((delta) => JSON.stringify({ choices: [{ index: 0, delta }] }));
  const body = [...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
  await page.route(
    /chat\/completions/,
    (route) => route.fulfill({ contentType: 'text/event-stream', body }),
    { times: 1 },
  );
}

const rich = `## A heading

Text with \`code\`, a [link](https://good.example/) and ~~nothing~~.

\`\`\`typescript
// A comment
const answer: number = 42; // "text"
\`\`\`

| Left | Right |
|---|--:|
| 1 | 2 |

- [x] done
- [ ] open

> quoted`;

const call = { id: 'call-1', function: { name: 'weather', arguments: '{"city": "Oslo"}' } };

describe.skipIf(!hasBrowser)(`everybody can use the chat page${needs}`, { timeout: 6 * patience }, () => {
  it.each(['light', 'dark'] as const)('which breaks no rule of accessibility, in %s', async (colorScheme) => {
    await using served = await openTaleServer({ page: folder }, fasterBackend);
    await using opened = await open(served.url, { ...desk, colorScheme, reducedMotion: 'reduce' });
    const { page, problems } = opened;
    const fine = async (state: string) => expect(await brokenRules(page), state).toEqual([]);
    await page.getByText('Ask ').waitFor();
    await fine('empty');
    await setNumber(page, 'Temperature', '0');
    await send(page, 'What is the capital of Norway?');
    await answersOnceThere(page, 1);
    await send(page, 'Tell me a tale about a fox named Pip who lives by the river.');
    await answersOnceThere(page, 2);
    await page.locator('.thinking summary').last().click();
    await fine('conversation');
    await field(page).focus();
    await picture(page, `chat-${colorScheme}`);

    await scriptAnswer(page, { reasoning_content: 'Hm.' }, { content: rich });
    await send(page, 'More');
    await answersOnceThere(page, 3);
    await page.locator('.code-keyword').first().waitFor();
    await fine('code and tables');
    await scriptAnswer(page, { tool_calls: [{ index: 0, ...call }] });
    await send(page, 'Call');
    await page.getByRole('textbox', { name: 'Result of weather' }).waitFor();
    await fine('a call');
    await page.route(/chat\/completions/, (route) => route.abort(), { times: 1 });
    await send(page, 'Fail');
    await page.locator('.fault').waitFor();
    await fine('a fault');
    await page.getByRole('button', { name: 'Edit message' }).last().click();
    await fine('an edit');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Settings' }).click();
    if (colorScheme === 'light') await picture(page, 'settings');
    for (const more of ['For developers', 'Keys']) await page.getByText(more).click();
    await fine('settings');
    await closeDialog(page);
    await page.getByRole('button', { name: /^Options of/ }).click();
    await fine('a menu');
    await page.getByRole('button', { name: 'Rename' }).click();
    await fine('a dialog');
    expect(problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('on a phone 360 pixels wide, in %s', async (colorScheme) => {
    await using served = await openTaleServer({ page: folder }, fasterBackend);
    await using opened = await open(served.url, { ...phone, colorScheme, reducedMotion: 'reduce' });
    const { page, problems } = opened;
    /** What sticks out to the side, and is not in something that scrolls; and what is too small for a finger. */
    const misfits = () =>
      page.evaluate(() => {
        const shown = [...document.querySelectorAll<HTMLElement>('body *')].filter((one) =>
          one.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
        );
        const wide = shown.filter((one) => {
          const { right, left } = one.getBoundingClientRect();
          return (
            (right > innerWidth + 0.5 || left < -0.5) &&
            !one.closest('pre, .table, .sidebar, .visually-hidden')
          );
        });
        const small = shown.filter((one) => {
          const { width, height } = one.getBoundingClientRect();
          return one.matches('button, summary') && Math.min(width, height) < 28;
        });
        return [...wide, ...small].map((one) => one.outerHTML.slice(0, 120));
      });
    const fits = async (state: string) => {
      expect(await misfits(), state).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), state).toBe(360);
      expect(await brokenRules(page), state).toEqual([]);
    };
    await page.getByText('Ask ').waitFor();
    await fits('empty');
    await setNumber(page, 'Temperature', '0');
    await field(page).fill('Tell me a tale about a fox named Pip who lives by the river.');
    await page.getByRole('button', { name: 'Send' }).tap();
    await answersOnceThere(page, 1);
    await fits('conversation');
    if (colorScheme === 'dark') await picture(page, 'phone');
    await scriptAnswer(page, { content: `${rich}\n\n${'long'.repeat(60)}` });
    await field(page).fill('x'.repeat(100));
    await page.getByRole('button', { name: 'Send' }).tap();
    await answersOnceThere(page, 2);
    await fits('code and tables');
    const list = page.getByRole('navigation', { name: 'Conversations' });
    expect(await list.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Conversations' }).tap();
    await list.getByRole('button', { name: 'Close the list' }).waitFor();
    await fits('list');
    await list.getByRole('button', { name: 'New conversation' }).tap();
    await page.getByText('Ask ').waitFor();
    await eventually(() => list.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Settings' }).tap();
    await fits('settings');
    expect(problems).toEqual([]);
  });

  it('with the keyboard alone, and sees where it is', async () => {
    await using served = await openTaleServer({ page: folder }, fasterBackend);
    await using opened = await open(served.url);
    const { page, problems } = opened;
    const { keyboard } = page;
    /** The name of what has the focus. What cannot be seen to have it is reported. */
    const focused = () =>
      page.evaluate(() => {
        const now = document.activeElement as HTMLElement;
        const frame = now.closest('.field') ?? now.closest('label:has(input[type=radio])') ?? now;
        const isSeen = [now, frame].some((one) => getComputedStyle(one).outlineStyle !== 'none');
        const name = now.ariaLabel ?? now.closest('label')?.textContent ?? now.textContent;
        return isSeen ? name.trim() : `${name.trim()}, without a mark`;
      });
    const tabTo = async (name: string, key: 'Tab' | 'Shift+Tab') => {
      const passed: string[] = [];
      while (!passed.at(-1)?.startsWith(name)) {
        await keyboard.press(key);
        passed.push(await focused());
        expect(passed.length, passed.join(' | ')).toBeLessThan(40);
      }
      expect(passed.filter((one) => one.endsWith('without a mark'))).toEqual([]);
      return passed;
    };
    await page.getByText('Ask ').waitFor();
    await eventually(focused).toBe('Message');
    await tabTo('Settings', 'Shift+Tab');
    await keyboard.press('Enter');
    await tabTo('Temperature', 'Tab');
    await keyboard.type('0');
    await closeDialog(page);
    expect(await focused()).toBe('Settings');
    expect(await tabTo('Message', 'Tab')).toEqual(['Message']);
    expect(await tabTo('Thinking', 'Tab')).toEqual(['Send', 'Thinking']);
    await keyboard.press('Space');
    await tabTo('Message', 'Shift+Tab');
    await keyboard.type('What is the capital of Norway?');
    await keyboard.press('Enter');
    expect(await answersOnceThere(page, 1)).toEqual(['The capital of Norway is Oslo.']);
    expect(await focused()).toBe('Message');

    await keyboard.press('ArrowUp');
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type('What is the opposite of cold?');
    await keyboard.press('Enter');
    await eventually(() => answers(page).locator('.markdown').allInnerTexts()).toEqual([
      expect.stringContaining('hot'),
    ]);
    expect(await focused()).toBe('Message');
    await tabTo('Answer again', 'Shift+Tab');
    await tabTo('Version before', 'Shift+Tab');
    await keyboard.press('Enter');
    expect(await answersOnceThere(page, 1)).toEqual(['The capital of Norway is Oslo.']);
    expect(await focused()).toBe('Version after');

    await keyboard.press('ControlOrMeta+Shift+o');
    await page.getByText('Ask ').waitFor();
    await eventually(focused).toBe('Message');
    await tabTo('Options of', 'Shift+Tab');
    await keyboard.press('Enter');
    await eventually(focused).toBe('Rename');
    await keyboard.press('Escape');
    await eventually(focused).toMatch(/^Options of/);
    await keyboard.press('Enter');
    await tabTo('Delete', 'Tab');
    await keyboard.press('Enter');
    await tabTo('Delete', 'Tab');
    await keyboard.press('Enter');
    await eventually(() => titles(page)).toEqual([]);
    await eventually(focused).toBe('Message');
    expect(problems).toEqual([]);
  });

  it('with a screen reader, which is told of an answer twice and of no token', async () => {
    await using served = await openTaleServer({ page: folder }, fasterBackend);
    await using opened = await open(served.url, { ...desk, reducedMotion: 'reduce' });
    const { page } = opened;
    await setNumber(page, 'Temperature', '0');
    await page.evaluate(() => {
      const told: string[] = [];
      const live = document.querySelectorAll('[role=status], [role=log], [role=alert], [aria-live], output');
      for (const region of live) {
        new MutationObserver(() => told.push(region.textContent)).observe(region, {
          childList: true,
          subtree: true,
          characterData: true,
        });
      }
      Object.assign(window, { told, live: live.length });
    });
    await send(page, 'What is the capital of Norway?');
    await answersOnceThere(page, 1);
    const { told, live } = await page.evaluate(() => {
      const { told, live } = window as unknown as { told: string[]; live: number };
      return { told, live, moving: document.getAnimations().length };
    });
    expect(live).toBe(1);
    expect(told).toEqual(['Answering', 'Answer: The capital of Norway is Oslo.']);
  });
});
