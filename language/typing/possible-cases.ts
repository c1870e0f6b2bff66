/** Which cases a value may still have at a node: a test before it, `m is ask`, leaves no others (narrowing.ts says why). */
import * as ast from '../generated/nodes.js';
import type { Node } from '../tree/node.js';
import { conditionsAround, isSame, mayChange, valueOfName } from './narrowing.js';

type Cases = ReadonlySet<ast.EnumerationValue>;

/** The cases of a value of this type, as far as tests around it, inside `within`, tell. O(size of the step around it) */
export function possibleCases(expression: ast.Expression, declaration: ast.Enumeration, within?: Node): Cases {
    const { values } = declaration;
    if (ast.isCall(expression)) {
        const built = expression.function.ref;
        return ast.isEnumerationValue(built) ? new Set([built]) : new Set(values);
    }
    let cases: Cases = new Set(values);
    for (const { condition, outcome, written } of conditionsAround(expression, within)) {
        if (!written.some(write => mayChange(write, expression))) {
            cases = casesIf(condition, outcome, expression, cases);
        }
    }
    const named = ast.isReference(expression) && expression.indices.length === 0 ? expression.target.ref : undefined;
    if (!ast.isLet(named) || !ast.isBody(named.$container)) {
        return cases;
    }
    // The value of a name of a body is taken where the name is declared.
    const earlier = possibleCases(named.value, declaration);
    return new Set([...cases].filter(each => earlier.has(each)));
}

/** The cases that the value before a field may still have, by tests inside `within`; none of a record. */
export function casesBefore({ record, field }: ast.FieldAccess, within?: Node): Cases {
    const owner = field.ref?.$container;
    return ast.isEnumerationValue(owner) ? possibleCases(record, owner.$container, within) : new Set();
}

/** Those of some cases that a place may have if a condition is `outcome`. */
function casesIf(condition: ast.Expression, outcome: boolean, place: ast.Expression, cases: Cases): Cases {
    const test = valueOfName(condition);
    if (ast.isUnaryExpression(test) && test.operator === '!') {
        return casesIf(test.operand, !outcome, place, cases);
    }
    if (!ast.isBinaryExpression(test)) {
        return cases;
    }
    const { left, right, operator } = test;
    switch (operator) {
        case '&&':
        case '||':
        case 'implies': {
            const first = casesIf(left, operator === 'implies' ? !outcome : outcome, place, cases);
            // Both sides are known, or at least one of them is.
            return outcome === (operator === '&&')
                ? casesIf(right, outcome, place, first)
                : new Set([...first, ...casesIf(right, outcome, place, cases)]);
        }
        case 'is':
        case '==':
        case '!=': {
            const named = caseNamedBy(right) ?? caseNamedBy(left);
            const isTested = [left, right].some(side => isSame(side, place));
            const isCase = outcome === (operator !== '!=');
            return named === undefined || !isTested
                ? cases
                : new Set([...cases].filter(each => (each === named) === isCase));
        }
        default:
            return cases;
    }
}

/** The case whose name an expression is. */
export function caseNamedBy(expression: ast.Expression): ast.EnumerationValue | undefined {
    const named = ast.isReference(expression) ? expression.target.ref : undefined;
    return ast.isEnumerationValue(named) ? named : undefined;
}
