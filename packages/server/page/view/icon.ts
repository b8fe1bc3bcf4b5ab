/** Lines on a square of 24. */
const shapes = {
  plus: 'M12 5v14M5 12h14',
  menu: 'M4 7h16M4 12h16M4 17h10',
  sliders: 'M4 8h9M19 8h1M4 16h1M11 16h9M16 5.5v5M8 13.5v5',
  send: 'M12 19V5.5M6 11l6-6 6 6',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  edit: 'M5 19l1-4L16.5 4.5l3 3L9 18zM14 7l3 3',
  again: 'M19 12a7 7 0 1 1-2.2-5.1L19 9M19 4v5h-5',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  left: 'M14 7l-5 5 5 5',
  right: 'M10 7l5 5-5 5',
  down: 'M12 5v13.5M6 13l6 6 6-6',
  dots: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  close: 'M6 6l12 12M18 6L6 18',
  warning: 'M12 4.5l8.5 15h-17zM12 10v4.5M12 17h.01',
  call: 'M8 8l-4 4 4 4M16 8l4 4-4 4M13.5 5.5l-3 13',
  light:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1',
  dark: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  brand: 'M5 7h14v6.5a7 7 0 0 1-14 0zM9 11.6l3 3 3-3',
} as const;

export type IconName = keyof typeof shapes | 'stop';

const space = 'http://www.w3.org/2000/svg';

/** A picture beside a text or a label; it says nothing of its own. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', `icon icon-${name}`);
  const shape = document.createElementNS(space, name === 'stop' ? 'rect' : 'path');
  if (name === 'stop') {
    for (const [key, value] of Object.entries({ x: 7, y: 7, width: 10, height: 10, rx: 2 })) {
      shape.setAttribute(key, String(value));
    }
  } else shape.setAttribute('d', shapes[name]);
  svg.append(shape);
  return svg;
}
