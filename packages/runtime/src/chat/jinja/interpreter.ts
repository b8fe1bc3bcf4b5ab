import type { Budget } from './budget.js';
import { evaluate, evaluateArguments, filtered } from './expressions.js';
import { fail } from './fail.js';
import { Output, str } from './print.js';
import { Scope } from './scope.js';
import type { Expression, ForStatement, MacroStatement, Node, Parameter, Program } from './syntax-tree.js';
import { Text } from './text.js';
import {
  Arguments,
  Callable,
  dictOf,
  isTrue,
  itemsOf,
  List,
  LoopState,
  Namespace,
  typeName,
  type Value,
} from './values.js';

/** How a block ends: at its end (undefined), or by leaving or going on with the loop around it. */
type Ending = 'Break' | 'Continue' | undefined;

/** The text that a template gives. Throws TEMPLATE_FAILED at a fault of the template or a limit of the budget. */
export function run(program: Program, globals: Scope, budget: Budget): Text {
  // The template's own names are kept apart from the globals, which it may cover but not change.
  return captured(program.body, new Scope(globals), budget);
}

function captured(body: readonly Node[], scope: Scope, budget: Budget): Text {
  const out = new Output(budget);
  const ending = execute(body, scope, budget, out);
  return ending === undefined ? out.text() : fail(`${ending.toLowerCase()} outside of a loop`);
}

function execute(body: readonly Node[], scope: Scope, budget: Budget, out: Output): Ending {
  for (const node of body) {
    budget.enter();
    const ending = executeOne(node, scope, budget, out);
    budget.leave();
    if (ending !== undefined) return ending;
  }
  return undefined;
}

function executeOne(node: Node, scope: Scope, budget: Budget, out: Output): Ending {
  switch (node.type) {
    case 'Comment':
      return undefined;
    case 'Break':
    case 'Continue':
      return node.type;
    case 'If': {
      const branch = isTrue(evaluate(node.test, scope, budget)) ? node.body : node.alternate;
      return execute(branch, scope, budget, out);
    }
    case 'For':
      loop(node, scope, budget, out);
      return undefined;
    case 'Set': {
      const value =
        node.value === null ? captured(node.body, scope, budget) : evaluate(node.value, scope, budget);
      assign(node.assignee, value, scope, budget);
      return undefined;
    }
    case 'Macro':
      scope.set(node.name.value, macro(node, scope, budget));
      return undefined;
    case 'CallStatement': {
      const callee = evaluate(node.call.callee, scope, budget);
      if (!(callee instanceof Callable)) return fail(`cannot call ${typeName(callee)}`);
      const caller = macro({ args: node.callerArgs ?? [], body: node.body }, scope, budget);
      const { positional, named } = evaluateArguments(node.call.args, scope, budget);
      const args = new Arguments(positional, new Map([...named, ['caller', caller]]));
      out.add(str(callee.call(args), budget));
      return undefined;
    }
    case 'FilterStatement': {
      const text = captured(node.body, new Scope(scope), budget);
      out.add(str(filtered(text, node.filter, scope, budget), budget));
      return undefined;
    }
    default:
      out.add(str(evaluate(node, scope, budget), budget));
      return undefined;
  }
}

/** Each turn has a scope of its own, so what a turn sets is gone in the next (a namespace keeps it). */
function loop(node: ForStatement, scope: Scope, budget: Budget, out: Output): void {
  const { iterable } = node;
  const source = iterable.type === 'SelectExpression' ? iterable.lhs : iterable;
  let items = itemsOf(evaluate(source, scope, budget), budget);
  if (iterable.type === 'SelectExpression') {
    items = items.filter((item) => {
      const turn = new Scope(scope);
      assign(node.loopvar, item, turn, budget);
      return isTrue(evaluate(iterable.test, turn, budget));
    });
  }
  if (items.length === 0) execute(node.defaultBlock, new Scope(scope), budget, out);
  for (const [index, item] of items.entries()) {
    budget.spend(1);
    const turn = new Scope(scope);
    turn.set('loop', new LoopState(items, index));
    assign(node.loopvar, item, turn, budget);
    if (execute(node.body, turn, budget, out) === 'Break') return;
  }
}

function assign(target: Expression, value: Value, scope: Scope, budget: Budget): void {
  switch (target.type) {
    case 'Identifier':
      scope.set(target.value, value);
      return;
    case 'TupleLiteral': {
      const items = itemsOf(value, budget);
      if (items.length !== target.value.length) {
        fail(`${items.length} values for ${target.value.length} names`);
      }
      target.value.forEach((name, i) => {
        assign(name, items[i], scope, budget);
      });
      return;
    }
    case 'MemberExpression': {
      const object = evaluate(target.object, scope, budget);
      if (!(object instanceof Namespace)) fail(`cannot set an attribute of ${typeName(object)}`);
      if (target.computed || target.property.type !== 'Identifier') fail('a name is missing');
      object.attributes.set(target.property.value, value);
      return;
    }
    default:
      fail(`cannot assign to ${target.type}`);
  }
}

/** A macro sees the names around its definition, and its parameters; not those of its caller. */
function macro(node: Pick<MacroStatement, 'args' | 'body'>, around: Scope, budget: Budget): Callable {
  return new Callable((args) => {
    const scope = new Scope(around);
    bind(node.args, args, scope, budget);
    return captured(node.body, scope, budget);
  });
}

function bind(parameters: readonly Parameter[], args: Arguments, scope: Scope, budget: Budget): void {
  const extra = new Map(args.named);
  budget.spend(extra.size + args.positional.length);
  parameters.forEach((parameter, index) => {
    const name = parameter.type === 'Identifier' ? parameter.value : parameter.key.value;
    const given = index < args.positional.length || extra.has(name);
    const value =
      given || parameter.type === 'Identifier'
        ? args.get(index, name)
        : evaluate(parameter.value, scope, budget);
    extra.delete(name);
    scope.set(name, value);
  });
  if (extra.has('caller')) scope.set('caller', extra.get('caller'));
  extra.delete('caller');
  scope.set('varargs', new List(args.positional.slice(parameters.length)));
  scope.set('kwargs', dictOf(Array.from(extra, ([name, value]) => [Text.untrusted(name), value])));
}
