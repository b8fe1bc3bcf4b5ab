import { toolsIn } from '../api/chat-request.js';
import type { Settings } from '../conversation/conversation.js';
import { openDialog } from './dialogs.js';
import { element, setText } from './element.js';
import { growWithText } from './grow-with-text.js';

type NumberField = 'temperature' | 'topP' | 'topK' | 'maxTokens';

interface Range {
  readonly key: NumberField;
  readonly label: string;
  readonly most: number;
  readonly least: number;
  readonly step: number;
  readonly about: string;
}

const ranges = (contextTokens: number): readonly Range[] => [
  {
    key: 'temperature',
    label: 'Temperature',
    least: 0,
    most: 2,
    step: 0.05,
    about: 'Low is predictable, high is varied. 0 always takes the likeliest token.',
  },
  {
    key: 'topP',
    label: 'Top-p',
    least: 0,
    most: 1,
    step: 0.01,
    about: 'Chooses among the likeliest tokens that together reach this share.',
  },
  {
    key: 'topK',
    label: 'Top-k',
    least: 0,
    most: 200,
    step: 1,
    about: 'Chooses among so many tokens. 0 for all.',
  },
  {
    key: 'maxTokens',
    label: 'Longest answer',
    least: 1,
    most: contextTokens,
    step: 1,
    about: 'In tokens, thinking included.',
  },
];

/** Opens the settings of a conversation; each change is told at once. */
export function openSettings(
  settings: Settings,
  contextTokens: number,
  onChange: (settings: Settings) => void,
): void {
  let current = settings;
  const change = (part: Partial<Settings>) => {
    current = { ...current, ...part };
    onChange(current);
  };
  const rows = ranges(contextTokens).map((range) =>
    numberRow(range, current[range.key], (value) => change({ [range.key]: value })),
  );
  const system = textRow(
    'System prompt',
    current.system,
    'How the model should answer, and who it is.',
    (value) => change({ system: value }),
  );
  const tools = textRow(
    'Tools',
    current.tools,
    'Functions that the model may call, as the JSON list that the API takes. You give the results yourself.',
    (value) => change({ tools: value }),
    faultOfTools,
  );
  tools.area.classList.add('mono');
  openDialog(
    'Settings',
    [
      element(
        'div',
        { class: 'sheet-body' },
        element('p', { class: 'about' }, 'For this conversation. What is empty is left to the model.'),
        system.row,
        ...rows,
        element(
          'label',
          { class: 'row switch-row' },
          element('span', {}, 'Thinking'),
          element('input', {
            type: 'checkbox',
            role: 'switch',
            checked: current.thinking,
            change: ({ target }: { target: HTMLInputElement }) => change({ thinking: target.checked }),
          }),
          element('span', { class: 'about' }, 'The model thinks before it answers, where it can.'),
        ),
        element(
          'details',
          { class: 'more', open: current.tools !== '' },
          element('summary', {}, 'For developers'),
          tools.row,
        ),
        keys(),
      ),
    ],
    { kind: 'sheet' },
  );
  growWithText(system.area);
}

function numberRow(
  { key, label, least, most, step, about }: Range,
  value: number | undefined,
  onChange: (value: number | undefined) => void,
): HTMLElement {
  const limits = { min: least, max: most, step };
  const field = element('input', {
    type: 'number',
    inputmode: 'decimal',
    placeholder: 'model’s own',
    value,
    'aria-describedby': `about-${key}`,
    ...limits,
    step: 'any',
  });
  // For the pointer; keyboards and screen readers have the field.
  const slider = element('input', { type: 'range', tabindex: -1, 'aria-hidden': 'true', ...limits });
  const show = (shown: number | undefined) => {
    slider.value = String(shown ?? (least + most) / 2);
    slider.classList.toggle('unset', shown === undefined);
    slider.style.setProperty('--part', `${((Number(slider.value) - least) / (most - least)) * 100}%`);
  };
  slider.addEventListener('input', () => {
    field.value = slider.value;
    show(Number(slider.value));
    onChange(Number(slider.value));
  });
  const given = (): number | undefined => {
    if (field.value === '') return undefined;
    const within = Math.min(Math.max(field.valueAsNumber, least), most);
    return step < 1 ? within : Math.round(within);
  };
  field.addEventListener('input', () => {
    show(given());
    onChange(given());
  });
  // What is out of range is put right when the field is left, not under the fingers.
  field.addEventListener('change', () => {
    field.value = String(given() ?? '');
  });
  show(value);
  return element(
    'div',
    { class: 'row number-row' },
    element('label', {}, element('span', {}, label), field),
    slider,
    element('p', { class: 'about', id: `about-${key}` }, about),
  );
}

function textRow(
  label: string,
  value: string,
  about: string,
  onChange: (value: string) => void,
  faultOf: (value: string) => string | undefined = () => undefined,
): { row: HTMLElement; area: HTMLTextAreaElement } {
  const id = label.toLowerCase().replaceAll(' ', '-');
  const area = element('textarea', { rows: 2, spellcheck: 'false', 'aria-describedby': `about-${id}` });
  area.value = value;
  const told = element('p', { class: 'about', id: `about-${id}` }, about);
  area.addEventListener('input', () => onChange(area.value));
  area.addEventListener('change', () => {
    const fault = faultOf(area.value);
    area.ariaInvalid = String(fault !== undefined);
    setText(told, fault ?? about);
  });
  return {
    row: element('div', { class: 'row' }, element('label', {}, element('span', {}, label), area), told),
    area,
  };
}

function faultOfTools(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    toolsIn(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function keys(): HTMLElement {
  const key = (name: string, what: string) => [
    element('dt', {}, element('kbd', {}, name)),
    element('dd', {}, what),
  ];
  return element(
    'details',
    { class: 'more' },
    element('summary', {}, 'Keys'),
    element(
      'dl',
      { class: 'keys' },
      ...key('Enter', 'sends the message'),
      ...key('Shift Enter', 'begins a new line'),
      ...key('Escape', 'stops the answer'),
      ...key('↑', 'in an empty field: edits the last message'),
      ...key('Ctrl Shift O', 'starts a new conversation'),
    ),
  );
}
