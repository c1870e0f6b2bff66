/**
 * Initial values with `any` in them, `R(any, true)`, `[i in T: any]`: each `any` is a choice of its own. The scalars of the
 * value are listed leaf by leaf, as `Shape.scalarsOf` does; those of an `any` are free.
 */
import { invariant } from '../../engine/common/assert.js';
import { valuesOfDomain, type Domain } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import type { Initializer } from '../../engine/model/model.js';
import { sizeOfArray } from '../../engine/sequential/cell-layout.js';
import * as ast from '../generated/nodes.js';
import { variablesOf } from '../references/locals.js';
import { ArrayShape } from '../representation/array.js';
import { constantOf, firstConstant, indicesOfRow } from '../representation/build-expression.js';
import { CasesShape } from '../representation/cases.js';
import { EnumerationShape, shapeWithFields } from '../representation/enumeration.js';
import type { Shape } from '../representation/shape.js';
import { rangeOf } from '../tree/source-text.js';
import { choosesParts } from '../typing/any-literal.js';
import { lowerValue, withElement, type LoweringContext } from './context.js';

/** What a cell starts with. */
type Start = Expression | 'any';

/** One initializer for each leaf. A value that is no array fills one, and each cell has choices of its own. */
export function lowerChosenParts(initializer: ast.Expression, shape: Shape, context: LoweringContext): Initializer[] {
    const range = rangeOf(initializer);
    const fills = shape instanceof ArrayShape && ast.isCall(initializer);
    const starts = startsOf(initializer, fills ? shape.element : shape, context);
    return shape.leaves().map(({ element, indices }, leaf): Initializer => {
        const cells = starts[leaf];
        invariant(cells !== undefined, 'an initial value has the leaves of its type');
        const rounds = Math.floor(sizeOfArray(indices) / Math.max(1, cells.length));
        const all = Array.from({ length: rounds }, () => cells).flat();
        const values = all.filter(start => start !== 'any');
        return values.length === 0
            ? { kind: 'any', range }
            : values.length === all.length
              ? { kind: 'value', expressions: values, range }
              : { kind: 'oneOf', choices: all.map(start => choicesOf(start, element)), range };
    });
}

function choicesOf(start: Start, domain: Domain): Expression[] {
    return start === 'any' ? valuesOfDomain(domain).map(value => constantOf(value, domain)) : [start];
}

function startsOf(value: ast.Expression, shape: Shape, context: LoweringContext): readonly (readonly Start[])[] {
    if (ast.isAnyLiteral(value)) {
        return shape.leaves().map(({ indices }) => Array.from({ length: sizeOfArray(indices) }, (): Start => 'any'));
    }
    if (!choosesParts(value)) {
        return shape.scalarsOf(lowerValue(value, context));
    }
    if (ast.isArrayLiteral(value) && shape instanceof ArrayShape) {
        return startsOfArray(value, shape, context);
    }
    const built = ast.isCall(value) ? value.function.ref : undefined;
    const owner = shape instanceof CasesShape ? shape.owner : shapeWithFields(shape.type);
    invariant(ast.isCall(value) && owner !== undefined, 'a checked `any` is a part of an array, a record or a case');
    const position =
        owner instanceof EnumerationShape ? owner.cases.findIndex(({ declaration }) => declaration === built) : 0;
    const fields = owner.cases.flatMap((each, other) =>
        each.fields.flatMap((field, at) => {
            const argument = other === position ? value.arguments[at] : undefined;
            return argument === undefined
                ? field.shape
                      .leaves()
                      .map(({ element, indices }) =>
                          new Array<Start>(sizeOfArray(indices)).fill(firstConstant(element)),
                      )
                : startsOf(argument, field.shape, context);
        }),
    );
    return shape instanceof CasesShape ? [[constantOf(position, owner.caseDomain)], ...fields] : fields;
}

/** The leaves of the elements, one behind the other. */
function startsOfArray(
    { elements, comprehension }: ast.ArrayLiteral,
    shape: ArrayShape,
    context: LoweringContext,
): readonly (readonly Start[])[] {
    const variables = comprehension === undefined ? [] : variablesOf(comprehension.groups);
    const outer = comprehension === undefined ? 1 : variables.length;
    const inner = shape.indices.slice(outer);
    const part = inner.length === 0 ? shape.element : new ArrayShape(inner, shape.element);
    const domains = variables.map(variable => context.table.binderOf(variable).domain);
    const rows =
        comprehension === undefined
            ? elements.map(element => startsOf(element, part, context))
            : Array.from({ length: sizeOfArray(domains) }, (_, row) => {
                  const round = withElement(context, variables, indicesOfRow(domains, row));
                  return startsOf(comprehension.body, part, round);
              });
    return shape.leaves().map((_, leaf) => rows.flatMap(row => row[leaf] ?? []));
}
