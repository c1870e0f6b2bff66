/**
 * What a summand does, in terms of the current state alone: its names resolved, its checks made explicit.
 */
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import { domainSize, NONE, type Domain } from '../model/domain.js';
import type { Cell, FaultKind, SequentialExpression } from '../sequential/sequential-model.js';
import { forEachCellRead } from '../sequential/liveness.js';
import { mayFault, mayLeave } from '../sequential/simplify.js';
import { conjunction, disjunction, equals, type SsaLine, type SsaSummand } from '../ssa/static-single-assignment.js';
import { ConstraintTooLarge } from './encoding-limits.js';
import { NameResolver, supportOf } from './resolve.js';

/** What a cell holds after a step: `unknown` where it would be too long to say, then anything. */
export type NextValue = SequentialExpression | 'absent' | 'unknown';

/** Expressions here are over cells. */
export interface Transition {
    /**
     * For each participant its path and its body as tests, evaluated in order as one conjunction: true, it takes part;
     * false, it is not ready; or a fault.
     */
    readonly participants: readonly (readonly SequentialExpression[])[];
    /** What each written cell holds after the step, in the order of the cells. */
    readonly effects: ReadonlyMap<number, NextValue>;
    /** The cells that the tests, the checks or the new values read, ascending. */
    readonly reads: readonly number[];
    /** Whether some path or body may be a fault. */
    readonly mayFault: boolean;
    /** Written out the summand would be too long: there are no tests here, and what is written is unknown. */
    readonly isTooLarge: boolean;
}

/**
 * The most cells that the definitions of a summand may read, each counted as often as it is read: `a[i] := a[j]` defines
 * every element of a by all of them.
 */
const MOST_READS = 2_000_000;

export function toTransition(summand: SsaSummand, cells: readonly Cell[]): Transition {
    if (readsTooMuch(summand)) {
        return unresolved(summand, cells.length);
    }
    try {
        return resolveNames(summand, cells);
    } catch (error) {
        if (error instanceof ConstraintTooLarge) {
            return unresolved(summand, cells.length);
        }
        throw error;
    }
}

/** What is left of a summand that is too long to write out: the cells that it reads and writes. */
function unresolved({ participants }: SsaSummand, cellCount: number): Transition {
    const reads = new Set<number>();
    // What is written to one of many elements is the same expression in all their definitions.
    const known = new Set<SequentialExpression>();
    const addReads = (expression: SequentialExpression): void => {
        if (known.has(expression)) {
            return;
        }
        known.add(expression);
        if (expression.kind === 'conditional') {
            [expression.condition, expression.then, expression.otherwise].forEach(addReads);
        } else if (expression.kind === 'binary') {
            [expression.left, expression.right].forEach(addReads);
        } else {
            forEachCellRead(expression, name => {
                if (name < cellCount) {
                    reads.add(name);
                }
            });
        }
    };
    for (const line of linesOf(participants)) {
        expressionsOf(line).forEach(addReads);
    }
    const written = participants.flatMap(({ final }) => [...final.keys()]).sort((a, b) => a - b);
    return {
        participants: participants.map(() => []),
        effects: new Map(written.map(cell => [cell, 'unknown'])),
        reads: [...reads].sort((a, b) => a - b),
        mayFault: true,
        isTooLarge: true,
    };
}

function readsTooMuch({ participants }: SsaSummand): boolean {
    let count = 0;
    for (const line of linesOf(participants)) {
        for (const expression of expressionsOf(line)) {
            forEachCellRead(expression, () => count++);
        }
        if (count > MOST_READS) {
            return true;
        }
    }
    return false;
}

function linesOf(participants: SsaSummand['participants']): SsaLine[] {
    return participants.flatMap(({ path, body }) => [...path, ...body]);
}

function expressionsOf(line: SsaLine): readonly SequentialExpression[] {
    switch (line.kind) {
        case 'test':
            return [line.condition];
        case 'check':
            return [line.condition, ...(line.reached === undefined ? [] : [line.reached])];
        case 'evaluate':
            return [line.expression, ...(line.reached === undefined ? [] : [line.reached])];
        case 'define':
            return [line.value, ...(line.reached === undefined ? [] : [line.reached])];
        default:
            return unreachable(line);
    }
}

function resolveNames(summand: SsaSummand, cells: readonly Cell[]): Transition {
    const resolver = new NameResolver(cells.length);
    const cellOf = (name: number): Cell => cells[summand.cellOfName[name - cells.length]];
    const convert = (lines: readonly SsaLine[]): SequentialExpression[] =>
        lines.flatMap(line => convertLine(line, resolver, cells, cellOf));
    const participants: SequentialExpression[][] = [];
    const written: [number, NextValue][] = [];
    for (const participant of summand.participants) {
        participants.push([...convert(participant.path), ...convert(participant.body)]);
        for (const [cell, value] of participant.final) {
            written.push([cell, value.kind === 'absent' ? 'absent' : resolver.resolveCell(value.name)]);
        }
    }
    const tests = participants.flat();
    const values = written.flatMap(([, value]) => (typeof value === 'string' ? [] : [value]));
    return {
        participants,
        effects: new Map(written.sort(([a], [b]) => a - b)),
        reads: [...new Set([...tests, ...values].flatMap(supportOf))].sort((a, b) => a - b),
        mayFault: tests.some(test => mayFault(test, cells)),
        isTooLarge: false,
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
