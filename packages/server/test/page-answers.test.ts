import { describe, expect, it } from 'vitest';
import { newConversation } from '../page/conversation/conversation.js';
import { add } from '../page/conversation/tree.js';
import { type OpenServer, openScriptedServer } from './open-server.js';
import {
  answers,
  answersOnceThere,
  closeDialog,
  eventually,
  hasBrowser,
  needs,
  pageTests,
  patience,
  send,
  setNumber,
  slowly,
} from './page-browser.js';

const { folder, open } = pageTests();

/** A step every few milliseconds, so that an answer arrives in many pieces. */
const paced = async (usual: () => unknown) => {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return usual();
};
const scripted = (
  output: string,
  options: Parameters<typeof openScriptedServer>[1] = {},
): Promise<OpenServer> => openScriptedServer(output, { page: folder, ...options });

const hostile = `<script>window.harm = 1</script>

<img src=x onerror="window.harm = 2"> <svg onload="window.harm = 3"></svg>

<iframe srcdoc="<script>parent.harm = 4</script>"></iframe>

[a](javascript:window.harm=5) [b](data:text/html,x) [c](/v1/models) ![d](https://harm.example/d.png)

[e](https://good.example/?a=1&b=2) &lt;b&gt; <https://good.example>

\`\`\`"><img/src=x/onerror=harm=6>
</code></pre><script>harm = 7</script>
\`\`\`

| <img src=x onerror="harm = 8"> |
|---|
| <style>*{display:none}</style> |
`;

describe.skipIf(!hasBrowser)(`an answer on the chat page${needs}`, { timeout: 4 * patience }, () => {
  it('can be stopped, and keeps what had arrived', async () => {
    await using served = await scripted('', { run: slowly() });
    await using opened = await open(served.url);
    const { page, problems } = opened;
    for (const stop of ['button', 'key']) {
      await send(page, 'Go on');
      const last = page.locator('.answer').last();
      await eventually(() => last.textContent()).toMatch(/tokens\/s/);
      if (stop === 'key') await page.keyboard.press('Escape');
      else await page.getByRole('button', { name: 'Stop' }).click();
      await last.getByText('Stopped.').waitFor();
      expect(await last.locator('.counts').textContent()).toMatch(/^≈ \d+ tokens/);
      await page.getByRole('button', { name: 'Send' }).waitFor();
      await eventually(() => served.model.activity.running).toBe(0);
    }
    expect(await answers(page).count()).toBe(2);
    expect(problems).toEqual([]);
  });

  it('cannot bring in markup, scripts or requests of its own', async () => {
    await using served = await scripted(hostile);
    await using opened = await open(served.url);
    const { page, problems } = opened;
    await setNumber(page, 'Temperature', '0');
    await page.getByRole('switch', { name: 'Thinking' }).uncheck();
    await send(page, '<img src=x onerror="harm = 9">');
    await answersOnceThere(page, 1);
    for (let visit = 0; visit < 2; visit++) {
      const body = page.locator('.answer .markdown');
      await eventually(() => body.textContent()).toContain('<script>window.harm = 1</script>');
      expect(await body.textContent()).toContain('<b> https://good.example');
      const foreign = 'script, img, iframe, style, link, object, svg:not(.icon), [onerror], [onload], [src]';
      expect(await page.locator('main').locator(foreign).count()).toBe(0);
      const links = await body
        .locator('a')
        .evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).href));
      const good = ['https://good.example/?a=1&b=2', 'https://good.example/'];
      expect(links).toEqual(['https://harm.example/d.png', ...good]);
      expect(await page.evaluate('window.harm')).toBeUndefined();
      await page.reload();
    }
    expect(problems).toEqual([]);
  });

  it('looks the same while it arrives and when it is opened again', async () => {
    const output = [
      '# One\n\nA *line* with `code`, **bold** and [a link][1].\n',
      '- first\n- second\n\n  more of it\n\n  ```js\n  const a = 1;\n  ```\n- third\n',
      '```python\nfor n in range(3):\n    print(n)\n```\n',
      '| a | b |\n|---|--:|\n| 1 | 2 |\n\n> quoted\n> twice\n\n1. x\n2. y\n\nEnd &amp; more\n\n[1]: https://good.example/\n',
    ].join('\n');
    await using served = await scripted(output, { run: paced });
    await using opened = await open(served.url);
    const { page, problems } = opened;
    await setNumber(page, 'Temperature', '0');
    await page.getByRole('switch', { name: 'Thinking' }).uncheck();
    await send(page, 'Go on');
    await answersOnceThere(page, 1);
    const shown = async () => {
      await eventually(() => page.locator('figure.code:has([class^="code-"])').count()).toBe(2);
      return page.locator('.answer .markdown').innerHTML();
    };
    const arrived = await shown();
    expect(arrived).toContain('<a href="https://good.example/"');
    await page.reload();
    expect(await shown()).toBe(arrived);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy code' }).last().click();
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe(
      'for n in range(3):\n    print(n)',
    );
    expect(problems).toEqual([]);
  });

  it('changes nothing but itself while it arrives, in a conversation of 200 messages', async () => {
    const conversation = newConversation();
    conversation.title = 'Long';
    let parent: string | null = null;
    for (let index = 0; index < 100; index++) {
      const id = `message-${String(index).padStart(3, '0')}`;
      add(conversation, { id: `${id}-a`, parent, role: 'user', created: index, text: `Question ${index}` });
      const answer = {
        text: `Answer **${index}**`,
        reasoning: '',
        thoughtMs: 0,
        calls: [],
        state: 'done',
      } as const;
      add(conversation, {
        id: `${id}-b`,
        parent: `${id}-a`,
        role: 'assistant',
        created: index,
        ...answer,
        calls: [],
      });
      parent = `${id}-b`;
    }
    await using served = await scripted('', { run: slowly() });
    await using opened = await open(served.url);
    const { page, problems } = opened;
    await page.getByText('Ask ').waitFor();
    await page.evaluate(async (made) => {
      const opening = indexedDB.open('pocketllm', 1);
      const database = await new Promise<IDBDatabase>((resolve) => {
        opening.onsuccess = () => resolve(opening.result);
      });
      const writing = database.transaction(['heads', 'conversations'], 'readwrite');
      writing.objectStore('heads').put({ id: made.id, title: made.title, changed: made.changed });
      writing.objectStore('conversations').put(made);
      await new Promise((resolve) => {
        writing.oncomplete = resolve;
      });
      database.close();
      location.hash = made.id;
    }, conversation);
    await eventually(() => page.locator('.message').count()).toBe(200);
    // Such a conversation is longer than the context of the model.
    await page.route(/chat\/completions/, (route) => {
      const asked = route.request().postDataJSON() as { messages: unknown[] };
      return route.continue({ postData: { ...asked, messages: asked.messages.slice(-1) } });
    });
    await send(page, 'Go on');
    await page.locator('.answer[aria-busy="true"] .markdown *').first().waitFor();
    await page.evaluate(() => {
      const seen = { inside: 0, outside: 0 };
      const last = document.querySelector('.message:last-child')!;
      new MutationObserver((records) => {
        for (const { target } of records) seen[last.contains(target) ? 'inside' : 'outside']++;
      }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
      Object.assign(window, { seen });
    });
    const seen = () =>
      page.evaluate(() => (window as unknown as { seen: { inside: number; outside: number } }).seen);
    await eventually(async () => (await seen()).inside).toBeGreaterThan(50);
    expect((await seen()).outside).toBe(0);
    await page.keyboard.press('Escape');
    await answers(page).last().getByText('Stopped.').waitFor();
    expect(problems).toEqual([]);
  });

  it('shows calls of functions, and goes on with what they returned', async () => {
    const output =
      'I look.\n<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo", "days": [1, 2]}}\n</tool_call>';
    await using served = await scripted(output);
    await using opened = await open(served.url);
    const { page, problems } = opened;
    await setNumber(page, 'Temperature', '0');
    await page.getByRole('switch', { name: 'Thinking' }).uncheck();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByText('For developers').click();
    const tools = page.getByRole('textbox', { name: 'Tools' });
    await tools.fill('{');
    await tools.blur();
    await page.getByText('The tools are not valid JSON').waitFor();
    const weather = {
      name: 'weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    };
    await tools.fill(JSON.stringify([{ type: 'function', function: weather }]));
    await closeDialog(page);
    await send(page, 'How is the weather in Oslo?');
    expect(await answersOnceThere(page, 1)).toEqual(['I look.']);
    const call = page.getByRole('region', { name: 'Call of weather' });
    expect(await call.locator('dt, dd').allTextContents()).toEqual(['city', 'Oslo', 'days', '[1,2]']);
    const asked = page.waitForRequest(/chat\/completions/);
    await page.getByRole('textbox', { name: 'Result of weather' }).fill('rain');
    await page.getByRole('button', { name: 'Send results' }).click();
    const { messages } = (await asked).postDataJSON() as { messages: Record<string, unknown>[] };
    const [, assistant, tool] = messages;
    const [made] = assistant!.tool_calls as { id: string; function: { name: string; arguments: string } }[];
    expect(made!.function.name).toBe('weather');
    expect(JSON.parse(made!.function.arguments)).toEqual({ city: 'Oslo', days: [1, 2] });
    expect(tool).toEqual({ role: 'tool', content: 'rain', tool_call_id: made!.id });
    await answersOnceThere(page, 2);
    expect(await page.locator('.tool').textContent()).toBe('Result of weatherrain');
    expect(problems).toEqual([]);
  });
});
