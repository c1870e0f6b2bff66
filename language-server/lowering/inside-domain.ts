/**
 * Values that must lie in a type although no place stores them: the fields of a record that is only compared. What is
 * stored is checked by the engine.
 */
import { codeOfValue, NONE, type Domain, type RecordDomain } from '../../engine/model/domain.js';
import type { BinaryOperator, Expression } from '../../engine/model/expression.js';

/** Whether the value of an expression is known to lie in a domain. `source` is what its own shape says. */
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

/** A domain with the values of all of these; undefined stands for any value of the same kind. */
export function joinedDomain(domains: readonly (Domain | undefined)[], mayBeNone: boolean): Domain | undefined {
    const known = domains.filter(domain => domain !== undefined);
    const bases = known.map(baseOf);
    const [first] = bases;
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

function baseOf(domain: Domain): Domain {
    return domain.kind === 'optional' ? domain.base : domain;
}

/** The same value; the fault `range` where it lies outside the domain. */
export function insideDomain(expression: Expression, domain: Domain): Expression {
    const { range } = expression;
    const binary = (operator: BinaryOperator, left: Expression, right: Expression): Expression => ({
        kind: 'binary',
        operator,
        left,
        right,
        range,
    });
    const constant = (value: number): Expression => ({ kind: 'constant', value, range });
    const base = baseOf(domain);
    const isInBase =
        base.kind === 'range'
            ? binary('and', binary('<=', constant(base.low), expression), binary('<=', expression, constant(base.high)))
            : binary('!=', expression, constant(NONE));
    const condition =
        domain.kind === 'optional' ? binary('or', binary('==', expression, constant(NONE)), isInBase) : isInBase;
    const otherwise: Expression = { kind: 'record', domain: NOTHING, fields: [], range };
    return { kind: 'conditional', condition, then: expression, otherwise, range };
}

/** A record that has no values: whoever makes one gets the fault `range`. */
const NOTHING: RecordDomain = { kind: 'record', name: 'nothing', fields: [], tuples: [] };
