import { readFileSync } from 'node:fs';
import { isPocketError } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../../tests/support/processor-time.js';
import { hasShared, sharedPath } from '../../../../tests/support/shared.js';
import { memorySource } from '../gguf/byte-source.js';
import { MetadataView } from '../gguf/metadata-view.js';
import { readGguf } from '../gguf/read-gguf.js';
import { ChatTemplate } from './template.js';

// A second is what a template may take; a slow and busy machine is allowed five, of processor time.
const LONGEST_MS = 5000;
const MOST_BYTES = 256 * 2 ** 20;

/** The text that a template gives, or its refusal, within bounds of time and memory. */
function outcome(source: string): string {
  const start = processorMs();
  const before = process.memoryUsage().rss;
  let result: string;
  try {
    const template = ChatTemplate.compile(source, { bosToken: '', eosToken: '' });
    result = `text: ${template.render({ messages: [{ role: 'user', content: 'é' }] }).text}`;
  } catch (error) {
    if (!isPocketError(error, 'TEMPLATE_FAILED')) throw error;
    result = error.details.limit ?? error.details.reason;
    expect(error.message.length).toBeLessThan(2000);
  }
  expect(processorMs() - start).toBeLessThan(LONGEST_MS);
  expect(process.memoryUsage().rss - before).toBeLessThan(MOST_BYTES);
  expect(Object.keys(Object.prototype)).toEqual([]);
  return result;
}

const twice = (name: string, times: number): string =>
  `{% for i in range(${times}) %}{% set ns.${name} = ns.${name} ~ ns.${name} %}{% endfor %}`;
const pair = (name: string): string =>
  `{% for i in range(60) %}{% set ns.${name} = [ns.${name}, ns.${name}] %}{% endfor %}`;
/** A namespace with a text of 4 million characters in `x`. */
const large = `{% set ns = namespace(x='abcdefgh') %}${twice('x', 19)}`;
const shared = `{% set ns = namespace(x=['a'], y=['a']) %}${pair('x')}`;
const each = (body: string): string => `{% for i in range(100000) %}${body}{% endfor %}`;

describe('a template without end is stopped', () => {
  it.each([
    [
      'nested ranges',
      '{% for a in range(10000) %}{% for b in range(10000) %}{% endfor %}{% endfor %}',
      'steps',
    ],
    ['a huge range', '{% for a in range(10 ** 12) %}{% endfor %}', 'steps'],
    ['a text by multiplication', "{{ 'x' * 10 ** 9 }}", 'text'],
    ['a text by doubling', `{% set ns = namespace(x='abcdefgh') %}${twice('x', 60)}`, 'text'],
    ['a list by doubling', `{% set ns = namespace(x=[1]) %}${each('{% set ns.x = ns.x + ns.x %}')}`, 'steps'],
    ['texts that are kept', `${large}${each('{% set ns.y = [ns.y, ns.x ~ i] %}')}`, 'steps'],
    ['a macro that calls itself', '{% macro f(n) %}{{ f(n + 1) }}{% endmacro %}{{ f(0) }}', 'depth'],
    ['a long sum', `{{ 1${' + 1'.repeat(20_000)} }}`, 'depth'],
    ['a list that holds itself 2^60 times, as JSON', `${shared}{{ ns.x | tojson }}`, 'steps'],
    ['such a list printed', `${shared}{{ ns.x }}`, 'steps'],
    ['two such lists compared', `${shared}${pair('y')}{{ ns.x == ns.y }}`, 'steps'],
    [
      'a list 60,000 deep',
      `{% set ns = namespace(x=1) %}${each('{% set ns.x = [ns.x] %}')}{{ ns.x }}`,
      'steps',
    ],
    ['a replace that multiplies', `${large}{{ ns.x.replace('a', ns.x) }}`, 'steps'],
    ['a replace between characters', `${large}{{ ns.x.replace('', ns.x) }}`, 'steps'],
    ['a join that multiplies', `${large}{{ range(100000) | join(ns.x) }}`, 'text'],
    ['a wide indent', "{{ 'a\nb' | indent(10 ** 9) }}", 'text'],
    ['a wide indent of JSON', '{{ [[1]] | tojson(indent=10 ** 9) }}', 'text'],
    ['long separators', `${large}{{ range(1000) | list | tojson(separators=(ns.x, ns.x)) }}`, 'text'],
    ['a search for what nearly matches', `${large}{{ ('x' * 50000 ~ 'y' ~ 'x' * 50000) in ns.x }}`, 'steps'],
    ['large texts compared', `${large}{% set c = ns.x ~ '' %}${each('{% set b = ns.x == c %}')}`, 'steps'],
    ['large texts sliced', `${large}${each('{% set b = ns.x[1:] %}')}`, 'steps'],
    ['large texts changed', `${large}${each('{% set b = ns.x | upper %}')}`, 'steps'],
    ['large texts measured', `${large}${each('{% set b = ns.x | length %}')}`, 'steps'],
    ['large texts read as numbers', `${large}${each('{% set b = ns.x | int %}')}`, 'steps'],
    ['large keys looked up', `${large}{% set d = {ns.x: 1} %}${each("{% set b = d[ns.x ~ ''] %}")}`, 'steps'],
    ['a text taken apart', `${large}{{ ns.x | list | length }}`, 'steps'],
    ['a strip by a large set', `${large}${each('{% set b = (ns.x ~ i).strip(ns.x) %}')}`, 'steps'],
    [
      'many beginnings',
      `{% set l = range(1000) | map('string') | list %}${each("{% set b = 'x'.startswith(l) %}")}`,
      'steps',
    ],
    ['a long attribute', `${large}${each('{% set b = messages | map(attribute=ns.x) | list %}')}`, 'steps'],
    ['a quadratic filter', '{{ range(100000) | unique | list | length }}', 'steps'],
    [
      'names looked up through many scopes',
      `${'{% for a in [1] %}'.repeat(90)}${each('{{ z }}{{ z }}')}${'{% endfor %}'.repeat(90)}`,
      'steps',
    ],
    ['a long output', each('x'.repeat(1000)), 'text'],
    [
      'arguments unpacked',
      `{% macro f() %}{% endmacro %}{% set l = range(1000) %}${each('{{ f(*l) }}')}`,
      'steps',
    ],
    ['a template too long', 'x'.repeat(100_001), 'source'],
    ['runs of blanks', `x${' '.repeat(999)}`.repeat(90), 'source'],
    ['parentheses', `{{ ${'('.repeat(10_000)}1${')'.repeat(10_000)} }}`, 'nesting'],
    ['negations', `{{ ${'not '.repeat(20_000)}1 }}`, 'nesting'],
    ['blocks', '{% if 1 %}'.repeat(9000), 'nesting'],
    ['branches', `{% if 0 %}${'{% elif 0 %}'.repeat(8000)}{% endif %}`, 'nesting'],
  ])('%s', (_, source, limit) => {
    expect(outcome(source)).toBe(limit);
  });
});

describe('a template cannot reach the host', () => {
  it.each([
    ["{{ ''.constructor }}|{{ [].constructor }}|{{ {}.constructor }}|{{ range.constructor }}", 'text: |||'],
    ['{{ {}.__proto__ }}{{ messages.__proto__ }}{{ messages[0].hasOwnProperty }}{{ toString }}', 'text: '],
    ["{{ [].constructor.constructor('return process')() }}", 'a value.constructor is undefined'],
    [
      "{% set ns = namespace() %}{% set ns.__proto__ = {'polluted': 1} %}{{ ns.polluted }}{{ {}.polluted }}ok",
      'text: ok',
    ],
    ["{{ {'__proto__': {'polluted': 1}}.polluted }}{{ {'constructor': 1}.constructor }}", 'text: 1'],
    ['{{ namespace.constructor }}{{ true.constructor }}{{ (1).constructor }}', 'text: '],
    ['{% for i in [1] %}{{ loop.constructor }}{{ loop.__proto__ }}{% endfor %}', 'text: '],
    ["{{ dict(__proto__=1).__proto__ }}{{ dict(a=1)['constructor'] }}", 'text: 1'],
    ['{{ 1 | constructor }}', 'there is no filter named constructor'],
    ['{{ 1 is __proto__ }}', 'there is no test named __proto__'],
    ["{{ [1] | map('__proto__') | list }}", 'there is no filter named __proto__'],
    ["{{ ''.upper }}", 'a function cannot be printed'],
  ])('%s', (source, expected) => {
    expect(outcome(source)).toBe(expected);
  });

  it('or steer a terminal with what it raises', () => {
    expect(outcome("{{ raise_exception('\\x1b[2J\u202e') }}")).toBe('the template says: \\u{1b}[2J\\u{202e}');
  });
});

const folder = 'fixtures/hostile-gguf';

describe.skipIf(!hasShared(folder))('templates of the hostile files (needs ../shared/fixtures)', () => {
  it.each([
    ['template-nested-ranges', 'steps'],
    ['template-string-times', 'text'],
    ['template-recursive-macro', 'depth'],
    ['template-10000-parentheses', 'nesting'],
    ['template-proto-write', 'text: ok'],
    ['template-constructor', 'a value.constructor is undefined'],
    ['template-syntax-error', /^line 1, column 24: /],
  ])('%s ends as it must', async (file, expected) => {
    const { metadata } = await readGguf(memorySource(readFileSync(sharedPath(`${folder}/${file}.gguf`))));
    expect(outcome(new MetadataView(metadata).string('tokenizer.chat_template'))).toMatch(expected);
  });
});
