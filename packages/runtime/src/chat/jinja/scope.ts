import type { Budget } from './budget.js';
import type { Value } from './values.js';

/** Names and their values; what is not found is looked up in the scope around it. */
export class Scope {
  private readonly names = new Map<string, Value>();

  constructor(private readonly parent?: Scope) {}

  set(name: string, value: Value): void {
    this.names.set(name, value);
  }

  get(name: string, budget: Budget): Value {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      budget.spend(1);
      if (scope.names.has(name)) return scope.names.get(name);
    }
    return undefined;
  }
}
