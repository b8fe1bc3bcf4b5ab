/**
 * Expressions over extents: names and integers joined by `*` and `/`, read from left to right, where `/`
 * must divide without rest; or `ceil(a/b)`. `heads*headSize`, `cols/groups`, `ceil(cols/32)`.
 */
export interface ExtentExpression {
  readonly source: string;
  /** The names it reads, in order. */
  readonly names: readonly string[];
  readonly isName: boolean;
  readonly rounding: 'exact' | 'up';
  readonly factors: readonly { readonly divide: boolean; readonly operand: string | number }[];
}

const parsed = new Map<string, ExtentExpression>();

export function parseExtent(source: string): ExtentExpression {
  const known = parsed.get(source);
  if (known) return known;
  const up = /^ceil\((.+)\)$/.exec(source);
  const body = up ? up[1]! : source;
  if (!/^\w+(?:[*/]\w+)*$/.test(body)) throw new TypeError(`'${source}' is not an extent`);
  const factors = [...body.matchAll(/([*/]?)(\w+)/g)].map(([, sign, word]) => ({
    divide: sign === '/',
    operand: /^\d/.test(word!) ? Number(word) : word!,
  }));
  const names = factors.flatMap(({ operand }) => (typeof operand === 'string' ? [operand] : []));
  const expression: ExtentExpression = {
    source,
    names,
    isName: factors.length === 1 && names.length === 1,
    rounding: up ? 'up' : 'exact',
    factors,
  };
  parsed.set(source, expression);
  return expression;
}

/** The value of an expression; undefined where a name is unbound or a division leaves a rest. */
export function evaluateExtent(
  expression: ExtentExpression,
  sizes: Readonly<Record<string, number>>,
): number | undefined {
  let value = 1;
  for (const { divide, operand } of expression.factors) {
    const size = typeof operand === 'number' ? operand : sizes[operand];
    if (size === undefined) return undefined;
    value = divide ? value / size : value * size;
  }
  if (expression.rounding === 'up') return Math.ceil(value);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Solves `expression = value` for its single unbound name; undefined where no integer does. */
export function solveExtent(
  expression: ExtentExpression,
  value: number,
  sizes: Readonly<Record<string, number>>,
): { name: string; size: number } | undefined {
  const unbound = expression.names.filter((name) => sizes[name] === undefined);
  const [name] = unbound;
  if (unbound.length !== 1 || name === undefined || expression.rounding === 'up') return undefined;
  const rest = { ...sizes, [name]: 1 };
  let others = 1;
  for (const { divide, operand } of expression.factors) {
    const size = typeof operand === 'number' ? operand : rest[operand]!;
    others = divide ? others / size : others * size;
  }
  const divides = expression.factors.some(({ divide, operand }) => divide && operand === name);
  const size = divides ? others / value : value / others;
  return Number.isSafeInteger(size) && size > 0 ? { name, size } : undefined;
}
