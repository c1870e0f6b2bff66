/**
 * Numbers without end of two models in one form, in which the order and the distances are kept of which one of the models
 * asks: then each class of states has, in both, states with the same steps, and classes can be compared.
 */
import { remembered } from '../common/list-map.js';
import { UnionFind } from '../common/union-find.js';
import { NumberOrder } from '../explore/number-order.js';
import type { NumbersOutcome } from '../explore/verdict.js';
import { isNumber } from '../model/domain.js';
import { MOST_REAL } from '../model/with-numbers.js';
import { leastKept, together } from '../sequential/numbers/number-facts.js';
import type { NumberSort, SequentialModel } from '../sequential/sequential-model.js';

export interface CommonNumbers {
    /** By name of a cell the sort to which it belongs. */
    readonly sortOf: ReadonlyMap<string, number>;
    readonly sorts: readonly NumberSort[];
    readonly kept: readonly number[];
    /** The most sums that a firing keeps. */
    readonly sums: number;
}

/** `outcomes` say what searches of the models have kept. */
export function commonNumbers(models: readonly SequentialModel[], outcomes: readonly NumbersOutcome[]): CommonNumbers {
    const known = models.flatMap(({ cells, numbers }) =>
        (numbers?.sorts ?? []).map(sort => {
            const names = sort.cells.map(cell => cells[cell].name);
            const kept = outcomes.filter(({ places }) => places.some(place => names.includes(place)));
            return { sort, names, kept: Math.max(leastKept(sort), ...kept.map(each => each.kept)) };
        }),
    );
    const meeting = new UnionFind(known.length);
    const first = new Map<string, number>();
    known.forEach(({ names }, index) => {
        names.forEach(name =>
            meeting.union(
                index,
                remembered(first, name, () => index),
            ),
        );
    });
    const joined = meeting.sets().map(set => set.map(index => known[index]));
    const sorts = joined.map(set => set.map(({ sort }) => sort).reduce(together));
    const kept = joined.map(set => Math.max(...set.map(each => each.kept)));
    const sums = models.flatMap(({ numbers }) => (numbers?.sums ?? []).map(({ count }) => count));
    return {
        sortOf: new Map(
            joined.flatMap((set, sort) => set.flatMap(({ names }) => names.map(name => [name, sort] as const))),
        ),
        sorts,
        kept,
        sums: Math.max(0, ...sums),
    };
}

/** The form of the states of one of the models. */
export function orderOf({ cells }: SequentialModel, { sortOf, sorts, kept }: CommonNumbers): NumberOrder {
    const own = sorts.map((sort, index) => ({
        ...sort,
        // Locals of two loops may have one name, and only one of them be such a number.
        cells: [...cells.keys()].filter(cell => isNumber(cells[cell].domain) && sortOf.get(cells[cell].name) === index),
    }));
    return new NumberOrder(cells, own, kept, MOST_REAL);
}
