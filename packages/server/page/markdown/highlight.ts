/** Longer code stays plain: colours are not worth a page that stands still. */
const longest = 30_000;
const waiting = new Map<HTMLElement, string>();
let isAtWork = false;

/** Colours code when the page has nothing else to do; code that still grows is left for later. */
export function highlightSoon(code: HTMLElement, language: string): void {
  waiting.set(code, language);
  if (isAtWork) return;
  isAtWork = true;
  whenIdle(() => void work());
}

const whenIdle = (run: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(run, { timeout: 1000 }) : setTimeout(run, 50);

async function work(): Promise<void> {
  const { highlight } = await import('./languages.js');
  for (const [code, language] of waiting) {
    if (code.closest('[aria-busy="true"] .markdown > :last-child')) continue;
    waiting.delete(code);
    const text = code.textContent;
    const nodes = code.isConnected && text.length <= longest ? highlight(language, text) : undefined;
    if (nodes) code.replaceChildren(...nodes);
    await new Promise<void>((resolve) => whenIdle(resolve));
  }
  isAtWork = false;
}

/** Colours what had to wait until its answer was complete. */
export function highlightRest(): void {
  const [first] = waiting;
  if (first) highlightSoon(...first);
}
