/**
 * Which of several places, or sets of places, is the one to read first: what tells values of the type apart, rather than
 * what hides that.
 */
import type { Domain } from '../model/domain.js';
import { identityOf } from '../symmetry/declared-action.js';
import type { ModelPlace } from './model-places.js';

/** Which of several sets is the one to read: what tells values of the type apart, rather than what hides that. */
export function costOf(places: readonly ModelPlace[], type: Domain | undefined): number {
    return places.reduce(
        (cost, each) =>
            cost +
            COST_OF_KIND[each.kind] +
            (type !== undefined && each.kind === 'value' && !each.isComputed ? COST_OF_NAMED : 0) +
            (isSuspect(each, type) ? 0 : COST_OF_OTHERS),
        0,
    );
}

/** Leaving a value open may hide a difference that is somewhere else. */
const COST_OF_KIND: Readonly<Record<ModelPlace['kind'], number>> = {
    test: 0,
    branch: 0,
    start: 0,
    instances: 0,
    range: 0,
    capacity: 0,
    order: 0,
    comparison: 0,
    difference: 0,
    value: 1,
    communication: 3,
    assignment: 3,
};
const COST_OF_OTHERS = 2;
/** A number that is named may only be where another one leads to. */
const COST_OF_NAMED = 0.5;

/** Whether a place treats values of the type differently, as far as one sees it. Truth values are everywhere. */
export function isSuspect({ mentionsOrder, types }: ModelPlace, type: Domain | undefined): boolean {
    return type === undefined || type.kind === 'boolean' ? mentionsOrder : types.has(identityOf(type));
}

/** What takes something out of the model, where other places only leave something open. */
export function isWeak({ kind }: ModelPlace): boolean {
    return kind === 'assignment' || kind === 'communication';
}
