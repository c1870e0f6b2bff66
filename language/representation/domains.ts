/** Domains as index types: how many cells an array over them has, and whether two are the same. */
import { baseOf, isReference, type Domain } from '../../engine/model/domain.js';
import { sizeOfArray, valuation } from '../../engine/sequential/cell-layout.js';

/** The number of combinations of values; a domain with an error counts as one value. */
export function countOf(domains: readonly (Domain | undefined)[]): number {
    return sizeOfArray(domains.filter(domain => domain !== undefined));
}

/** Whether an array with these indices has a cell for each instance of a template. */
export function isOverTemplate(indices: readonly (Domain | undefined)[]): boolean {
    return indices.some(index => index !== undefined && isReference(index));
}

/** All combinations of values, the last domain fastest. */
export function allTuples(domains: readonly Domain[]): number[][] {
    return Array.from({ length: sizeOfArray(domains) }, (_, row) => valuation(domains, row));
}

export function haveSameIndices(first: readonly Domain[], second: readonly Domain[]): boolean {
    return (
        first.length === second.length &&
        first.every((domain, position) => {
            const other = second[position];
            return other !== undefined && isSameDomain(domain, other);
        })
    );
}

/** Whether two domains have the same values; names of ranges do not matter. */
export function isSameDomain(first: Domain, second: Domain): boolean {
    if (first.kind === 'range' && second.kind === 'range') {
        return first.low === second.low && first.high === second.high;
    }
    if (first.kind === 'optional' && second.kind === 'optional') {
        return isSameDomain(first.base, second.base);
    }
    if (first.kind === 'enumeration' || first.kind === 'record') {
        return second.kind === first.kind && first.name === second.name;
    }
    return first.kind === second.kind;
}

/** Whether a domain has all values of another one of the same kind. */
export function isPartOf(part: Domain, whole: Domain): boolean {
    if (part.kind === 'optional' && whole.kind !== 'optional') {
        return false;
    }
    const [inner, outer] = [baseOf(part), baseOf(whole)];
    return inner.kind === 'range' && outer.kind === 'range'
        ? inner.low > inner.high || (outer.low <= inner.low && inner.high <= outer.high)
        : isSameDomain(inner, outer);
}
