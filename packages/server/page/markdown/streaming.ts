import { blocksOf, definesLinks } from './blocks.js';
import { growCode } from './code-block.js';
import { type Outline, renderBlocks } from './render.js';

/**
 * Shows Markdown while it arrives. Blocks that are complete are made once; only the last one is made again as it
 * grows, so a long answer costs no more for a token than a short one.
 */
export class StreamingMarkdown {
  #text = '';
  #openAt = 0;
  readonly #outline: Outline = [];
  /** What is shown of the last block. */
  #openNodes: ChildNode[] = [];

  constructor(readonly element: HTMLElement) {}

  /** Shows the whole text so far, which begins with that of the last call. */
  show(text: string): void {
    if (text.length === this.#text.length) return;
    this.#text = text;
    const { settled, open, openAt } = blocksOf(text.slice(this.#openAt));
    if (settled.length > 0) {
      this.#removeOpen();
      this.element.append(...renderBlocks(settled, this.#outline));
      this.#openAt += openAt;
    }
    if (open === undefined) return;
    if (open.type === 'code' && growCode(this.#openNodes[0], open)) return;
    this.#removeOpen();
    this.#openNodes = renderBlocks([open], [...this.#outline]) as ChildNode[];
    this.element.append(...this.#openNodes);
  }

  /** After the last call of `show`. */
  end(): void {
    // A target that is named after the link changes blocks that were complete without it.
    if (definesLinks(this.#text)) showMarkdown(this.element, this.#text);
  }

  #removeOpen(): void {
    for (const node of this.#openNodes) node.remove();
    this.#openNodes = [];
  }
}

/** Shows a text that is complete. */
export function showMarkdown(element: HTMLElement, text: string): void {
  const { settled, open } = blocksOf(text);
  element.replaceChildren(...renderBlocks(open ? [...settled, open] : settled));
}
