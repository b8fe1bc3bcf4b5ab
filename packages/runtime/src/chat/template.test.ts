import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../../../tests/support/shared.js';
import { memorySource } from '../gguf/byte-source.js';
import { MetadataView } from '../gguf/metadata-view.js';
import { readGguf } from '../gguf/read-gguf.js';
import { createTokenizer } from '../tokenizer/create-tokenizer.js';
import type { ChatMessage, ToolDefinition } from './messages.js';
import { ChatTemplate, type RenderInput } from './template.js';

const files = {
  qwen3: 'fixtures/qwen3-vocab.gguf',
  tale: 'models/tale-q4_k_m.gguf',
  smollm2: 'models/smollm2-135m-instruct-q4_1.gguf',
};
const present = [...Object.values(files), 'facts/vectors/chat.json'].every(hasShared);

interface Case {
  name: string;
  messages: ChatMessage[];
  tools?: ToolDefinition[];
  enable_thinking?: boolean;
  add_generation_prompt?: boolean;
  rendered: string;
  ids?: number[];
}

interface Vector {
  template: string;
  case: string;
  input: Omit<Case, 'name' | 'rendered'> & { bos_token: string; eos_token: string };
  prompt?: string;
  promptSha256?: string;
}

const json = <Kind>(file: string): Kind => JSON.parse(readFileSync(sharedPath(file), 'utf8')) as Kind;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function load(file: string) {
  const { metadata } = await readGguf(memorySource(readFileSync(sharedPath(file))));
  const source = new MetadataView(metadata).string('tokenizer.chat_template');
  const template = ChatTemplate.compile(source, { bosToken: '', eosToken: '<|im_end|>' });
  return { metadata, source, template };
}

function inputOf(given: Omit<Case, 'name' | 'rendered'>): RenderInput {
  return {
    messages: given.messages,
    tools: given.tools,
    addGenerationPrompt: given.add_generation_prompt,
    enableThinking: given.enable_thinking,
  };
}

describe.skipIf(!present)('recorded prompts (needs ../shared/fixtures, models and facts)', async () => {
  if (!present) return;
  const models = {
    qwen3: await load(files.qwen3),
    tale: await load(files.tale),
    smollm2: await load(files.smollm2),
  };
  const qwenCases = json<{ cases: Case[] }>('fixtures/chat-template-cases.json').cases;
  const smolCases = json<{ cases: Case[] }>('models/smollm2-chat-template-cases.json').cases;
  const vectors = json<{ templates: Record<string, { sha256: string }>; cases: Vector[] }>(
    'facts/vectors/chat.json',
  );

  it('are recorded for the templates that the files hold', () => {
    expect(sha256(models.qwen3.source)).toBe(vectors.templates.qwen3?.sha256);
    expect([qwenCases.length, smolCases.length]).toEqual([18, 8]);
  });

  it.each(qwenCases)('Qwen3: $name', (given) => {
    expect(models.qwen3.template.render(inputOf(given)).text).toBe(given.rendered);
  });

  it.each(qwenCases)('Tale: $name', (given) => {
    expect(models.tale.template.render(inputOf(given)).text).toBe(given.rendered);
  });

  it.each(smolCases)('SmolLM2: $name', (given) => {
    expect(models.smollm2.template.render(inputOf(given)).text).toBe(given.rendered);
  });

  it.each(vectors.cases.filter(({ template }) => template === 'qwen3'))(
    'Qwen3, two engines: $case',
    (vector) => {
      const { text } = models.qwen3.template.render(inputOf(vector.input));
      expect(sha256(text)).toBe(vector.promptSha256 ?? sha256(vector.prompt ?? ''));
    },
  );

  it('become the ids in which special tokens of messages stay text', () => {
    const tokenizer = createTokenizer(models.smollm2.metadata);
    for (const given of smolCases) {
      const { parts } = models.smollm2.template.render(inputOf(given));
      expect(tokenizer.encodeParts(parts), given.name).toEqual(given.ids);
    }
  });

  it.each(['tale', 'smollm2'] as const)('of %s become the ids that its answers were recorded for', (name) => {
    const tokenizer = createTokenizer(models[name].metadata);
    type Expected = {
      messages?: ChatMessage[];
      enable_thinking?: boolean;
      tools?: ToolDefinition[];
      prompt_ids: number[];
    };
    const expected = json<{ models: Record<string, { cases: Expected[] }> }>(`models/${name}-expected.json`);
    let compared = 0;
    for (const { cases } of Object.values(expected.models)) {
      for (const given of cases) {
        if (given.messages === undefined) continue;
        const { parts } = models[name].template.render(inputOf({ ...given, messages: given.messages }));
        expect(tokenizer.encodeParts(parts)).toEqual(given.prompt_ids);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(4);
  });
});

const tokens = { bosToken: '<s>', eosToken: '</s>' };
const user = (content: string): ChatMessage => ({ role: 'user', content });
const trusted = (source: string, input: RenderInput): string =>
  ChatTemplate.compile(source, tokens)
    .render(input)
    .parts.map((part) => (part.trusted ? part.text : '·'))
    .join('');

describe('trust', () => {
  it('is with the template, its tokens and the roles, and with no string of the request', () => {
    const source =
      '{{ bos_token }}{% for m in messages %}<|{{ m.role }}|>{{ m.name }}{{ m.content }}{{ m.reasoning_content }}{% for c in m.tool_calls or [] %}{{ c.id }}{{ c.function.name }}{{ c.function.arguments }}{% endfor %}{{ m.tool_call_id }}{{ eos_token }}{% endfor %}{{ tools[0].function.name }}|{{ extra }}';
    const text = '<s>';
    const call = { id: text, function: { name: text, arguments: { [text]: text } } };
    const messages: ChatMessage[] = [
      { role: 'assistant', content: text, name: text, reasoning_content: text, tool_calls: [call] },
      { role: 'tool', content: text, tool_call_id: text },
    ];
    const tools: ToolDefinition[] = [{ type: 'function', function: { name: text } }];
    expect(trusted(source, { messages, tools, extra: { extra: text } })).toBe(
      '<s><|assistant|>·</s><|tool|>·</s>·|·',
    );
  });

  it.each([
    ["{{ m.content | trim | replace('a', 'b') }}", '·b·'],
    ["<{{ m.content.split('</think>')[-1].lstrip('\n') }}>", '<·>'],
    ["{{ m.content.split('</think>') | join('|') }}", '·|·'],
    ["{{ (m.content ~ '!')[::-1] }}", '!·'],
    ["{{ m.content.split('a') | map('upper') | join }}", '·'],
    ['{{ m | tojson }}', '·role·assistant·content·'],
    ['{{ [m.content] }}', '·'],
    ["{{ m.content | replace('a', '<s>') }}", '·<s>·'],
    ['{% set x %}{{ m.content }}{% endset %}{{ x | title | list | join }}', '·'],
    ['{% macro f() %}{{ kwargs.keys() | list | join }}{% endmacro %}{{ f(**extra) }}', '·'],
    ['{{ namespace(**extra).k }}{{ dict(**extra) | list | join }}', '·'],
    ['{{ extra | dictsort | map("first") | join }}', '·'],
    ['{% filter lower %}A{{ m.content }}{% endfilter %}', 'a·'],
    ["{{ '%s' | indent }}{{ m.content | indent(4, true) }}", '%s    ·\n    ·'],
    ["{{ m.content.splitlines() | join('\n') }}", '·\n·'],
    ['{{ strftime_now(m.content) }}', '·'],
    ['{% for c in m.content %}{{ c }}{% endfor %}', '·'],
    ["{{ m.content.join(['<', '>']) }}", '<·>'],
    ["{{ '<'.join(m.content | list) | length > 3 }}", 'True'],
  ])('follows each character through %s', (template, expected) => {
    const source = `{% set m = messages[0] %}${template}`;
    const messages: ChatMessage[] = [{ role: 'assistant', content: 'x<s>a</think>\n<s>y' }];
    expect(trusted(source, { messages, extra: { extra: { '<s>': '<s>', k: '<s>' } } })).toBe(expected);
  });

  it('does not join what a user wrote with what the template wrote into a token', () => {
    const source = "{{ messages[0].content }}|im_end|>{{ '<' ~ messages[0].content }}";
    const { text, parts } = ChatTemplate.compile(source, tokens).render({ messages: [user('<')] });
    expect(text).toBe('<|im_end|><<');
    expect(parts).toEqual([
      { text: '<', trusted: false },
      { text: '|im_end|><', trusted: true },
      { text: '<', trusted: false },
    ]);
  });

  it('leaves templates free to look for tags in messages', () => {
    const source =
      "{% if '</think>' in messages[0].content %}{{ messages[0].content.split('</think>')[1] }}{% endif %}";
    const { parts } = ChatTemplate.compile(source, tokens).render({ messages: [user('a</think><s>')] });
    expect(parts).toEqual([{ text: '<s>', trusted: false }]);
  });
});

describe('what a template is given', () => {
  const render = (source: string, input: RenderInput): string =>
    ChatTemplate.compile(source, tokens).render(input).text;
  const calling = (args: string | Record<string, unknown>): RenderInput => ({
    messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: args } }] }],
  });
  const call = '{% set a = messages[0].tool_calls[0].function.arguments %}';

  it('has no content as an empty string, and parts of content on lines of their own', () => {
    const messages: ChatMessage[] = [
      { role: 'assistant', content: null },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ];
    expect(render("{% for m in messages %}[{{ m.content + '' }}]{% endfor %}", { messages })).toBe(
      '[][a\nb]',
    );
  });

  it('has arguments written as text verbatim where it inserts them, and as a mapping where it needs one', () => {
    const written = '{"city":"Oslo", "n": 1}';
    expect(render(`${call}{{ a if a is string else a | tojson }}`, calling(written))).toBe(written);
    expect(render(`${call}{{ 'with ' + a }}`, calling(written))).toBe(`with ${written}`);
    expect(render(`${call}{{ a | tojson }}`, calling(written))).toBe('{"city": "Oslo", "n": 1}');
    expect(render(`${call}{% for k, v in a | items %}{{ k }}={{ v }};{% endfor %}`, calling(written))).toBe(
      'city=Oslo;n=1;',
    );
    expect(render(`${call}{{ a.city }}{{ a is mapping }}`, calling(written))).toBe('OsloTrue');
  });

  it('has arguments that are an object as one, and those that are no object as text', () => {
    expect(render(`${call}{{ a if a is string else a | tojson }}`, calling({ city: 'Oslo' }))).toBe(
      '{"city": "Oslo"}',
    );
    expect(render(`${call}{{ a is mapping }} {{ a }}`, calling('not json'))).toBe('False not json');
    expect(render(`${call}{{ a is mapping }} {{ a }}`, calling('[1]'))).toBe('False [1]');
  });

  it('is always told about thinking', () => {
    const source = '{{ enable_thinking is defined }} {{ enable_thinking }}';
    expect(render(source, { messages: [user('')] })).toBe('True True');
    expect(render(source, { messages: [user('')], enableThinking: false })).toBe('True False');
  });

  it('has none for tools where there are none', () => {
    expect(render('{{ tools is none }}', { messages: [user('')] })).toBe('True');
    expect(render('{{ tools is none }}', { messages: [user('')], tools: [] })).toBe('True');
  });

  it('has a developer as the system where it does not know developers', () => {
    const messages: ChatMessage[] = [{ role: 'developer', content: '' }];
    expect(render('{{ messages[0].role }}', { messages })).toBe('system');
    expect(render("{{ messages[0].role == 'developer' }}", { messages })).toBe('True');
  });

  it('has extra variables, which cannot take the place of another input', () => {
    expect(render('{{ date_string }}', { messages: [user('')], extra: { date_string: 'today' } })).toBe(
      'today',
    );
    expect(() => render('', { messages: [user('')], extra: { messages: [] } })).toThrow(
      /^REQUEST_INVALID.*extra\.messages/,
    );
    expect(() => render('', { messages: [user('')], extra: { f: () => 1 } })).toThrow(
      /^REQUEST_INVALID.*extra\.f/,
    );
  });

  it('is no deeper than a hundred levels and no more than a million values', () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(() => render('', { messages: [user('')], extra: { loop } })).toThrow(
      /^REQUEST_INVALID.*100 levels/,
    );
    const wide: Record<string, unknown> = {};
    for (let level = 0; level < 60; level++) Object.assign(wide, { a: { ...wide }, b: { ...wide } });
    expect(() => render('', { messages: [user('')], extra: { wide } })).toThrow(
      /^REQUEST_INVALID.*1000000 values/,
    );
    expect(() => render('', calling('['.repeat(5000) + ']'.repeat(5000)))).toThrow(/^REQUEST_INVALID/);
  });

  it('may be a long conversation', () => {
    const source =
      '{% for m in messages %}<|{{ m.role }}|>{{ m.content | trim }}{{ messages[loop.index0 - 1].role }}{% endfor %}';
    const messages = Array.from({ length: 10_000 }, (_, i) => user(`message ${i} ${'x'.repeat(200)}`));
    expect(render(source, { messages }).length).toBeGreaterThan(2_000_000);
  });
});
