/** The elements that an assignment may write, where each index is one of several constants: an insertion of `promise(b, x)`. */
import { sortAscending } from '../../common/ascending.js';
import { codeOfValue, domainSize, valuesOfDomain, type Domain, type Value } from '../../model/domain.js';
import type { ElementPlace, SequentialExpression } from '../sequential-model.js';
import { constant } from './simplify.js';

/** The place without the elements that its indices never name; the same evaluation and the same faults. */
export function nameableElements(place: ElementPlace): ElementPlace {
    const { cells, indices, domains } = place;
    const named = indices.map((index, dimension) => valuesNamed(index, domains[dimension]));
    if (named.every(values => values === undefined)) {
        return place;
    }
    let positions = [0];
    domains.forEach((domain, dimension) => {
        const values = named[dimension] ?? valuesOfDomain(domain);
        const codes = values.map(value => codeOfValue(domain, value));
        positions = positions.flatMap(position => codes.map(code => position * domainSize(domain) + code));
    });
    return {
        ...place,
        cells: positions.map(position => cells[position]),
        domains: named.map((values, dimension) =>
            values === undefined ? domains[dimension] : { kind: 'range', low: 0, high: values.length - 1 },
        ),
        indices: named.map((values, dimension) =>
            values === undefined ? indices[dimension] : renumbered(indices[dimension], values),
        ),
    };
}

/** The values of an index, ascending; undefined if some value is not a constant, or all elements are named. */
function valuesNamed(index: SequentialExpression, domain: Domain): readonly Value[] | undefined {
    const values = new Set<Value>();
    const seen = new Set<SequentialExpression>();
    const isNamed = (part: SequentialExpression): boolean => {
        if (seen.has(part) || part.kind === 'fault') {
            return true;
        }
        seen.add(part);
        if (part.kind === 'constant') {
            values.add(part.value);
            return codeOfValue(domain, part.value) >= 0;
        }
        return choicesOf(part)?.every(isNamed) === true;
    };
    return isNamed(index) && values.size < domainSize(domain) ? sortAscending([...values]) : undefined;
}

/** The expressions among which one chooses; undefined if it does not. */
function choicesOf(expression: SequentialExpression): readonly SequentialExpression[] | undefined {
    switch (expression.kind) {
        case 'conditional':
            return [expression.then, expression.otherwise];
        case 'select':
            return expression.options;
        default:
            return undefined;
    }
}

/** The index with the position of each value among all values in its place. */
function renumbered(index: SequentialExpression, values: readonly Value[]): SequentialExpression {
    const known = new Map<SequentialExpression, SequentialExpression>();
    const renumber = (part: SequentialExpression): SequentialExpression => {
        const before = known.get(part);
        const renewed = before ?? withNumbers(part);
        known.set(part, renewed);
        return renewed;
    };
    const withNumbers = (part: SequentialExpression): SequentialExpression => {
        switch (part.kind) {
            case 'constant':
                return constant(values.indexOf(part.value));
            case 'conditional':
                return { ...part, then: renumber(part.then), otherwise: renumber(part.otherwise) };
            case 'select':
                return { ...part, options: part.options.map(renumber) };
            default:
                return part;
        }
    };
    return renumber(index);
}
