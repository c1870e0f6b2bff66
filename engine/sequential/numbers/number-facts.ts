/**
 * What a text asks of its numbers without end: which of them meet, and how closely it looks at their distances. A search
 * keeps the order of the numbers that meet, and their distances up to what is asked here. docs/numbers-soundness.md
 */
import type { Problem } from '../../common/problem.js';
import { isNumber } from '../../model/domain.js';
import type { Marker, NumberFacts, NumberSort, SequentialModel } from '../sequential-model.js';
import { greatest, MOST_CONSTANT, notANumber, NotANumber, tooLarge, ZERO } from './forms.js';
import { commonMultiple, NumberWalk, rangeOf } from './number-walk.js';

/** The least bound of distances that are kept apart. */
export function leastKept({ most, look, reach }: NumberSort): number {
    return Math.max(look + 1, most + 1, reach);
}

/** What both ask for, of the cells of the first one. */
export function together(first: NumberSort, second: NumberSort): NumberSort {
    return {
        cells: first.cells,
        told: first.told || second.told,
        most: Math.max(first.most, second.most),
        look: Math.max(first.look, second.look),
        reach: Math.max(first.reach, second.reach),
        modulus: commonMultiple(first.modulus, second.modulus),
    };
}

/** How many codes show all that a step can do, with these bounds. */
export function codesFor({ sorts, mentioned, first }: NumberFacts, kept: readonly number[]): number {
    const needed = sorts.map(({ modulus, reach, most }, sort) => {
        const longest = kept[sort] + modulus - 1 + reach;
        return modulus + mentioned * longest + reach + most + 2;
    });
    return Math.max(first + 1, ...needed);
}

type Model = Pick<
    SequentialModel,
    'cells' | 'summands' | 'instances' | 'initial' | 'invariants' | 'initialConditions'
> & {
    readonly constraint?: SequentialModel['constraint'];
    /** Of properties of runs, and of fairness. */
    readonly markers: readonly Marker[];
};

/** The facts, or what the text does with such a number that is not possible. */
export function numberFacts(model: Model): NumberFacts | Problem {
    const walk = new NumberWalk(model.cells);
    try {
        return factsOf(model, walk);
    } catch (error) {
        if (error instanceof NotANumber) {
            return error.problem;
        }
        throw error;
    }
}

function factsOf(model: Model, walk: NumberWalk): NumberFacts {
    const sums = model.summands.map(({ participants }) => walk.firing(participants));
    const conditions = [
        ...model.invariants.map(({ expression }) => expression),
        ...(model.constraint === undefined ? [] : [model.constraint.expression]),
        ...model.instances.map(({ mayStop }) => mayStop),
        ...model.initialConditions,
        ...model.markers.flatMap(({ atoms }) =>
            atoms.flatMap(atom => (atom.kind === 'state' ? [atom.expression] : [])),
        ),
    ];
    conditions.forEach(condition => {
        walk.condition(condition);
    });
    const first = firstNumber(model, walk);
    const sorts = walk.sorts();
    const sortOf = new Map(sorts.flatMap(({ cells }, sort) => cells.map((cell): [number, number] => [cell, sort])));
    return {
        sorts,
        sums: sums.map(kept => ({
            count: kept.sums,
            sorts: [...new Set([...kept.cells].flatMap(cell => sortOf.get(cell) ?? []))],
        })),
        mentioned: walk.mostMentioned,
        assigned: walk.mostAssigned,
        first,
    };
}

/** Initial values tell nothing; they only have to fit into the codes. */
function firstNumber({ initial, cells }: Model, walk: NumberWalk): number {
    let first = 0;
    for (const { cell, value } of initial) {
        if (!isNumber(cells[cell].domain) || value.kind === 'none') {
            continue;
        }
        if (value.kind === 'any') {
            throw notANumber('number/place', '`any` of numbers without end', cells[cell].declaration);
        }
        for (const expression of value.kind === 'value' ? [value.expression] : value.expressions) {
            const forms = walk.numberAt(expression, rangeOf(expression, value.range));
            forms.forEach((constants, base) => {
                if (base === ZERO) {
                    first = Math.max(first, greatest([...constants]));
                } else {
                    walk.unite(base, cell);
                }
            });
        }
    }
    if (first > MOST_CONSTANT) {
        const { value } = initial.find(entry => isNumber(cells[entry.cell].domain)) ?? initial[0];
        throw tooLarge(first, 'range' in value ? value.range : cells[0].declaration);
    }
    return first;
}
