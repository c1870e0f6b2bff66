import type { Domain } from '../../engine/model/domain.js';

export function integers(low: number, high: number): Domain {
    return { kind: 'range', low, high };
}

export function optional(base: Domain): Domain {
    return { kind: 'optional', base };
}
