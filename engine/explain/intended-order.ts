/**
 * Places that treat values of a type differently on purpose: they order two of them, compute one from another, or look
 * up what a table says of each. Such a type suggests nothing. A comparison with a number is no order: that is a slip as
 * often as not.
 */
import type { BinaryOperator, Expression } from '../model/expression.js';
import { someExpression, type ModelPlace } from './places.js';

const ORDER: ReadonlySet<BinaryOperator> = new Set(['<', '<=', '>', '>=']);
/** `number < clients[server]`, not `i < 3`. */
const ORDER_OF_NAMES = /[\w\])] *[<>]=? *[A-Za-z_(]/;
const STEP: ReadonlySet<BinaryOperator> = new Set(['+', '-']);

/** Whether one of the places that break a symmetry shows that the difference is meant. */
export function isIntendedOrder(places: readonly ModelPlace[]): boolean {
    return places.some(
        ({ subject, mentionsOrder, text }) =>
            // The condition of a type is known by its text only.
            (subject === undefined && ORDER_OF_NAMES.test(text)) ||
            ((subject?.kind === 'expression' || subject?.kind === 'value') &&
                (someExpression(subject.expression, ordersOrLooksUp) ||
                    // What a function orders is in its body.
                    (mentionsOrder && someExpression(subject.expression, part => part.kind === 'call')))),
    );
}

function ordersOrLooksUp(part: Expression): boolean {
    switch (part.kind) {
        case 'binary': {
            const isBetweenTwo = part.left.kind !== 'constant' && part.right.kind !== 'constant';
            return (ORDER.has(part.operator) && isBetweenTwo) || STEP.has(part.operator);
        }
        case 'select':
            return new Set(part.options.map(option => JSON.stringify({ ...option, range: undefined }))).size > 1;
        default:
            return false;
    }
}
