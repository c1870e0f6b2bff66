/**
 * The transition of a summand, over the current state alone: names resolved, checks explicit. Rule 2 of the ring,
 * `label[v] := label[u]`, has the test `!leader[v] && label[u] != label[v]` and the effects token[u]: 0, token[v]: 1,
 * label[v]: label[u].
 */
import { sortAscending } from '../common/ascending.js';
import { unreachable } from '../common/assert.js';
import { NOWHERE } from '../common/source-range.js';
import { domainSize, isNumber } from '../model/domain.js';
import type {
    Cell,
    ElementPlace,
    FaultKind,
    SequentialExpression,
    SequentialModel,
    Summand,
} from '../sequential/sequential-model.js';
import { operandsOf, withOperands } from '../sequential/expression/operands.js';
import { liesIn } from '../sequential/expression/substitute.js';
import { conditional, conjunction, select, TRUE } from '../sequential/expression/simplify.js';
import type { Held, SsaLine, SsaSummand } from './static-single-assignment.js';
import { ConstraintTooLarge, unless } from './encoding-limits.js';
import {
    cellsWritten,
    cellsWrittenBy,
    forEachCellRead,
    forEachExpressionOf,
    supportOf,
} from '../sequential/cell-access.js';
import { mayFault, mayLeave } from '../sequential/expression/bounds.js';
import { faultOutside } from '../sequential/expression/evaluate.js';

/** One value for each participant that may write the cell; at most one changes it. `unknown` if they are too long. */
export type NextValue = readonly SequentialExpression[] | 'absent' | 'unknown';

/** Expressions here are over cells. */
export interface Transition {
    /** By participant its path and checks, in order: true if it takes part, false if it is not ready, or a fault. */
    readonly participants: readonly (readonly SequentialExpression[])[];
    /** By cell its next value, in the order of the cells. */
    readonly effects: ReadonlyMap<number, NextValue>;
    /** The cells that the tests and the new values read, ascending. */
    readonly reads: readonly number[];
    /** Whether some path or body may be a fault. */
    readonly mayFault: boolean;
    /** The summand is too long: it has no tests here, and its written values are unknown. */
    readonly isTooLarge: boolean;
}

/** The most reads of cells in the definitions of a summand: `a[i] := a[j]` defines each element of a by all of them. */
const MOST_READS = 2_000_000;

export function toTransition(summand: SsaSummand, sequential: Pick<SequentialModel, 'cells' | 'summands'>): Transition {
    const tooLarge = (): Transition => unresolved(sequential.summands[summand.summand]);
    return summand.isTooLarge
        ? tooLarge()
        : unless(ConstraintTooLarge, () => resolveNames(summand, sequential.cells), tooLarge);
}

/** The cells that a summand reads and writes, if it is too long to resolve. */
export function unresolved({ participants }: Summand): Transition {
    const reads = new Set<number>();
    const written = new Set<number>();
    const cleared = new Set<number>();
    for (const participant of participants) {
        forEachExpressionOf(participant, expression => {
            forEachCellRead(expression, cell => reads.add(cell));
        });
        cellsWrittenBy(participant).forEach(cell => written.add(cell));
        for (const statement of participant.body) {
            if (statement.kind === 'clear') {
                cleared.add(statement.cell);
            } else {
                cellsWritten([statement]).forEach(cell => cleared.delete(cell));
            }
        }
    }
    return {
        participants: participants.map(() => []),
        effects: new Map(sortAscending([...written]).map(cell => [cell, cleared.has(cell) ? 'absent' : 'unknown'])),
        reads: sortAscending([...reads]),
        mayFault: true,
        isTooLarge: true,
    };
}

/** The number of reads in an expression. `known` has the counts of parts, which lines share. */
function readsOf(expression: SequentialExpression, known: Map<SequentialExpression, number>): number {
    if (expression.kind === 'cell') {
        return 1;
    }
    let count = known.get(expression);
    if (count === undefined) {
        count = expression.kind === 'element' ? expression.cells.length : 0;
        for (const operand of operandsOf(expression)) {
            count += readsOf(operand, known);
        }
        known.set(expression, count);
    }
    return count;
}

function resolveNames(summand: SsaSummand, cells: readonly Cell[]): Transition {
    const resolver = new NameResolver(cells, summand.cellOfName);
    const participants: SequentialExpression[][] = [];
    const written = new Map<number, NextValue>();
    for (const { path, body, final } of summand.participants) {
        participants.push([...path, ...body].flatMap(line => resolver.testsOf(line)));
        for (const [cell, value] of final) {
            const next = value.kind === 'absent' ? 'absent' : resolver.resolveCell(value.name);
            written.set(cell, withWriter(written.get(cell), next));
        }
    }
    const tests = participants.flat();
    const values = [...written.values()].flatMap(value => (typeof value === 'string' ? [] : value));
    return {
        participants,
        effects: new Map([...written].sort(([a], [b]) => a - b)),
        reads: sortAscending([...new Set([...tests, ...values].flatMap(supportOf))]),
        mayFault: tests.some(test => mayFault(test, cells)),
        isTooLarge: false,
    };
}

function withWriter(before: NextValue | undefined, value: SequentialExpression | 'absent'): NextValue {
    if (value === 'absent') {
        return before === undefined || before === value ? value : 'unknown';
    }
    return typeof before === 'string' ? 'unknown' : [...(before ?? []), value];
}

/** True, or the fault of the expression. */
function evaluates(
    expression: SequentialExpression,
    { range }: SsaLine & { kind: 'evaluate' | 'fit' | 'define' },
): SequentialExpression {
    return { kind: 'binary', operator: '==', left: expression, right: expression, range };
}

function orFault(
    condition: SequentialExpression,
    fault: FaultKind,
    { range }: SsaLine & { kind: 'check' | 'fit' | 'define' },
): SequentialExpression {
    return { kind: 'or', operands: [condition, { kind: 'fault', fault, range }], range };
}

/** The most nodes of a resolved expression. A body may double it with each definition. */
const MOST_NODES = 20_000;

/** Stands for no value: it equals nothing and is in no domain. It is never read, only chosen. */
const NOTHING: SequentialExpression = { kind: 'constant', value: NaN };

/** Rewrites expressions over names into expressions over cells, in order. Throws ConstraintTooLarge. */
class NameResolver {
    private readonly definitions = new Map<number, SequentialExpression>();
    private readCount = 0;
    private readonly knownReads = new Map<SequentialExpression, number>();
    /** The number of nodes of each definition. */
    private readonly sizes = new Map<number, number>();
    private readonly cells: readonly Cell[];
    /** As in SsaSummand. */
    private readonly cellOfName: readonly number[];

    constructor(cells: readonly Cell[], cellOfName: readonly number[]) {
        this.cells = cells;
        this.cellOfName = cellOfName;
    }

    /** The Boolean expression that is a fault if the line is one; empty if it cannot be. */
    testsOf(line: SsaLine): SequentialExpression[] {
        switch (line.kind) {
            case 'test':
                return [this.resolve(line.condition)];
            case 'check':
                return [this.whereReached(line, orFault(this.resolve(line.condition), line.fault, line))];
            case 'evaluate': {
                const expression = this.resolve(line.expression);
                return mayFault(expression, this.cells) ? [this.whereReached(line, evaluates(expression, line))] : [];
            }
            case 'fit':
                return this.fits(this.resolve(line.value), line.cell, line);
            case 'define':
                return this.fits(
                    this.define(line.name, line.value),
                    this.cellOfName[line.name - this.cells.length],
                    line,
                );
            case 'join':
                this.join(line.name, line.condition, line.then, line.otherwise);
                return [];
            default:
                return unreachable(line);
        }
    }

    /** The value can be computed and lies in the domain of the cell; empty if that is certain. */
    private fits(
        value: SequentialExpression,
        cell: number,
        line: SsaLine & { kind: 'fit' | 'define' },
    ): SequentialExpression[] {
        const { domain } = this.cells[cell];
        if (isNumber(domain) || mayLeave(domain, value, this.cells)) {
            return [this.whereReached(line, orFault(liesIn(domain, value, line.range), faultOutside(domain), line))];
        }
        return mayFault(value, this.cells) ? [this.whereReached(line, evaluates(value, line))] : [];
    }

    /** The check if its branch is taken, true otherwise. */
    private whereReached(
        { reached, range }: Exclude<SsaLine, { kind: 'test' }>,
        check: SequentialExpression,
    ): SequentialExpression {
        return reached === undefined
            ? check
            : { kind: 'conditional', condition: this.resolve(reached), then: check, otherwise: TRUE, range };
    }

    /** `value` is over cells and names that are defined already. */
    private define(name: number, value: SequentialExpression): SequentialExpression {
        const resolved = this.resolve(value);
        this.definitions.set(name, resolved);
        this.sizes.set(name, this.sizeOf(value));
        return resolved;
    }

    /** Defines `name` as the result of one of two branches. */
    private join(name: number, condition: SequentialExpression, then: Held, otherwise: Held): void {
        this.define(name, {
            kind: 'conditional',
            condition,
            then: then === 'nothing' ? NOTHING : then,
            otherwise: otherwise === 'nothing' ? NOTHING : otherwise,
            range: NOWHERE,
        });
    }

    /** The value of a cell or a defined name. */
    resolveCell(name: number): SequentialExpression {
        return this.definitions.get(name) ?? { kind: 'cell', cell: name, range: NOWHERE };
    }

    private resolve(expression: SequentialExpression): SequentialExpression {
        this.readCount += readsOf(expression, this.knownReads);
        if (this.readCount > MOST_READS) {
            throw new ConstraintTooLarge('the definitions read too many cells');
        }
        if (this.definitions.size === 0) {
            return expression;
        }
        if (this.sizeOf(expression) > MOST_NODES) {
            throw new ConstraintTooLarge('an expression is too long without names');
        }
        return this.rewrite(expression);
    }

    /** The number of nodes after rewriting. */
    private sizeOf(expression: SequentialExpression): number {
        const add = (total: number, operand: SequentialExpression): number => total + this.sizeOf(operand);
        switch (expression.kind) {
            case 'cell':
                return this.sizes.get(expression.cell) ?? 1;
            case 'element': {
                const indices = expression.indices.reduce(add, 0);
                return expression.cells.every(cell => cell < this.cells.length)
                    ? 1 + indices
                    : expression.cells.reduce((total, name) => total + indices + (this.sizes.get(name) ?? 1), 1);
            }
            default:
                return operandsOf(expression).reduce(add, 1);
        }
    }

    private rewrite(expression: SequentialExpression): SequentialExpression {
        switch (expression.kind) {
            case 'cell':
                return this.definitions.get(expression.cell) ?? expression;
            case 'element':
                return this.rewriteElement(expression);
            default:
                return withOperands(expression, operand => this.rewrite(operand));
        }
    }

    private rewriteElement(expression: ElementPlace): SequentialExpression {
        const indices = expression.indices.map(index => this.rewrite(index));
        if (expression.cells.every(cell => cell < this.cells.length)) {
            return { ...expression, indices };
        }
        const { domains, range } = expression;
        // Equal treatment of all positions: those of instances have no order.
        const choose = (dimension: number, position: number): SequentialExpression => {
            if (dimension === indices.length) {
                return this.resolveCell(expression.cells[position]);
            }
            const size = domainSize(domains[dimension]);
            const options = Array.from({ length: size }, (_, code) => choose(dimension + 1, position * size + code));
            return select(indices[dimension], domains[dimension], options, range);
        };
        // All indices are evaluated before an index fault arises.
        const later = indices.slice(1).filter(index => mayFault(index, this.cells));
        const evaluated = conjunction(
            later.length === 0
                ? []
                : indices.map(index => ({ kind: 'binary', operator: '==', left: index, right: index, range })),
            range,
        );
        return conditional(evaluated, choose(0, 0), { kind: 'fault', fault: 'index', range }, range);
    }
}
