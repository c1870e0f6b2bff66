/**
 * Places that treat values of a type differently on purpose: they order two of them, compute one from another, or look
 * up what a table says of each. Such a type suggests nothing. A comparison with a number is no order: that is a slip as
 * often as not, also beside a step around a ring, `if i == 3 then 1 else (i + 1) mod N`.
 */
import type { BinaryOperator, Expression } from '../model/expression.js';
import { forEachExpression, someExpression, type ModelPlace } from './places.js';

const ORDER: ReadonlySet<BinaryOperator> = new Set(['<', '<=', '>', '>=']);
/** `number < clients[server]`, not `i < 3`. */
const ORDER_OF_NAMES = /[\w\])] *[<>]=? *[A-Za-z_(]/;
const STEP: ReadonlySet<BinaryOperator> = new Set(['+', '-']);

/** Whether a place that breaks a symmetry shows that the difference is meant. */
export function isIntendedOrder({ subject, mentionsOrder, text }: ModelPlace): boolean {
    if (subject === undefined) {
        // The condition of a type is known by its text only.
        return ORDER_OF_NAMES.test(text);
    }
    return (
        (subject.kind === 'expression' || subject.kind === 'value') &&
        (ordersOrLooksUp(subject.expression) ||
            // What a function orders is in its body.
            (mentionsOrder && someExpression(subject.expression, part => part.kind === 'call')))
    );
}

function ordersOrLooksUp(whole: Expression): boolean {
    const aroundRing = new Set<Expression>();
    if (someExpression(whole, isOneValue)) {
        forEachExpression(whole, part => {
            if (part.kind === 'binary' && part.operator === 'mod') {
                forEachExpression(part.left, each => aroundRing.add(each));
            }
        });
    }
    return someExpression(whole, part => {
        switch (part.kind) {
            case 'binary':
                return (
                    (ORDER.has(part.operator) && part.left.kind !== 'constant' && part.right.kind !== 'constant') ||
                    (STEP.has(part.operator) && !aroundRing.has(part))
                );
            case 'select':
                return new Set(part.options.map(option => JSON.stringify({ ...option, range: undefined }))).size > 1;
            default:
                return false;
        }
    });
}

/** `i == 3`, `i != 3`. */
function isOneValue(part: Expression): boolean {
    return (
        part.kind === 'binary' &&
        (part.operator === '==' || part.operator === '!=') &&
        (part.left.kind === 'constant' || part.right.kind === 'constant')
    );
}
