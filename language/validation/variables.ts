/** Variables: their type has values, and their initial value is one of them. */
import { domainSize, type Domain } from '../../engine/model/domain.js';
import {
    isRangeType,
    isRecordDeclaration,
    isReference,
    isTypeDeclaration,
    type ElementType,
    type Variable,
} from '../generated/nodes.js';
import { rangeOf, rangeOfProperty } from '../tree/source-text.js';
import type { Constants } from '../typing/constants.js';
import { choosesParts } from '../typing/any-literal.js';
import { checkChoices } from '../typing/infer-sets.js';
import { holdsNumber } from '../typing/one-cell.js';
import type { Shape } from '../representation/shape.js';
import { describeDomain } from '../representation/type.js';
import type { CheckContext } from './check-context.js';

/** Checks a shared variable or a local of a process. */
export function checkVariable(variable: Variable, { constants, inference, problems }: CheckContext): void {
    const shape = constants.shapeOf(variable.type);
    const empty = shape && emptyPartOf(shape);
    if (empty !== undefined) {
        problems.error(
            'type/empty',
            `\`${variable.name}\` can hold no value: the type ${describeDomain(asWritten(empty, variable.type.element, constants))} is empty`,
            rangeOf(variable.type),
        );
    }
    const what = `\`${variable.name}\``;
    const { initializer, choices } = variable;
    if (shape === undefined || empty !== undefined) {
        if (initializer !== undefined) {
            inference.typeOf(initializer);
        }
        return;
    }
    if (holdsNumber(shape) && (variable.any || (initializer !== undefined && choosesParts(initializer)))) {
        const message = 'a number without end is not chosen among all of them; list some, `in {0, 5}`';
        problems.error('number/place', message, rangeOfProperty(variable, variable.any ? 'any' : 'initializer'));
    }
    if (initializer !== undefined) {
        inference.checkFit(initializer, shape, what, true);
    }
    if (choices !== undefined) {
        checkChoices(choices, shape, what, inference);
    }
}

/** Checks a variable in the body of a step or a function, which has one initial value. */
export function checkTemporary(variable: Variable, context: CheckContext): void {
    checkVariable(variable, context);
    if (variable.any || variable.choices !== undefined) {
        context.problems.error(
            'process/any-inside',
            'a step does one thing, so nothing can be chosen inside; choose before it: `choose x in T { … }`',
            rangeOfProperty(variable, variable.any ? 'any' : 'choices'),
        );
    }
}

/** The first empty domain of a scalar that has cells. */
function emptyPartOf(shape: Shape): Domain | undefined {
    return shape
        .leaves()
        .find(leaf => domainSize(leaf.element) === 0 && leaf.indices.every(index => domainSize(index) > 0))?.element;
}

/** An empty domain with its ends in the text: the domain of `3 .. 1` is `3 .. 2`. */
function asWritten(empty: Domain, element: ElementType, constants: Constants): Domain {
    if (empty.kind !== 'range' || !isRangeType(element)) {
        return empty;
    }
    const bounds = constants.boundsOf(element);
    if (bounds !== undefined) {
        return bounds.low > bounds.high && bounds.low === empty.low ? { ...empty, ...bounds } : empty;
    }
    const declaration = isReference(element.low) ? element.low.target.ref : undefined;
    if (isTypeDeclaration(declaration)) {
        return asWritten(empty, declaration.type.element, constants);
    }
    const fields = isRecordDeclaration(declaration) ? declaration.fields : [];
    return (
        fields.map(field => asWritten(empty, field.type.element, constants)).find(written => written !== empty) ?? empty
    );
}
