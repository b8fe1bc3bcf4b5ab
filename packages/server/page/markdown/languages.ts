import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import { element } from '../view/element.js';

// Loaded when the first block of code is complete.
const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});

type Part = ReturnType<typeof lowlight.highlight>['children'][number];

/** Code as coloured elements; undefined for a language that is not among these. */
export function highlight(language: string, text: string): Node[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  return lowlight.highlight(language, text, { prefix: 'code-' }).children.map(toNode);
}

function toNode(part: Part): Node {
  if (part.type === 'text') return document.createTextNode(part.value);
  if (part.type !== 'element') return document.createTextNode('');
  const { className } = part.properties;
  const classes = Array.isArray(className) ? className.join(' ') : '';
  return element('span', { class: classes }, ...part.children.map(toNode));
}
