import type { Budget } from './budget.js';
import { fail } from './fail.js';
import { filterNamed } from './list-filters.js';
import { numberValue } from './numbers.js';
import { binary, negate } from './operators.js';
import type { Scope } from './scope.js';
import { elementOf, sliceOf } from './slices.js';
import { stringMethod } from './string-methods.js';
import type { Expression, FilterCall, MemberExpression } from './syntax-tree.js';
import { Text } from './text.js';
import { valueTest } from './value-tests.js';
import {
  Arguments,
  asText,
  Callable,
  Dict,
  dictOf,
  Float,
  isTrue,
  List,
  LoopState,
  Namespace,
  typeName,
  type Value,
} from './values.js';

/** The value of an expression. Every node costs a step, so no expression runs or nests without end. */
export function evaluate(node: Expression, scope: Scope, budget: Budget): Value {
  budget.enter();
  const value = evaluateInside(node, scope, budget);
  budget.leave();
  return value;
}

function evaluateInside(node: Expression, scope: Scope, budget: Budget): Value {
  switch (node.type) {
    case 'StringLiteral':
      return Text.trusted(node.value);
    case 'IntegerLiteral':
      return numberValue(node.value);
    case 'FloatLiteral':
      return new Float(node.value);
    case 'ArrayLiteral':
    case 'TupleLiteral':
      return new List(node.value.map((item) => evaluate(item, scope, budget)));
    case 'ObjectLiteral':
      return dictOf(
        Array.from(node.value, ([key, value]) => [
          keyOf(evaluate(key, scope, budget)),
          evaluate(value, scope, budget),
        ]),
      );
    case 'Identifier':
      return scope.get(node.value, budget);
    case 'MemberExpression':
      return member(node, scope, budget);
    case 'CallExpression': {
      const callee = evaluate(node.callee, scope, budget);
      if (!(callee instanceof Callable))
        return fail(`${nameOf(node.callee)} is ${typeName(callee)}, not a function`);
      return callee.call(evaluateArguments(node.args, scope, budget));
    }
    case 'UnaryExpression': {
      const value = evaluate(node.argument, scope, budget);
      if (node.operator.value === 'not') return !isTrue(value);
      return node.operator.value === '-' ? negate(value) : value;
    }
    case 'BinaryExpression': {
      const left = evaluate(node.left, scope, budget);
      const operator = node.operator.value;
      if (operator === 'and') return isTrue(left) ? evaluate(node.right, scope, budget) : left;
      if (operator === 'or') return isTrue(left) ? left : evaluate(node.right, scope, budget);
      return binary(operator, left, evaluate(node.right, scope, budget), budget);
    }
    case 'FilterExpression':
      return filtered(evaluate(node.operand, scope, budget), node.filter, scope, budget);
    case 'TestExpression': {
      const passes = valueTest(node.test.value)(evaluate(node.operand, scope, budget), undefined, budget);
      return passes !== node.negate;
    }
    case 'SelectExpression':
      return isTrue(evaluate(node.test, scope, budget)) ? evaluate(node.lhs, scope, budget) : undefined;
    case 'Ternary':
      return isTrue(evaluate(node.condition, scope, budget))
        ? evaluate(node.trueExpr, scope, budget)
        : evaluate(node.falseExpr, scope, budget);
    default:
      return fail(`${node.type} does not stand here`);
  }
}

/** `value | filter`, in an expression or over a filter block. */
export function filtered(value: Value, filter: FilterCall, scope: Scope, budget: Budget): Value {
  const name = filter.type === 'Identifier' ? filter : filter.callee;
  if (name.type !== 'Identifier') return fail('a filter is not a name');
  const args = filter.type === 'Identifier' ? Arguments.none : evaluateArguments(filter.args, scope, budget);
  return filterNamed(name.value)(value, args, budget);
}

export function evaluateArguments(nodes: readonly Expression[], scope: Scope, budget: Budget): Arguments {
  const positional: Value[] = [];
  const named = new Map<string, Value>();
  for (const node of nodes) {
    if (node.type === 'KeywordArgumentExpression') {
      named.set(node.key.value, evaluate(node.value, scope, budget));
    } else if (node.type === 'SpreadExpression') {
      const items = evaluate(node.argument, scope, budget);
      if (!(items instanceof List)) return fail(`cannot unpack ${typeName(items)}`);
      budget.spend(items.items.length);
      for (const item of items.items) positional.push(item);
    } else if (node.type === 'KeywordSpreadExpression') {
      const items = evaluate(node.argument, scope, budget);
      if (!(items instanceof Dict)) return fail(`cannot unpack ${typeName(items)} as keywords`);
      budget.spend(items.entries.size);
      for (const [key, { value }] of items.entries) named.set(key, value);
    } else {
      positional.push(evaluate(node, scope, budget));
    }
  }
  return new Arguments(positional, named);
}

function member(node: MemberExpression, scope: Scope, budget: Budget): Value {
  const object = evaluate(node.object, scope, budget);
  if (object === undefined) return fail(`${nameOf(node.object)} is undefined`);
  const { property } = node;
  if (!node.computed) {
    if (property.type === 'IntegerLiteral') return indexed(object, property.value, budget);
    return property.type === 'Identifier'
      ? attribute(object, property.value, budget)
      : fail('a name is missing');
  }
  if (property.type === 'SliceExpression') {
    const bound = (bound: Expression | undefined): Value =>
      bound === undefined ? undefined : evaluate(bound, scope, budget);
    return sliceOf(object, [bound(property.start), bound(property.stop), bound(property.step)], budget);
  }
  return indexed(object, evaluate(property, scope, budget), budget);
}

/** `object.name`: a method before an entry of that name. Only what is listed here can be reached. */
function attribute(object: Value, name: string, budget: Budget): Value {
  return method(object, name, budget) ?? entry(object, name);
}

/** `object[key]`: an entry before a method of that name. */
function indexed(object: Value, key: Value, budget: Budget): Value {
  if (key instanceof Text) {
    budget.text(key.length);
    return entry(object, key.value) ?? method(object, key.value, budget);
  }
  const isIndex = typeof key === 'number' && (object instanceof List || object instanceof Text);
  return isIndex ? elementOf(object, key, budget) : undefined;
}

function entry(object: Value, name: string): Value {
  if (object instanceof Dict || object instanceof LoopState) return object.get(name);
  return object instanceof Namespace ? object.attributes.get(name) : undefined;
}

function method(object: Value, name: string, budget: Budget): Callable | undefined {
  if (object instanceof Dict) {
    const own = dictMethod(object, name, budget);
    if (own !== undefined) return own;
  }
  const text = asText(object);
  return text === undefined ? undefined : stringMethod(text, name, budget);
}

function dictMethod(dict: Dict, name: string, budget: Budget): Callable | undefined {
  const listed = (items: () => Value[]): Callable =>
    new Callable(() => {
      budget.spend(dict.entries.size);
      return new List(items());
    });
  switch (name) {
    case 'get':
      return new Callable((args) => {
        const key = keyOf(args.get(0, 'key')).value;
        return dict.entries.has(key) ? dict.get(key) : (args.get(1, 'default') ?? null);
      });
    case 'items':
      return listed(() => dict.items());
    case 'keys':
      return listed(() => dict.keys());
    case 'values':
      return listed(() => Array.from(dict.entries.values(), ({ value }) => value));
    default:
      return undefined;
  }
}

function keyOf(value: Value): Text {
  return value instanceof Text ? value : fail(`a key is ${typeName(value)}, not a string`);
}

/** How an expression is called in an error: `messages[...].content`. */
function nameOf(node: Expression): string {
  if (node.type === 'Identifier') return node.value;
  if (node.type !== 'MemberExpression') return 'a value';
  const property =
    !node.computed && node.property.type === 'Identifier' ? `.${node.property.value}` : '[...]';
  return `${nameOf(node.object)}${property}`;
}
