import { choice, type Grammar, type GrammarNode, nothing, repeat, sequence } from './grammar.js';

/**
 * The grammar without what can never come to an end, such as a rule that always needs itself or a choice of nothing,
 * and without rules that nothing leads to. Undefined where no text is left.
 */
export function prune(grammar: Grammar): Grammar | undefined {
  const ends = endingRules(grammar.rules);
  const root = pruned(grammar.root, ends);
  if (root === undefined) return undefined;
  const rules = new Map<string, GrammarNode>();
  const reached = new Set(namesIn(root));
  for (const name of reached) {
    const kept = pruned(grammar.rules.get(name)!, ends)!;
    rules.set(name, kept);
    for (const next of namesIn(kept)) reached.add(next);
  }
  return { rules, root };
}

/** Rules of which some text is a whole. */
function endingRules(rules: Grammar['rules']): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  for (const [name, node] of rules) {
    for (const used of new Set(namesIn(node))) {
      const known = users.get(used);
      if (known) known.push(name);
      else users.set(used, [name]);
    }
  }
  const ends = new Set<string>();
  const open = [...rules.keys()];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (ends.has(name) || !canEnd(rules.get(name)!, ends)) continue;
    ends.add(name);
    open.push(...(users.get(name) ?? []));
  }
  return ends;
}

function canEnd(node: GrammarNode, ends: ReadonlySet<string>): boolean {
  switch (node.kind) {
    case 'text':
      return true;
    case 'character':
      return node.ranges.length > 0;
    case 'rule':
      return ends.has(node.name);
    case 'sequence':
      return node.items.every((item) => canEnd(item, ends));
    case 'choice':
      return node.items.some((item) => canEnd(item, ends));
    case 'repeat':
      return node.min === 0 || canEnd(node.item, ends);
  }
}

function pruned(node: GrammarNode, ends: ReadonlySet<string>): GrammarNode | undefined {
  switch (node.kind) {
    case 'text':
      return node;
    case 'character':
      return node.ranges.length > 0 ? node : undefined;
    case 'rule':
      return ends.has(node.name) ? node : undefined;
    case 'sequence': {
      const items = node.items.map((item) => pruned(item, ends));
      return items.every((item) => item !== undefined) ? sequence(...items) : undefined;
    }
    case 'choice': {
      const items = node.items.map((item) => pruned(item, ends)).filter((item) => item !== undefined);
      return items.length > 0 ? choice(...items) : undefined;
    }
    case 'repeat': {
      if (node.max === 0) return nothing;
      const item = pruned(node.item, ends);
      if (item !== undefined) return repeat(item, node.min, node.max);
      return node.min === 0 ? nothing : undefined;
    }
  }
}

function namesIn(node: GrammarNode): readonly string[] {
  switch (node.kind) {
    case 'rule':
      return [node.name];
    case 'sequence':
    case 'choice':
      return node.items.flatMap(namesIn);
    case 'repeat':
      return namesIn(node.item);
    default:
      return [];
  }
}
