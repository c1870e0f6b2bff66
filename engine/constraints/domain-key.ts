/** What tells domains of different values apart. */
import { unreachable } from '../common/assert.js';
import type { Domain } from '../model/domain.js';

/** Equal for domains with equal values; what the values are called does not matter. */
export function domainKey(domain: Domain): string {
    let key = domainKeys.get(domain);
    if (key === undefined) {
        key = describeDomain(domain);
        domainKeys.set(domain, key);
    }
    return key;
}

/** Domains are immutable and shared by many cells. */
const domainKeys = new WeakMap<Domain, string>();

function describeDomain(domain: Domain): string {
    switch (domain.kind) {
        case 'boolean':
            return 'b';
        case 'range':
            return `${domain.low}..${domain.high}`;
        case 'enumeration':
            return `e${domain.values.length}`;
        case 'record':
            return `r${domain.tuples.length}`;
        case 'optional':
            return `${domainKey(domain.base)}?`;
        default:
            return unreachable(domain);
    }
}
