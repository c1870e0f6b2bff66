/**
 * Initial values from a set, `var x: T[I] in {…}`: each cell of the array gets an element of the set, independently.
 *
 * The scalars of a split record are chosen one after the other. The first choice is free; each later scalar comes from
 * an element of the set that agrees with the choices before it.
 */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { baseOf, valuesOfDomain } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import type { Initializer } from '../../engine/model/model.js';
import { sizeOfArray } from '../../engine/sequential/cell-layout.js';
import * as ast from '../generated/nodes.js';
import { rangeOf } from '../tree/source-text.js';
import type { LoweredValue, Shape } from '../representation/shape.js';
import { binary, constantOf, isBetween } from '../representation/build-expression.js';
import { lowerScalar, lowerValue, type LoweringContext } from './context.js';
import type { VariableSlot } from './declaration-table.js';
import { shapeOfTypeName } from './lower-comparison.js';
import { readVariable } from './lower-reference.js';
import { scalarValue } from '../representation/cell.js';
import { ConstantSet, distinct } from '../representation/set.js';
import { isSetOfValues } from '../typing/infer-sets.js';

/** One initializer for each leaf of the variable. */
export function lowerChoices(set: ast.Expression, slot: VariableSlot, context: LoweringContext): Initializer[] {
    const range = rangeOf(set);
    const { element } = slot.shape;
    const options = elementsOfSet(set, element, range, context).map(option => element.scalarsOf(option).flat());
    const leaves = element.leaves();
    const sizes = leaves.map(leaf => sizeOfArray(leaf.indices));
    if (sizes.length === 1 && sizes[0] === 1) {
        return [{ kind: 'oneOf', choices: [options.flat()], range }];
    }
    const choices = readVariable(slot, range)
        .elements()
        .map(cell => dependentChoices(element.scalarsOf(cell).flat(), options, range));
    let first = 0;
    return sizes.map(size => {
        const start = first;
        first += size;
        return { kind: 'oneOf', choices: choices.flatMap(cell => cell.slice(start, start + size)), range };
    });
}

/** For each scalar its choices, one for each element of the set. `scalars` reads the scalars of one cell. */
function dependentChoices(
    scalars: readonly Expression[],
    options: readonly (readonly Expression[])[],
    range: SourceRange,
): Expression[][] {
    const matches: (Expression | undefined)[] = options.map(() => undefined);
    return scalars.map((scalar, position) => {
        const values = options.map(option => {
            const value = option[position];
            invariant(value !== undefined, 'an element of a set has the scalars of its type');
            return value;
        });
        const choices = followingChoices(values, matches, range);
        values.forEach((value, option) => {
            const isChosen = binary('==', scalar, value, range);
            const before = matches[option];
            matches[option] = before === undefined ? isChosen : binary('and', before, isChosen, range);
        });
        return choices;
    });
}

/** The value of each option that matches the choices so far. Other options get the value of one that does. */
function followingChoices(
    values: readonly Expression[],
    matches: readonly (Expression | undefined)[],
    range: SourceRange,
): Expression[] {
    const chosen = (option: number, otherwise: Expression): Expression => {
        const [condition, then] = [matches[option], values[option]];
        return condition === undefined || then === undefined
            ? (then ?? otherwise)
            : { kind: 'conditional', condition, then, otherwise, range };
    };
    const last = values[values.length - 1];
    const any = last && values.reduceRight((otherwise, _, option) => chosen(option, otherwise), last);
    return any === undefined ? [] : values.map((_, option) => chosen(option, any));
}

function elementsOfSet(
    set: ast.Expression,
    shape: Shape,
    range: SourceRange,
    context: LoweringContext,
): LoweredValue[] {
    if (isSetOfValues(set)) {
        const value = context.constants.evaluate(set);
        invariant(value instanceof ConstantSet, 'a checked set of initial values is known');
        return distinct(value.parts).map(part => shape.constant(shape.constantAs(part) ?? part, range));
    }
    if (!ast.isSetLiteral(set)) {
        const type = shapeOfTypeName(set, context);
        return valuesOfDomain(type.domain).map(value => scalarValue(constantOf(value, type.domain, range), type));
    }
    return set.elements.flatMap(({ low, high }) =>
        high === undefined ? [lowerValue(low, context)] : valuesBetween(low, high, shape, context),
    );
}

/** The values of the type that lie in a range. The ends of the range may depend on the instance. */
function valuesBetween(
    low: ast.Expression,
    high: ast.Expression,
    shape: Shape,
    context: LoweringContext,
): LoweredValue[] {
    const base = baseOf(shape.asCell().domain);
    const [from, to] = [lowerScalar(low, context), lowerScalar(high, context)];
    const range = { ...from.range, end: to.range.end };
    return valuesOfDomain(base).map(value => {
        const each = constantOf(value, base, range);
        const condition = isBetween(each, from, to, range);
        return scalarValue({ kind: 'conditional', condition, then: each, otherwise: from, range });
    });
}
