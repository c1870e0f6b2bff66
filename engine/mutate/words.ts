/** Mutants in words, as sentences about what nothing notices. */
import { unreachable } from '../common/assert.js';
import { formatNumberOf } from '../describe/words.js';
import type { Effect, Mutation } from './mutation.js';

const LONGEST_QUOTED = 100;

/** `the guard !taken is dropped` */
export function formatChange({ change, from, to }: Pick<Mutation, 'change' | 'from' | 'to'>): string {
    const [old, other] = [quoted(from), quoted(to)];
    switch (change) {
        case 'guard':
            return `the guard ${old} is dropped`;
        case 'conjunct':
            return `${old} is dropped from the guard`;
        case 'assignment':
            return `the assignment ${old} is dropped`;
        case 'alternative':
            return `the alternative ${old} is dropped`;
        case 'fairness':
            return `${old} becomes ${other}`;
        case 'truth':
            return `${old} becomes ${other} in an assignment`;
        case 'negation':
        case 'bound':
        case 'connective':
        case 'step':
        case 'quantifier':
        case 'element':
            return `${old} becomes ${other}`;
        default:
            return unreachable(change);
    }
}

/** `3 states more`, `2 steps less`, `something else happens`; undefined if it is not known. */
export function formatEffect(effect: Effect | undefined): string | undefined {
    if (effect === undefined || effect.kind === 'same') {
        return undefined;
    }
    const { kind, states, firings, upToSymmetry } = effect;
    if (kind === 'other') {
        return 'something else happens';
    }
    const number = states === 0 ? formatNumberOf(Math.abs(firings), 'step') : formatNumberOf(Math.abs(states), 'state');
    return `${number} ${kind}${upToSymmetry === true ? ' up to symmetry' : ''}`;
}

function quoted(text: string): string {
    return `\`${text.length <= LONGEST_QUOTED ? text : `${text.slice(0, LONGEST_QUOTED - 2).trimEnd()} …`}\``;
}
