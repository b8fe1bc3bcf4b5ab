/** The name of one part of a split set, taken apart. */
export interface SplitName {
  /** From 1, as in the name. */
  readonly part: number;
  readonly parts: number;
  /** The name of another part, numbered from 1. */
  sibling(part: number): string;
}

/** `PREFIX-00001-of-00003.gguf`, as a path or an address (with a query or without); undefined for other names. */
export function parseSplitName(path: string): SplitName | undefined {
  const match = /-(\d{5})-of-(\d{5})\.gguf(?=$|[?#])/.exec(path);
  if (!match) return undefined;
  const [name, part, parts] = match as unknown as [string, string, string];
  const prefix = path.slice(0, match.index);
  const rest = path.slice(match.index + name.length);
  const sibling = (n: number) => `${prefix}-${String(n).padStart(5, '0')}-of-${parts}.gguf${rest}`;
  return { part: Number(part), parts: Number(parts), sibling };
}
