/** The same model with other codes for its numbers without end. */
import type { Domain } from './domain.js';
import type { Model } from './model.js';
import { withDomains } from './with-slots.js';

/** Codes up to `high`. Everything without such a number is the same object. */
export function withNumbers(model: Model, high: number): Model {
    return withDomains(model, domain => (domain.kind === 'number' ? { ...domain, high } : undefined));
}

/** As many as the values of a cell can have: a number in a run of the model as written is below. */
export const MOST_REAL = 2 ** 30 - 1;

/** The numbers without end, before a search gives them codes. */
export const NUMBERS: Domain = { kind: 'number', high: MOST_REAL };
