import { type Attributes, element } from './element.js';
import { type IconName, icon } from './icon.js';

/** A button with a picture and a name that is told and shown when it is pointed at. */
export function iconButton(
  name: IconName,
  label: string,
  onClick: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return element(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': label, title: label, click: onClick, ...attributes },
    icon(name),
  );
}

/** A button with words. */
export function textButton(
  label: string,
  onClick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return element('button', { type: 'button', class: 'plain', click: onClick, ...attributes }, label);
}
