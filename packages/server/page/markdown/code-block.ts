import type { Tokens } from 'marked';
import { copyButton } from '../view/copy-button.js';
import { element } from '../view/element.js';
import { highlightSoon } from './highlight.js';

/** A block of code with its language, a button that copies it, and colours once it is complete. */
export function codeBlock({ text, lang }: Pick<Tokens.Code, 'text' | 'lang'>): HTMLElement {
  const language = languageOf(lang);
  const code = element('code', {}, text);
  const block = element(
    'figure',
    { class: 'code' },
    element(
      'figcaption',
      {},
      element('span', {}, language || 'text'),
      copyButton('Copy code', () => code.textContent),
    ),
    element(
      'pre',
      { tabindex: 0, 'aria-label': language ? `Code, ${language}` : 'Code', role: 'region' },
      code,
    ),
  );
  if (language !== '') highlightSoon(code, language);
  return block;
}

/** The first word after the fence. */
const languageOf = (lang: string | undefined) => /^[\w+#.-]{1,30}/.exec(lang ?? '')?.[0].toLowerCase() ?? '';

/**
 * Adds to the code of a block that still arrives, so that it is not made anew for each token. False where it is
 * another block.
 */
export function growCode(block: Node | undefined, { text, lang }: Tokens.Code): boolean {
  if (!(block instanceof HTMLElement) || !block.matches('figure.code')) return false;
  const code = block.querySelector('code')!;
  const label = block.querySelector('figcaption span')!.textContent;
  const shown = code.firstChild;
  if (label !== (languageOf(lang) || 'text') || code.childNodes.length > 1) return false;
  if (!(shown instanceof Text)) {
    code.append(text);
    return true;
  }
  if (!text.startsWith(shown.data)) return false;
  shown.appendData(text.slice(shown.length));
  return true;
}
