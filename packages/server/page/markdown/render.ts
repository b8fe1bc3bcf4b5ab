import type { MarkedToken, Token, Tokens } from 'marked';
import { element } from '../view/element.js';
import { withCharacters } from './characters.js';
import { codeBlock } from './code-block.js';
import { linkTarget } from './link-target.js';

/**
 * Markdown as elements, made one by one from what the lexer found. HTML in the text is shown as it is written, so
 * nothing that a model writes becomes an element, an attribute or a request of its own choice.
 */
export function renderBlocks(tokens: readonly Token[], outline: Outline = []): Node[] {
  return tokens.flatMap((token) => renderBlock(token as MarkedToken, outline));
}

/** The depths, as they are written, of the headings that the text stands under. */
export type Outline = number[];

/** Headings of the page and of each message stand above these, and no rank is left out, whatever is written. */
function rankOf(depth: number, outline: Outline): number {
  while (outline.length > 0 && outline.at(-1)! >= depth) outline.pop();
  outline.push(depth);
  return Math.min(2 + outline.length, 6);
}

function renderBlock(token: MarkedToken, outline: Outline): Node[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'hr':
      return [element('hr')];
    case 'heading':
      return [element(`h${rankOf(token.depth, outline)}` as 'h3', {}, ...renderInline(token.tokens))];
    case 'paragraph':
      return [element('p', {}, ...renderInline(token.tokens))];
    case 'code':
      return [codeBlock(token)];
    case 'blockquote':
      return [element('blockquote', {}, ...renderBlocks(token.tokens, outline))];
    case 'list':
      return [renderList(token, outline)];
    case 'table':
      return [renderTable(token)];
    case 'html':
      return [element('p', { class: 'as-written' }, token.text.trimEnd())];
    default:
      return renderInline([token]);
  }
}

function renderList({ ordered, start, items }: Tokens.List, outline: Outline): HTMLElement {
  const children = items.map(({ tokens, task }) =>
    element('li', { class: task && 'task' }, ...renderBlocks(tokens, outline)),
  );
  if (!ordered) return element('ul', {}, ...children);
  return element('ol', { start: start === 1 || start === '' ? undefined : start }, ...children);
}

function renderTable({ header, rows, align }: Tokens.Table): HTMLElement {
  const cell = (tag: 'th' | 'td') => (content: Tokens.TableCell, column: number) =>
    element(
      tag,
      { class: align[column] ?? undefined, scope: tag === 'th' && 'col' },
      ...renderInline(content.tokens),
    );
  const table = element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...header.map(cell('th')))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map(cell('td'))))),
  );
  // It scrolls by itself where it is wide, so the keyboard must be able to reach it.
  return element('div', { class: 'table', role: 'region', 'aria-label': 'Table', tabindex: 0 }, table);
}

function renderInline(tokens: readonly Token[] | undefined): Node[] {
  return (tokens ?? []).flatMap((token) => renderSpan(token as MarkedToken));
}

function renderSpan(token: MarkedToken): Node[] {
  switch (token.type) {
    case 'text':
      return token.tokens ? renderInline(token.tokens) : [text(withCharacters(token.text))];
    case 'escape':
      return [text(token.text)];
    case 'strong':
    case 'em':
    case 'del':
      return [element(token.type, {}, ...renderInline(token.tokens))];
    case 'codespan':
      return [element('code', {}, token.text)];
    case 'br':
      return [element('br')];
    case 'link':
      return [renderLink(token.href, renderInline(token.tokens))];
    case 'image':
      // A picture would be a request to another place; who wants to see it can follow the link.
      return [renderLink(token.href, [text(`Picture: ${token.text || token.href}`)])];
    case 'checkbox':
      return [checkbox(token.checked)];
    case 'html':
      return [/^<br\s*\/?>$/i.test(token.text) ? element('br') : text(token.text)];
    default:
      return renderBlock(token, []);
  }
}

function checkbox(checked: boolean): HTMLElement {
  const label = checked ? 'Done' : 'Not done';
  return element('input', { type: 'checkbox', disabled: true, checked, 'aria-label': label });
}

function renderLink(href: string, children: Node[]): Node {
  const target = linkTarget(href);
  if (target === undefined) return element('span', {}, ...children);
  return element('a', { href: target, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...children);
}

const text = (data: string) => document.createTextNode(data);
