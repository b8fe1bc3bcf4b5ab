import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ChatTemplate } from '../template.js';

interface Recorded {
  variables: Record<string, unknown>;
  cases: { template: string; expected?: string; raises?: string }[];
}

const recorded: Recorded = JSON.parse(readFileSync(new URL('language-cases.json', import.meta.url), 'utf8'));

function render(source: string, extra: Record<string, unknown> = {}): string {
  const template = ChatTemplate.compile(source, { bosToken: '<s>', eosToken: '</s>' });
  return template.render({ messages: [{ role: 'user', content: 'hi' }], extra }).text;
}

describe('the template language', () => {
  it.each(recorded.cases)('gives what jinja2 gives: $template', ({ template, expected, raises }) => {
    const rendered = () => render(template, recorded.variables);
    if (raises === undefined) expect(rendered()).toBe(expected);
    else expect(rendered).toThrow(/^TEMPLATE_FAILED/);
  });

  it('drops {% generation %} tags, which mark trained text', () => {
    expect(render('a{% generation %}b{% endgeneration %}c')).toBe('abc');
  });

  it('reads a missing key as undefined and refuses to look further into it', () => {
    expect(render('[{{ messages[0].nothing }}]')).toBe('[]');
    expect(() => render('{{ messages[0].nothing.more }}')).toThrow(
      /messages\[\.\.\.\]\.nothing is undefined/,
    );
  });

  it('tells the time it is given, with English names', () => {
    const template = ChatTemplate.compile("{{ strftime_now('%d %b %Y, %A %B %-d, %H:%M:%S %p %j %%%Q') }}", {
      bosToken: '',
      eosToken: '',
    });
    const { text } = template.render({
      messages: [{ role: 'user', content: '' }],
      now: new Date(2024, 6, 6, 9, 5, 3),
    });
    expect(text).toBe('06 Jul 2024, Saturday July 6, 09:05:03 AM 188 %%Q');
  });

  it('says what a template raises', () => {
    expect(() => render("{{ raise_exception('roles must alternate') }}")).toThrow(/roles must alternate/);
  });
});

describe('a template with a fault', () => {
  it.each([
    ['{% for m in messages %}{{ m.content }', 'line 1, column 24'],
    ['ok\n  {% if x %}\n{{ 1 + }}', 'line 3, column 1'],
    ['{{ "never closed }}', 'line 1, column 1'],
    ["{{ 1 }}\n\n {{ '}}' }} {{ ? }}", 'line 3, column 13'],
    ['{% if x %}', 'line 1, column 1'],
    ['{# a # }', 'line 1, column 1'],
    ['a\n{% nonsense %}', 'line 2, column 1'],
  ])('is refused with its place: %s', (source, place) => {
    expect(() => render(source)).toThrow(place);
  });

  it('is refused for what the language lacks', () => {
    for (const source of ['{{ 1 | nonsense }}', '{{ 1 is nonsense }}', '{{ nonsense() }}', '{% break %}']) {
      expect(() => render(source)).toThrow(/^TEMPLATE_FAILED/);
    }
  });
});
