/**
 * The tree that `parse` of @huggingface/jinja gives, as far as the interpreter reads it. The package types
 * its nodes with `type: string`; these are the same nodes told apart by it.
 */
export type Node = Statement | Expression;

export interface Program {
  readonly body: readonly Node[];
}

export type Statement =
  | SetStatement
  | IfStatement
  | ForStatement
  | MacroStatement
  | CallStatement
  | { readonly type: 'FilterStatement'; readonly filter: FilterCall; readonly body: readonly Node[] }
  | { readonly type: 'Break' }
  | { readonly type: 'Continue' }
  | { readonly type: 'Comment' };

export interface SetStatement {
  readonly type: 'Set';
  readonly assignee: Expression;
  /** null for the block form, whose text is the value. */
  readonly value: Expression | null;
  readonly body: readonly Node[];
}

export interface IfStatement {
  readonly type: 'If';
  readonly test: Expression;
  readonly body: readonly Node[];
  readonly alternate: readonly Node[];
}

export interface ForStatement {
  readonly type: 'For';
  readonly loopvar: Expression;
  /** A SelectExpression for `for x in list if test`. */
  readonly iterable: Expression;
  readonly body: readonly Node[];
  readonly defaultBlock: readonly Node[];
}

export interface MacroStatement {
  readonly type: 'Macro';
  readonly name: Identifier;
  readonly args: readonly Parameter[];
  readonly body: readonly Node[];
}

export interface CallStatement {
  readonly type: 'CallStatement';
  readonly call: CallExpression;
  readonly callerArgs: readonly Parameter[] | null;
  readonly body: readonly Node[];
}

export type Parameter = Identifier | KeywordArgument;

export type Expression =
  | { readonly type: 'IntegerLiteral'; readonly value: number }
  | { readonly type: 'FloatLiteral'; readonly value: number }
  | { readonly type: 'StringLiteral'; readonly value: string }
  | { readonly type: 'ArrayLiteral'; readonly value: readonly Expression[] }
  | TupleLiteral
  | { readonly type: 'ObjectLiteral'; readonly value: ReadonlyMap<Expression, Expression> }
  | Identifier
  | MemberExpression
  | CallExpression
  | {
      readonly type: 'UnaryExpression';
      readonly operator: { readonly value: string };
      readonly argument: Expression;
    }
  | BinaryExpression
  | { readonly type: 'FilterExpression'; readonly operand: Expression; readonly filter: FilterCall }
  | {
      readonly type: 'TestExpression';
      readonly operand: Expression;
      readonly negate: boolean;
      readonly test: Identifier;
    }
  | SelectExpression
  | {
      readonly type: 'Ternary';
      readonly condition: Expression;
      readonly trueExpr: Expression;
      readonly falseExpr: Expression;
    }
  | SliceExpression
  | KeywordArgument
  | { readonly type: 'SpreadExpression'; readonly argument: Expression }
  | { readonly type: 'KeywordSpreadExpression'; readonly argument: Expression };

export interface Identifier {
  readonly type: 'Identifier';
  readonly value: string;
}

export interface TupleLiteral {
  readonly type: 'TupleLiteral';
  readonly value: readonly Expression[];
}

export interface MemberExpression {
  readonly type: 'MemberExpression';
  readonly object: Expression;
  readonly property: Expression;
  /** Whether it is `object[property]` rather than `object.property`. */
  readonly computed: boolean;
}

export interface CallExpression {
  readonly type: 'CallExpression';
  readonly callee: Expression;
  readonly args: readonly Expression[];
}

export interface BinaryExpression {
  readonly type: 'BinaryExpression';
  readonly operator: { readonly value: string };
  readonly left: Expression;
  readonly right: Expression;
}

/** `lhs if test` without an else. */
export interface SelectExpression {
  readonly type: 'SelectExpression';
  readonly lhs: Expression;
  readonly test: Expression;
}

export interface SliceExpression {
  readonly type: 'SliceExpression';
  readonly start?: Expression;
  readonly stop?: Expression;
  readonly step?: Expression;
}

export interface KeywordArgument {
  readonly type: 'KeywordArgumentExpression';
  readonly key: Identifier;
  readonly value: Expression;
}

/** A filter by name alone, or with arguments. */
export type FilterCall = Identifier | CallExpression;
