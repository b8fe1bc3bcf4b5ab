// @ts-check
// Keeps the written documentation true: links lead somewhere, and the page of errors lists what
// packages/abi/src/errors.ts declares.
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import typescript from 'typescript';
import { listFiles, readText } from './support/files.mjs';
import { runAsCommand } from './support/problems.mjs';

const errorsPage = 'docs/reference/errors.md';
const errorsSource = 'packages/abi/src/errors.ts';

/** @param {string} root */
export function checkDocs(root) {
  const pages = listFiles(root).filter((path) => path.endsWith('.md') && !path.startsWith('.changeset/'));
  const links = pages.flatMap((page) => linksIn(readText(root, page)).map((link) => ({ page, ...link })));
  const broken = links.flatMap(({ page, target, line }) => {
    const fault = faultOf(root, page, target);
    return fault === undefined ? [] : [`${page}:${line}: ${target} ${fault}`];
  });
  return {
    problems: [...broken, ...compareErrors(root)],
    summary: `${pages.length} pages, ${links.length} links`,
  };
}

/** Links of a page, save those in code. @param {string} text */
function linksIn(text) {
  return withoutCode(text)
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/\]\(<?([^()\s>]+)>?(?: "[^"]*")?\)|^\[[^\]]+\]: (\S+)/g)].map((match) => ({
        target: match[1] ?? match[2] ?? '',
        line: index + 1,
      })),
    );
}

/** Blanks fenced blocks and code spans, keeping line numbers. @param {string} text */
function withoutCode(text) {
  const blank = (/** @type {string} */ code) => code.replace(/[^\n]/g, '');
  return text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2.*$/gm, blank).replace(/`[^`\n]+`/g, blank);
}

/** @param {string} root @param {string} page @param {string} target */
function faultOf(root, page, target) {
  if (/^[a-z]+:/.test(target)) return undefined; // another site
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : posix.join(posix.dirname(page), decodeURIComponent(path));
  if (file.startsWith('..')) return 'leads out of the repository';
  if (!existsSync(join(root, file))) return 'does not exist';
  if (anchor !== undefined && file.endsWith('.md') && !anchorsOf(readText(root, file)).has(anchor)) {
    return 'names a heading that is not there';
  }
  return undefined;
}

/** Anchors of the headings, as code hosts make them. @param {string} text */
function anchorsOf(text) {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} +(.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  );
}

/** @param {string} root */
function compareErrors(root) {
  const declared = declaredErrors(readText(root, errorsSource));
  const listed = new Map();
  for (const [, code = '', fields = ''] of readText(root, errorsPage).matchAll(
    /^\| `([A-Z_]+)` \|[^|]*\|([^|]*)\|/gm,
  )) {
    listed.set(code, [...fields.matchAll(/`([A-Za-z]+)`/g)].map((match) => match[1]).join(', '));
  }
  const problems = [];
  for (const [code, fields] of declared) {
    if (!listed.has(code)) problems.push(`${errorsPage}: ${code} is missing`);
    else if (listed.get(code) !== fields) {
      problems.push(`${errorsPage}: ${code} has the fields ${fields}, the page says ${listed.get(code)}`);
    }
  }
  for (const code of listed.keys()) {
    if (!declared.has(code)) problems.push(`${errorsPage}: ${code} is not declared in ${errorsSource}`);
  }
  return problems;
}

/** Codes of `interface ErrorDetails`, each with the names of its fields. @param {string} text */
function declaredErrors(text) {
  const file = typescript.createSourceFile(errorsSource, text, typescript.ScriptTarget.ESNext);
  const details = file.statements.find(
    (statement) => typescript.isInterfaceDeclaration(statement) && statement.name.text === 'ErrorDetails',
  );
  /** @type {Map<string, string>} */
  const errors = new Map();
  if (details === undefined || !typescript.isInterfaceDeclaration(details)) return errors;
  for (const member of details.members) {
    if (!typescript.isPropertySignature(member) || !member.type || !typescript.isTypeLiteralNode(member.type))
      continue;
    const fields = member.type.members.map((field) => field.name?.getText(file));
    errors.set(member.name.getText(file), fields.join(', '));
  }
  return errors;
}

await runAsCommand(import.meta.url, checkDocs);
