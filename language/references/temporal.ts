/** Properties and assumptions: their temporal operators, and the words of fairness. */
import { enclosing, type Node } from '../tree/node.js';
import { nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';

export type TemporalInfix = 'until' | 'weak until' | 'leads to';
export type TemporalOperator = ast.TemporalPrefix['operator'] | TemporalInfix;

/** An expression that is about a run and not about a state. */
export type TemporalNode = ast.TemporalPrefix | ast.BinaryExpression | ast.Reference;

/** Whether the node itself is a temporal operator or a `takes`. */
export function isTemporalNode(node: Node): node is TemporalNode {
    return (
        ast.isTemporalPrefix(node) ||
        (ast.isBinaryExpression(node) && isTemporalOperator(node.operator)) ||
        (ast.isReference(node) && node.action !== undefined)
    );
}

export function isTemporalOperator(operator: string): operator is TemporalInfix {
    return operator === 'until' || operator === 'weak until' || operator === 'leads to';
}

/** Whether an expression, or some part of it, is about a run. */
export function isTemporal(expression: ast.Expression): boolean {
    return nodesOf(expression).some(isTemporalNode);
}

/** Whether what is said of runs is said of each state alone, `always c`: an invariant [engine/sequential/runs/stated-invariants.ts]. */
export function isAboutStates(expression: ast.Expression): boolean {
    const isState = (operand: ast.Expression): boolean => !isTemporal(operand);
    if (ast.isTemporalPrefix(expression)) {
        const { operator, operand } = expression;
        return operator === 'always' && (isState(operand) || isAboutStates(operand));
    }
    if (ast.isUnaryExpression(expression) && ast.isTemporalPrefix(expression.operand)) {
        return expression.operand.operator === 'eventually' && isState(expression.operand.operand);
    }
    return ast.isBinaryExpression(expression)
        ? expression.operator === '&&' && isAboutStates(expression.left) && isAboutStates(expression.right)
        : ast.isQuantifier(expression) &&
              expression.quantifier === 'forall' &&
              !readsVariable(expression.where) &&
              isAboutStates(expression.body);
}

/** Of what a `where` asks, at the start of a run alone. Here a function is taken to read none. */
function readsVariable(where: ast.Expression | undefined): boolean {
    return where !== undefined && nodesOf(where).some(node => ast.isReference(node) && ast.isVariable(node.target.ref));
}

/** The word of the language at such a node. */
export function temporalWordOf(node: TemporalNode): TemporalOperator | 'takes' {
    return ast.isReference(node) ? 'takes' : (node.operator as TemporalOperator);
}

/** Whether a declaration is about runs. */
export function isAboutRuns(node: Node): node is ast.Property | ast.Assumption {
    return ast.isProperty(node) || ast.isAssumption(node);
}

/** Whether a declaration may look at the locals of processes. */
export function isAnyProperty(node: Node): node is ast.Invariant | ast.Property | ast.Assumption | ast.StatedRun {
    return ast.isInvariant(node) || ast.isStatedRun(node) || isAboutRuns(node);
}

/** Whether a node is a part of such a declaration. */
export function isInProperty(node: Node): boolean {
    return enclosing(node, isAnyProperty) !== undefined;
}

/** What the text says about fairness: `fair`, `strong fair`, or nothing. */
export function fairnessOf({ fair, strong }: Pick<ast.Process, 'fair' | 'strong'>): string | undefined {
    return fair ? (strong ? 'strong fair' : 'fair') : undefined;
}
