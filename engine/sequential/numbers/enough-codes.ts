/** Models with numbers without end, with as many codes for them as symmetries need. */
import { baseOf, domainSize } from '../../model/domain.js';
import type { Model } from '../../model/model.js';
import { MOST_REAL, withNumbers } from '../../model/with-numbers.js';
import type { LinearizationMemory } from '../known-processes.js';
import { linearize, type Linearization } from '../linearize.js';
import { codesFor, leastKept } from './number-facts.js';

export interface LinearizedModel extends Linearization {
    readonly model: Model;
}

/** The model itself if it has no such numbers. */
export function linearizeForSymmetries(model: Model, memory?: LinearizationMemory): LinearizedModel {
    const linearization = linearize(model, memory);
    const { numbers } = linearization.sequential ?? {};
    if (numbers === undefined) {
        return { model, ...linearization };
    }
    const needed = codesFor(numbers, numbers.sorts.map(leastKept));
    // More of them are there once a search has asked for more.
    return haveCodes(linearization, needed) ? { model, ...linearization } : linearizeWithCodes(model, needed);
}

/** Whether numbers have at least so many codes, and not those of numbers in runs. */
export function haveCodes(linearization: Pick<Linearization, 'sequential'>, needed: number): boolean {
    const codes = codesIn(linearization);
    return codes >= needed && codes <= MOST_REAL;
}

/** How many codes each number has; 0 without numbers. */
export function codesIn({ sequential }: Pick<Linearization, 'sequential'>): number {
    const bases = (sequential?.cells ?? []).map(({ domain }) => baseOf(domain));
    const number = bases.find(({ kind }) => kind === 'number');
    return number === undefined ? 0 : domainSize(number);
}

/** With so many codes for each number. */
export function linearizeWithCodes(model: Model, codes: number): LinearizedModel {
    const more = withNumbers(model, codes - 1);
    return { model: more, ...linearize(more) };
}
