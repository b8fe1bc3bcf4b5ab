import { element } from './element.js';
import { icon } from './icon.js';

const place = 'pocketllm-theme';
const themes = ['system', 'light', 'dark'] as const;

/** Light, dark, or as the system has it. Remembered in this browser; `public/theme.js` reads it first. */
export function themePicker(): HTMLElement {
  const current = document.documentElement.dataset.theme ?? 'system';
  const choices = themes.map((theme) =>
    element(
      'label',
      { title: titleOf(theme) },
      element('input', {
        type: 'radio',
        name: 'theme',
        value: theme,
        checked: theme === current,
        'aria-label': titleOf(theme),
        change: () => setTheme(theme),
      }),
      icon(theme),
    ),
  );
  return element(
    'fieldset',
    { class: 'themes' },
    element('legend', { class: 'visually-hidden' }, 'Appearance'),
    ...choices,
  );
}

const titleOf = (theme: string) =>
  theme === 'system' ? 'As the system' : theme === 'light' ? 'Light' : 'Dark';

function setTheme(theme: (typeof themes)[number]): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(place, theme);
  } catch {
    // Where nothing can be kept, the choice lasts as long as the page.
  }
}
