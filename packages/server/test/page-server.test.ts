import { readdirSync, readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openScriptedServer } from './open-server.js';
import {
  answers,
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

/** A way to the server that can be cut. */
async function openWay(url: string) {
  const sockets = new Set<Socket>();
  const way = createServer((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const { port } = way.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    cut() {
      way.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe.skipIf(!hasBrowser)(`the chat page${needs}`, { timeout: 4 * patience }, () => {
  it('asks for the API key, and keeps it for the tab alone', async () => {
    await using served = await openScriptedServer('', { page: folder, apiKey: 'secret', run: slowly() });
    await using opened = await open(served.url);
    const { page, problems } = opened;
    const key = page.getByRole('textbox', { name: 'Key' });
    const where = page.locator('.where');
    await key.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The API key is not right.').waitFor();
    await closeDialog(page);
    await page.getByText('This server needs an API key.').waitFor();

    // Whoever goes on all the same is asked at the answer.
    await send(page, 'Hello');
    await page.locator('.fault').getByRole('button', { name: 'Enter the API key' }).click();
    await key.fill('secret');
    await page.keyboard.press('Enter');
    await eventually(() => where.textContent()).toContain(served.server.modelName);
    await page.locator('.answer .counts').waitFor();
    expect(await page.locator('.fault').count()).toBe(0);
    await page.keyboard.press('Escape');
    await answers(page).waitFor();

    const kept = await page.evaluate(() => [JSON.stringify(sessionStorage), JSON.stringify(localStorage)]);
    expect(kept[0]).toContain('secret');
    expect(kept[1]).not.toContain('secret');
    await page.reload();
    await eventually(() => where.textContent()).toContain(served.server.modelName);
    expect(await key.count()).toBe(0);
    const other = await page.context().newPage();
    await other.goto(served.url);
    await other.getByRole('textbox', { name: 'Key' }).waitFor();
    await other.close();
    await page.getByRole('button', { name: 'Forget the API key' }).click();
    await key.waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('secret');
    expect(problems).toEqual([]);
  });

  it('says when a busy server wants to be asked again, and asks it', async () => {
    await using served = await openScriptedServer('', {
      page: folder,
      run: slowly(),
      maxSequences: 1,
      maxQueue: 0,
    });
    await using opened = await open(served.url);
    const { page } = opened;
    const abort = new AbortController();
    const other = await served.post(
      '/v1/completions',
      { prompt: 'Once', temperature: 0, stream: true },
      { signal: abort.signal },
    );
    await send(page, 'Hello');
    const fault = page.locator('.fault');
    expect(await fault.textContent()).toMatch(/The server is busy.*It asks to wait \d+ seconds?\./);
    abort.abort();
    await other.body?.cancel().catch(() => {});
    await eventually(() => served.model.activity.running).toBe(0);
    await fault.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.answer .counts').waitFor();
    expect(await page.locator('.answer').count()).toBe(1);
    await page.keyboard.press('Escape');
    await answers(page).getByText('Stopped.').waitFor();
    // What failed without a word is no version.
    expect(await page.locator('.versions').count()).toBe(0);
  });

  it('tells both counts of a conversation that is longer than the context', async () => {
    await using served = await openScriptedServer('', { page: folder, maxModelLen: 64 });
    await using opened = await open(served.url);
    const { page } = opened;
    await send(page, 'word '.repeat(100));
    const fault = await page.locator('.fault').textContent();
    expect(fault).toMatch(/context holds 64 tokens, and the prompt has \d{3}/);
    expect(fault).toContain('Start a new conversation, or edit an earlier message.');
  });

  it('keeps what had arrived when the connection breaks', async () => {
    await using served = await openScriptedServer('', { page: folder, run: slowly() });
    const way = await openWay(served.url);
    await using opened = await open(way.url);
    const { page, problems } = opened;
    await setNumber(page, 'Temperature', '0');
    await page.getByRole('switch', { name: 'Thinking' }).uncheck();
    await send(page, 'Go on');
    const body = page.locator('.answer .markdown');
    await eventually(async () => (await body.textContent())?.length).toBeGreaterThan(10);
    way.cut();
    const fault = page.locator('.fault');
    await eventually(() => fault.textContent()).toContain('The connection to the server was lost.');
    expect(await fault.textContent()).toContain('What had arrived is kept.');
    expect((await body.textContent())?.length).toBeGreaterThan(10);
    await fault.getByRole('button', { name: 'Try again' }).click();
    await eventually(() => fault.textContent()).toContain(
      'The server cannot be reached. Is it still running?',
    );
    await page.getByRole('button', { name: 'Version before' }).click();
    expect((await body.textContent())?.length).toBeGreaterThan(10);
    expect(problems).toEqual([]);
  });

  it('is small', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.\w+$/.test(name),
    );
    const shown = files.filter((name) => !name.includes('licence'));
    expect(shown.length).toBeGreaterThan(6);
    const bytes = shown.map((name) => gzipSync(readFileSync(join(folder, name))).length);
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(150_000);
  });

  it('cannot reach another origin, nor write HTML', async () => {
    await using served = await openScriptedServer('', { page: folder });
    await using opened = await open(served.url);
    await using another = await openScriptedServer('', { corsOrigins: ['*'] });
    const { page } = opened;
    await page.getByText('Ask ').waitFor();
    const outcome = await page.evaluate(async (url) => {
      const violations: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) =>
        violations.push(event.effectiveDirective),
      );
      const asked = await fetch(`${url}/v1/models`).then(
        () => 'answered',
        () => 'refused',
      );
      let wrote = 'wrote';
      try {
        document.createElement('div').innerHTML = '<b>x</b>';
      } catch {
        wrote = 'refused';
      }
      await new Promise((resolve) => setTimeout(resolve));
      return { asked, wrote, violations };
    }, another.url);
    expect(outcome.asked).toBe('refused');
    expect(outcome.wrote).toBe('refused');
    expect(outcome.violations).toContain('connect-src');
  });
});
