/** Sets: right of `in` in an expression, and behind `in` in the declaration of a variable. */
import * as ast from '../generated/nodes.js';
import { isTypeName } from '../references/templates.js';
import { rangeOf, textOf } from '../tree/source-text.js';
import type { ExpressionChecks } from './expression-checks.js';
import { RecordShape } from '../representation/record.js';
import { isDomain, type Shape, type Type } from '../representation/shape.js';
import { describeType, areComparable, fitOf } from '../representation/type.js';

/** Checks a set whose elements must be comparable with values of `type`, or the name of such a type. */
export function checkElements(set: ast.Expression, type: Type, whole: ast.Expression, checks: ExpressionChecks): void {
    const { problems } = checks;
    if (!ast.isSetLiteral(set)) {
        const shape = checkTypeName(set, checks);
        const text = textOf(set) ?? '';
        if (shape instanceof RecordShape && !isDomain(shape.oneCell())) {
            const message = `\`${shape.name}\` has too many values to ask whether a value is one of them`;
            problems.error('type/too-large', message, rangeOf(set));
        } else if (shape !== undefined && !areComparable(type, shape.type)) {
            const message = `${describeType(type)} is never a value of \`${text}\``;
            problems.error('type/not-comparable', message, rangeOf(whole));
        }
        return;
    }
    for (const element of set.elements) {
        const low = checks.typeOf(element.low);
        if (element.high !== undefined) {
            checks.checkInteger(element.high, 'the high end of a range');
            if (checks.checkInteger(element.low, 'the low end of a range') === undefined) {
                continue;
            }
        }
        if (!areComparable(type, low) && !(low.kind === 'none' && type.kind === 'optional')) {
            const message = `${describeType(type)} cannot be compared with ${describeType(low)}`;
            problems.error('type/not-comparable', message, rangeOf(element.low));
        }
    }
}

/** Checks the initial values of a variable: a set, or all values of a type. Each cell gets one of them. */
export function checkChoices(choices: ast.Expression, shape: Shape, what: string, checks: ExpressionChecks): void {
    const { element } = shape;
    if (!ast.isSetLiteral(choices)) {
        const named = checkTypeName(choices, checks);
        if (named !== undefined) {
            const type = named.type;
            checks.reportFit(fitOf(type, element), choices, type, what, element);
        }
        return;
    }
    if (choices.elements.length === 0) {
        const message = 'a set without elements leaves no initial value';
        checks.problems.error('type/empty', message, rangeOf(choices));
    }
    for (const { low, high } of choices.elements) {
        if (high !== undefined) {
            checks.checkInteger(low, 'the low end of a range');
            checks.checkFit(high, element, what);
        }
        checks.checkFit(low, element, what);
    }
}

/** Checks that an expression names a type. */
function checkTypeName(expression: ast.Expression, checks: ExpressionChecks): Shape | undefined {
    const target = ast.isReference(expression) ? expression.target.ref : undefined;
    if (isTypeName(target)) {
        return checks.constants.shapeOfTypeName(expression);
    }
    if (target !== undefined || !ast.isReference(expression)) {
        const type = checks.typeOf(expression);
        if (type.kind !== 'unknown') {
            const message = `right of \`in\` stands a set \`{a, b}\` or the name of a type, but this is ${describeType(type)}`;
            checks.problems.error('type/not-a-set', message, rangeOf(expression));
        }
    }
    return undefined;
}
