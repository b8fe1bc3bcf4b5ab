type Handler = (event: never) => void;
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | Handler>>;
export type Child = Node | string | false | null | undefined;

/**
 * An element. Functions listen to the event of their name, true is an attribute without a value, and false and
 * undefined are none. Text is text: nothing here reads HTML.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value as EventListener);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== false && child !== null && child !== undefined));
  return made;
}

/** Sets the text of an element where it differs, so that nothing is told twice. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
