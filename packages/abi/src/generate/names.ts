/** `subScales` as native code spells it: `sub_scales`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Lays out a list of literals in lines of at most `width` characters, each indented by `indent`. */
export function wrapped(literals: readonly string[], indent: string, width = 100): string {
  const lines: string[] = [];
  let line = indent;
  for (const literal of literals) {
    if (line.length + literal.length + 2 > width && line !== indent) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${literal}, `;
  }
  lines.push(line.trimEnd());
  return lines.join('\n');
}
