/** Checks that a value lies in a type if it is only compared; the engine checks values that are stored. */
import { baseOf, codeOfValue, NONE, type Domain } from '../../engine/model/domain.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import type { Expression } from '../../engine/model/expression.js';
import { binary, isBetween, numberOf } from './build-expression.js';

/** Whether the value of an expression is known to lie in a domain. `source` is the domain of its shape. */
export function isInside(expression: Expression, source: Domain | undefined, domain: Domain): boolean {
    if (source?.kind === 'optional' && domain.kind !== 'optional') {
        return false;
    }
    const base = baseOf(domain);
    const own = source && baseOf(source);
    if (base.kind !== 'range' || (own?.kind === 'range' && base.low <= own.low && own.high <= base.high)) {
        return true;
    }
    switch (expression.kind) {
        case 'constant':
            return codeOfValue(domain, expression.value) >= 0;
        case 'conditional':
            return isInside(expression.then, undefined, domain) && isInside(expression.otherwise, undefined, domain);
        case 'select':
            return expression.options.every(option => isInside(option, undefined, domain));
        default:
            return false;
    }
}

/** A domain with the values of all the given ones; an undefined domain has every value of the same kind. */
export function joinedDomain(domains: readonly (Domain | undefined)[], mayBeNone: boolean): Domain | undefined {
    const known = domains.filter(domain => domain !== undefined);
    const bases = known.map(baseOf);
    // What meets a number without end is a constant or such a number.
    const first = bases.find(each => each.kind === 'number') ?? bases[0];
    if (first === undefined) {
        return undefined;
    }
    let base = first;
    if (first.kind === 'range') {
        if (known.length < domains.length) {
            return undefined;
        }
        const ranges = bases.filter(each => each.kind === 'range');
        const low = Math.min(...ranges.map(each => each.low));
        const high = Math.max(...ranges.map(each => each.high));
        base = low === first.low && high === first.high ? first : { kind: 'range', low, high };
    }
    const optional = known.find(domain => domain.kind === 'optional');
    if (optional !== undefined) {
        return optional.base === base ? optional : { kind: 'optional', base };
    }
    return mayBeNone ? { kind: 'optional', base } : base;
}

/** Whether a value lies in the domain. `source` is the domain of its shape: if that has no other numbers, ends are not asked. */
export function isInsideDomain(expression: Expression, source: Domain | undefined, domain: Domain): Expression {
    const { range } = expression;
    const none = numberOf(NONE, range);
    const base = baseOf(domain);
    const isInBase =
        base.kind === 'range' && !(source?.kind === 'optional' && isInside(expression, source.base, base))
            ? isBetween(expression, numberOf(base.low, range), numberOf(base.high, range), range)
            : binary('!=', expression, none, range);
    return domain.kind === 'optional' ? binary('or', binary('==', expression, none, range), isInBase, range) : isInBase;
}

/** The same value; the fault `range` if it lies outside the domain. */
export function insideDomain(expression: Expression, source: Domain | undefined, domain: Domain): Expression {
    const { range } = expression;
    const condition = isInsideDomain(expression, source, domain);
    return { kind: 'conditional', condition, then: expression, otherwise: outOfRange(range), range };
}

export function outOfRange(range: SourceRange): Expression {
    return { kind: 'fault', fault: 'range', range };
}
