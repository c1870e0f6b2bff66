/**
 * What a summand does, in terms of the current state alone: its names resolved, its checks made explicit.
 */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { domainSize, NONE, type Domain } from '../model/domain.js';
import type { Cell, FaultKind, SequentialExpression } from '../sequential/sequential-model.js';
import { mayFault, mayLeave } from '../sequential/simplify.js';
import { conjunction, disjunction, equals, type SsaLine, type SsaSummand } from '../ssa/static-single-assignment.js';
import { NameResolver, supportOf } from './resolve.js';

/** Expressions here are over cells. */
export interface Transition {
    /**
     * For each participant its path and its body as tests, evaluated in order as one conjunction: true, it takes part;
     * false, it is not ready; or a fault.
     */
    readonly participants: readonly (readonly SequentialExpression[])[];
    /** What each written cell holds after the step, in the order of the cells. */
    readonly effects: ReadonlyMap<number, SequentialExpression | 'absent'>;
    /** The cells that the tests, the checks or the new values read, ascending. */
    readonly reads: readonly number[];
    /** Whether some path or body may be a fault. */
    readonly mayFault: boolean;
}

export function toTransition(summand: SsaSummand, cells: readonly Cell[]): Transition {
    const resolver = new NameResolver(cells.length);
    const cellOf = (name: number): Cell => cells[summand.cellOfName[name - cells.length]];
    const convert = (lines: readonly SsaLine[]): SequentialExpression[] =>
        lines.flatMap(line => convertLine(line, resolver, cells, cellOf));
    const participants: SequentialExpression[][] = [];
    const written: [number, SequentialExpression | 'absent'][] = [];
    for (const participant of summand.participants) {
        participants.push([...convert(participant.path), ...convert(participant.body)]);
        for (const [cell, value] of participant.final) {
            written.push([cell, value.kind === 'absent' ? 'absent' : resolver.resolveCell(value.name)]);
        }
    }
    const effects = new Map(written.sort(([a], [b]) => a - b));
    const expressions = participants.flat();
    const reads = new Set(expressions.flatMap(supportOf));
    for (const value of effects.values()) {
        if (value !== 'absent') {
            supportOf(value).forEach(cell => reads.add(cell));
        }
    }
    return {
        participants,
        effects,
        reads: [...reads].sort((a, b) => a - b),
        mayFault: expressions.some(expression => mayFault(expression, cells)),
    };
}

/** A line as a Boolean expression that is a fault where the line is one; nothing where it can be none. */
function convertLine(
    line: SsaLine,
    resolver: NameResolver,
    cells: readonly Cell[],
    cellOf: (name: number) => Cell,
): SequentialExpression[] {
    switch (line.kind) {
        case 'test':
            return [resolver.resolve(line.condition)];
        case 'check': {
            const condition = resolver.resolve(line.condition);
            return [whereReached(line, resolver, orFault(condition, line.fault, line))];
        }
        case 'evaluate': {
            const expression = resolver.resolve(line.expression);
            return mayFault(expression, cells) ? [whereReached(line, resolver, evaluates(expression, line))] : [];
        }
        case 'define': {
            const value = resolver.resolve(line.value);
            const { domain } = cellOf(line.name);
            const checked: SequentialExpression[] = [];
            if (mayLeave(domain, value, cells)) {
                checked.push(whereReached(line, resolver, orFault(isInside(value, domain, line.range), 'range', line)));
            } else if (mayFault(value, cells)) {
                checked.push(whereReached(line, resolver, evaluates(value, line)));
            }
            resolver.define(line.name, line.value);
            return checked;
        }
        default:
            return unreachable(line);
    }
}

/** Whether a value lies in a domain. */
function isInside(value: SequentialExpression, domain: Domain, range: SourceRange): SequentialExpression {
    if (domain.kind === 'optional') {
        return disjunction([equals(value, NONE, range), isInside(value, domain.base, range)], range);
    }
    const compare = (operator: '>=' | '<=', bound: number): SequentialExpression => ({
        kind: 'binary',
        operator,
        left: value,
        right: { kind: 'constant', value: bound },
        range,
    });
    const lowest = domain.kind === 'range' ? domain.low : 0;
    return conjunction([compare('>=', lowest), compare('<=', lowest + domainSize(domain) - 1)], range);
}

/** True, or the fault of the expression. */
function evaluates(
    expression: SequentialExpression,
    { range }: SsaLine & { kind: 'evaluate' | 'define' },
): SequentialExpression {
    return { kind: 'binary', operator: '==', left: expression, right: expression, range };
}

function orFault(
    condition: SequentialExpression,
    fault: FaultKind,
    { range }: SsaLine & { kind: 'check' | 'define' },
): SequentialExpression {
    return { kind: 'or', operands: [condition, { kind: 'fault', fault, range }], range };
}

/** The check where its branch is taken, true elsewhere. */
function whereReached(
    line: Exclude<SsaLine, { kind: 'test' }>,
    resolver: NameResolver,
    check: SequentialExpression,
): SequentialExpression {
    if (line.reached === undefined) {
        return check;
    }
    return {
        kind: 'conditional',
        condition: resolver.resolve(line.reached),
        then: check,
        otherwise: { kind: 'constant', value: 1 },
        range: line.range,
    };
}
