import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatRequest } from '../page/api/chat-request.js';
import { chatEvents } from '../page/api/chat-stream.js';
import { eventData } from '../page/api/event-data.js';
import { failureOf } from '../page/api/fault.js';
import {
  type AnswerMessage,
  type Message,
  newConversation,
  titleFrom,
} from '../page/conversation/conversation.js';
import { fileNameOf, toJson, toMarkdown } from '../page/conversation/export.js';
import { fromJson } from '../page/conversation/import.js';
import { add, choose, pathOf, pathTo, versionsOf } from '../page/conversation/tree.js';
import { blocksOf } from '../page/markdown/blocks.js';
import { withCharacters } from '../page/markdown/characters.js';
import { linkTarget } from '../page/markdown/link-target.js';
import { ageText, duration } from '../page/view/words.js';

const user = (id: string, parent: string | null): Message => ({
  id,
  parent,
  role: 'user',
  created: 0,
  text: id,
});
const answer = (id: string, parent: string, more: Partial<AnswerMessage> = {}): Message => ({
  id,
  parent,
  role: 'assistant',
  created: 0,
  text: id,
  reasoning: '',
  thoughtMs: 0,
  calls: [],
  state: 'done',
  ...more,
});

async function* pieces(...texts: string[]): AsyncGenerator<string, void> {
  yield* texts;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('server-sent events', () => {
  it('are the same however they are cut', async () => {
    const stream =
      ': keep-alive\n\ndata: {"a": 1}\n\ndata:b\r\ndata: c\r\n\r\nevent: x\ndata: [DONE]\n\ndata: cut off\n';
    const cuts = fc.array(fc.nat(stream.length), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const at = [0, ...places.sort((a, b) => a - b), stream.length];
        const parts = at.slice(1).map((end, index) => stream.slice(at[index], end));
        const found = await all(eventData(pieces(...parts)));
        expect(found).toEqual(['{"a": 1}', 'b\nc', '[DONE]']);
      }),
    );
  });

  it('of an answer become its parts', async () => {
    const delta = (part: object, reason: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: part, finish_reason: reason }] })}\n\n`;
    const usage = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } };
    const called = { index: 0, id: 'c', function: { name: 'f', arguments: '' } };
    const stream = [
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'hm' }),
      delta({ content: 'Yes' }),
      delta({ tool_calls: [called] }),
      delta({}, 'length'),
      `data: ${JSON.stringify(usage)}\n\n`,
      'data: [DONE]\n\n',
    ];
    expect(await all(chatEvents(pieces(...stream)))).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Yes' },
      { type: 'call', index: 0, id: 'c', name: 'f', arguments: '' },
      { type: 'finish', reason: 'length' },
      { type: 'usage', promptTokens: 3, completionTokens: 2 },
    ]);
  });

  it('that end early, or tell of an error, are failures', async () => {
    const read = (text: string) => all(chatEvents(pieces(text)));
    await expect(read('data: {"choices": []}\n\n')).rejects.toMatchObject({ fault: { kind: 'lost' } });
    const told = { error: { message: 'The server ended the answer.', code: 'x' } };
    await expect(read(`data: ${JSON.stringify(told)}\n\n`)).rejects.toMatchObject({
      fault: { kind: 'server', message: 'The server ended the answer.' },
    });
  });
});

describe('a refusal of the server', () => {
  it.each([
    [401, { code: 'invalid_api_key' }, {}, { kind: 'key' }],
    [429, { code: 'queue_full' }, { 'retry-after': '7' }, { kind: 'busy', retryAfter: 7 }],
    [503, { code: 'shutting_down' }, { 'retry-after': '5' }, { kind: 'busy', retryAfter: 5 }],
    [400, { code: 'context_length_exceeded' }, {}, { kind: 'context' }],
    [400, { code: 'invalid_value' }, {}, { kind: 'refused' }],
    [500, { code: 'internal_error' }, {}, { kind: 'server' }],
  ])('%i %j is told with what it says', async (status, error, headers, fault) => {
    const response = Response.json({ error: { message: 'so it is', ...error } }, { status, headers });
    expect((await failureOf(response)).fault).toEqual({ message: 'so it is', ...fault });
  });

  it('that is not JSON is told by its number', async () => {
    const { fault } = await failureOf(new Response('<h1>Bad gateway</h1>', { status: 502 }));
    expect(fault).toEqual({ kind: 'server', message: 'The server answered 502.' });
  });
});

describe('a conversation', () => {
  const conversation = newConversation();
  for (const message of [
    user('a', null),
    answer('b', 'a'),
    user('c', 'b'),
    user('d', 'b'),
    answer('e', 'd'),
  ]) {
    add(conversation, message);
  }
  const ids = (messages: readonly Message[]) => messages.map(({ id }) => id).join('');

  it('shows the latest version, or the one that is chosen, with what follows it', () => {
    expect(ids(pathOf(conversation))).toBe('abde');
    expect(ids(versionsOf(conversation, conversation.messages.d!))).toBe('cd');
    choose(conversation, conversation.messages.c!);
    expect(ids(pathOf(conversation))).toBe('abc');
    choose(conversation, conversation.messages.d!);
    expect(ids(pathOf(conversation))).toBe('abde');
    expect(ids(pathTo(conversation, 'c'))).toBe('abc');
  });

  it('is sent without answers that failed before their first word', () => {
    const path = [user('a', null), answer('b', 'a', { text: '', state: 'failed' }), user('c', 'b')];
    expect(chatRequest(newConversation(), path)).toEqual({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'c' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      chat_template_kwargs: { enable_thinking: true },
    });
  });

  it('is exported as it is shown, and code in it stays in its fence', () => {
    const call = { id: '1', name: 'f', arguments: '{"a": "```"}' };
    const made = newConversation();
    made.title = 'Über *Größe*?';
    add(made, user('q', null));
    add(made, answer('b', 'q', { text: '', calls: [call] }));
    expect(toMarkdown(made)).toBe(
      '# Über *Größe*?\n\n## You\n\nq\n\n## Answer\n\nCalls `f`:\n\n````\n{"a": "```"}\n````\n',
    );
    expect(fileNameOf(made, 'md')).toMatch(/^u.?ber-gro.?ße\.md$/u);
    expect(fileNameOf(newConversation(), 'json')).toBe('conversation.json');
  });

  it('is called after its first words', () => {
    expect(titleFrom('  a\nb ')).toBe('a b');
    expect(titleFrom('word '.repeat(30))).toBe(`${'word '.repeat(12).trim()}…`);
    expect(titleFrom('x'.repeat(100)).length).toBeLessThanOrEqual(61);
  });
});

type Exported = { messages: Record<string, object>; chosen: Record<string, string> };

describe('an exported conversation', () => {
  const exported = () => {
    const made = newConversation();
    Object.assign(made, { title: 'Two ways', isNamed: true });
    made.settings = { ...made.settings, temperature: 0.5, tools: '[]' };
    add(made, user('a', null));
    add(made, answer('b', 'a', { state: 'arriving', warnings: ['seed'] }));
    add(
      made,
      answer('c', 'a', { fault: { kind: 'busy', message: 'Later.', retryAfter: 3 }, state: 'failed' }),
    );
    const counts = { promptTokens: undefined, tokens: 4, waitMs: 1, writeMs: 2 };
    add(made, answer('d', 'a', { calls: [{ id: '1', name: 'f', arguments: '{}' }], counts }));
    add(made, { id: 'e', parent: 'd', role: 'tool', created: 0, callId: '1', name: 'f', text: 'yes' });
    return made;
  };

  it('comes back as another one that says the same', () => {
    const made = exported();
    const back = fromJson(toJson(made));
    expect(toMarkdown(back)).toBe(toMarkdown(made));
    expect(back).toMatchObject({ title: 'Two ways', isNamed: true, settings: made.settings });
    const said = (messages: readonly Message[]) => messages.map(({ id: _, parent: __, ...rest }) => rest);
    expect(said(pathOf(back))).toEqual(said(pathOf(made)));
    const versions = versionsOf(back, pathOf(back)[1]!);
    expect(versions.map(({ text }) => text)).toEqual(['b', 'c', 'd']);
    // No page writes it any more.
    expect(versions[0]).toMatchObject({ state: 'stopped', warnings: ['seed'] });
    expect(versions[1]).toMatchObject({ fault: { kind: 'busy', retryAfter: 3 } });
    const ids = [back.id, ...Object.keys(back.messages)];
    expect(ids.filter((id) => id === made.id || id in made.messages)).toEqual([]);
  });

  it.each([
    ['not JSON', '{', 'it is not JSON'],
    ['another thing', '[]', 'messages is not'],
    [
      'a message without its parent',
      (made: Exported) => Reflect.deleteProperty(made.messages, 'a'),
      'parent of',
    ],
    ['a circle', (made: Exported) => Object.assign(made.messages.a!, { parent: 'd' }), 'a tree'],
    ['an unknown role', (made: Exported) => Object.assign(made.messages.a!, { role: 'system' }), 'a role'],
    ['a text that is none', (made: Exported) => Object.assign(made.messages.d!, { text: 5 }), 'message d'],
    ['a choice of another place', (made: Exported) => Object.assign(made.chosen, { start: 'd' }), 'chosen'],
  ])('is refused for %s', (_, change, message) => {
    const made = JSON.parse(toJson(exported()));
    if (typeof change === 'function') change(made);
    expect(() => fromJson(typeof change === 'string' ? change : JSON.stringify(made))).toThrow(message);
  });
});

describe('Markdown', () => {
  const documents = [
    'One\ntwo\n\n# Three\n\nfour\n====\n\n- a\n- b\n\n  c\n\n- d\n\nend',
    '```js\nconst a = 1;\n\n- no list\n```\nafter\n\n~~~\nopen',
    '| a | b |\n|---|---|\n| 1 | 2 |\n\n> q\nlazy\n\n1. x\n   1. y\n\n      z\n2. w\n\n***\n',
    'a  \nb\n\n    code\n\n    more\n\n<div>\nx\n</div>\n\n[l]: https://a.b\n\n* [ ] t\n+ other',
  ];

  it.each(documents)('that grows settles no block that changes later: %j', (text) => {
    const raws = (some: string) => blocksOf(some).settled.map(({ raw }) => raw);
    const arrived: string[] = [];
    let from = 0;
    for (let end = 0; end <= text.length; end++) {
      const { settled, openAt } = blocksOf(text.slice(from, end));
      arrived.push(...settled.map(({ raw }) => raw));
      from += openAt;
      expect(text.slice(0, from)).toBe(arrived.join(''));
    }
    expect(arrived.filter((raw) => raw.trim() !== '')).toEqual(raws(text).filter((raw) => raw.trim() !== ''));
  });

  it('reads the usual references to characters, and leaves others', () => {
    expect(withCharacters('&lt;b&gt; &amp;lt; &#8211; &#x1F600; &constructor; &nope; &')).toBe(
      '<b> &lt; – 😀 &constructor; &nope; &',
    );
    expect(withCharacters('&#0;&#1114112;')).toBe('\ufffd\ufffd');
  });

  it('leads to other pages and to mail, and nowhere else', () => {
    expect(linkTarget('https://a.example/b?c=d')).toBe('https://a.example/b?c=d');
    expect(linkTarget('mailto:a@b.example')).toBe('mailto:a@b.example');
    for (const href of [
      'javascript:alert(1)',
      ' java\nscript:alert(1)',
      'JAVASCRIPT:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://a.example/x',
      '/v1/models',
      '//a.example',
      '#x',
      '',
    ]) {
      expect(linkTarget(href), href).toBeUndefined();
    }
  });
});

describe('words', () => {
  it('tell times in the unit that fits', () => {
    expect([38, 949, 950, 59_900, 61_000, 119_999].map(duration)).toEqual([
      '38 ms',
      '949 ms',
      '0.9 s',
      '59.9 s',
      '1 min 1 s',
      '1 min 59 s',
    ]);
    const now = new Date(2030, 0, 10, 12);
    const ages = [0, 13, 40, 24 * 5, 24 * 30].map((hours) => ageText(now.getTime() - hours * 3_600_000, now));
    expect(ages).toEqual(['Today', 'Yesterday', 'This week', 'This week', 'Earlier']);
  });
});
