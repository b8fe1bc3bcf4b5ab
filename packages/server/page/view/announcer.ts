import { element } from './element.js';

const region = element('div', { role: 'status', class: 'visually-hidden' });

/** The one place that speaks to screen readers. It is told of what has happened, never of each token. */
export const announcer: HTMLElement = region;

/** Says something once; the same words are said again too. */
export function announce(text: string): void {
  region.replaceChildren(element('p', {}, text));
}
