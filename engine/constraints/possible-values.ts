/** The codes with which tests can hold and that values can have: upper bounds, all codes if too many must be tried. */
import { sortAscending } from '../common/ascending.js';
import { codeOfValue, domainSize, NO_VALUE, templateOf, type Domain, type Value } from '../model/domain.js';
import { outcomeOf, type Compiler, type Fault } from '../sequential/expression/evaluate.js';
import type { Cell, SequentialExpression } from '../sequential/sequential-model.js';
import type { Domains } from './formula.js';
import { supportOf } from '../sequential/cell-access.js';

/** The most assignments over which an expression is evaluated. */
export const ENUMERATION_BUDGET = 4096;

/** A choice over more assignments is followed branch by branch. */
const BRANCH_BUDGET = 64;

/** Stands for the codes of a cell with too many codes to list; compared by identity. */
export const UNLISTED: readonly number[] = [];

/** For each cell that a test reads the codes with which it can hold; `never`, or `unknown` if there are too many. */
export type Supported = readonly (readonly number[])[] | 'never' | 'unknown';

/** The codes that a step may give to a cell. */
export interface Written {
    /** Ascending. */
    readonly codes: readonly number[];
    /** Whether the cell may also keep its code. */
    readonly mayKeep: boolean;
}

export const KEPT: Written = { codes: [], mayKeep: true };

export function written(codes: readonly number[]): Written {
    return { codes, mayKeep: false };
}

/** The union of several ways to write a cell. */
export function union(ways: readonly Written[]): Written {
    const codes = new Set(ways.flatMap(way => way.codes));
    return { codes: sortAscending([...codes]), mayKeep: ways.some(way => way.mayKeep) };
}

/** Whether the cell has no possible code. */
export function isImpossible({ codes, mayKeep }: Written): boolean {
    return codes.length === 0 && !mayKeep;
}

/** The codes of a cell with several writers, of which at most one changes it. */
export function byOneOf(writers: readonly Written[]): Written {
    if (writers.length === 1) {
        return writers[0];
    }
    const { codes } = union(writers);
    return writers.find(isImpossible) ?? { codes, mayKeep: writers.every(({ mayKeep }) => mayKeep) };
}

/** The next code of a cell: NO_VALUE for no value; undefined if its domain does not have the value. */
export function codeOfNext(domain: Domain, value: Value): number | undefined {
    const code = Number.isNaN(value) ? NO_VALUE : codeOfValue(domain, value);
    return code < 0 && !Number.isNaN(value) ? undefined : code;
}

/** Evaluates expressions over cells with given sets of codes. */
export class PossibleValues {
    private readonly cells: readonly Cell[];
    private readonly compiler: Compiler;
    private readonly state: Int32Array;

    constructor(cells: readonly Cell[], compiler: Compiler) {
        this.cells = cells;
        this.compiler = compiler;
        this.state = new Int32Array(cells.length);
    }

    /** The codes of the cells that a test reads with which it can hold; the same array if all of them are. */
    supported(test: SequentialExpression, over: Domains): Supported {
        const support = supportOf(test);
        if (assignmentCount(support, over) > ENUMERATION_BUDGET) {
            return 'unknown';
        }
        const { state } = this;
        const supported = support.map(cell => new Uint8Array((over[cell].at(-1) ?? 0) + 2));
        const evaluate = this.compiler.expression(test);
        let holds = false;
        forEachAssignment(support, over, this.state, () => {
            if (outcomeOf(evaluate, state) === 1) {
                holds = true;
                for (let position = 0; position < support.length; position++) {
                    supported[position][state[support[position]] + 1] = 1;
                }
            }
        });
        if (!holds) {
            return 'never';
        }
        return support.map((cell, position) => {
            const kept = over[cell].filter(code => supported[position][code + 1] === 1);
            return kept.length === over[cell].length ? over[cell] : kept;
        });
    }

    /**
     * The outcomes of a test, each once in the order of the assignments; `current` is restricted to the codes with which
     * it holds. Undefined, and without effect, if there are no assignments or too many.
     */
    narrow(
        test: SequentialExpression,
        current: (readonly number[])[],
    ): ReadonlySet<Value | Fault | undefined> | undefined {
        const support = supportOf(test);
        const count = assignmentCount(support, current);
        if (count === 0 || !(count <= ENUMERATION_BUDGET)) {
            return undefined;
        }
        const kept = support.map(() => new Set<number>());
        const outcomes = new Set<Value | Fault | undefined>();
        const evaluate = this.compiler.expression(test);
        forEachAssignment(support, current, this.state, () => {
            const outcome = outcomeOf(evaluate, this.state);
            outcomes.add(outcome);
            if (outcome === 1) {
                support.forEach((cell, position) => kept[position].add(this.state[cell]));
            }
        });
        support.forEach((cell, position) => (current[cell] = [...kept[position]]));
        return outcomes;
    }

    /** The codes in the domain of `cell` that `expression` can have. */
    of(expression: SequentialExpression, cell: number, over: Domains): Written {
        const { domain } = this.cells[cell];
        if (expression.kind === 'constant') {
            const code = codeOfNext(domain, expression.value);
            return written(code === undefined ? [] : [code]);
        }
        const support = supportOf(expression);
        if (expression.kind === 'select' && assignmentCount(support, over) > BRANCH_BUDGET) {
            return union(expression.options.map(option => this.of(option, cell, over)));
        }
        if (expression.kind === 'conditional' && assignmentCount(support, over) > BRANCH_BUDGET) {
            return this.inBranches(expression, cell, over);
        }
        if (assignmentCount(support, over) > ENUMERATION_BUDGET) {
            return written(codesOfDomain(domain, false));
        }
        const { state } = this;
        const codes = new Set<number>();
        let mayKeep = false;
        const evaluate = this.compiler.expression(expression);
        forEachAssignment(support, over, this.state, () => {
            const outcome = outcomeOf(evaluate, state);
            const code = typeof outcome === 'number' ? codeOfNext(domain, outcome) : undefined;
            if (code !== undefined) {
                codes.add(code);
            }
            // A cell without a value is read only to keep it so.
            mayKeep ||= outcome === undefined;
        });
        return { codes: sortAscending([...codes]), mayKeep };
    }

    /** A choice with many assignments: the branches that its condition allows, one by one. */
    private inBranches(
        expression: Extract<SequentialExpression, { kind: 'conditional' }>,
        cell: number,
        over: Domains,
    ): Written {
        const outcomes = new Set<unknown>();
        const support = supportOf(expression.condition);
        if (assignmentCount(support, over) > ENUMERATION_BUDGET) {
            outcomes.add(0).add(1);
        } else {
            const evaluate = this.compiler.expression(expression.condition);
            forEachAssignment(support, over, this.state, () => outcomes.add(outcomeOf(evaluate, this.state)));
        }
        const { then, otherwise } = expression;
        const branch = (value: SequentialExpression): Written =>
            value.kind === 'cell' && value.cell === cell ? KEPT : this.of(value, cell, over);
        return union([...(outcomes.has(1) ? [branch(then)] : []), ...(outcomes.has(0) ? [branch(otherwise)] : [])]);
    }
}

/** Writes each assignment of the support into `state`, in lexicographic order. */
export function forEachAssignment(
    support: readonly number[],
    over: Domains,
    state: Int32Array,
    visit: () => void,
): void {
    // There may be thousands of cells, but few assignments, so few cells with a choice.
    const open = support.filter(cell => {
        state[cell] = over[cell][0] ?? 0;
        return over[cell].length !== 1;
    });
    const assign = (position: number): void => {
        if (position === open.length) {
            visit();
            return;
        }
        const cell = open[position];
        for (const code of over[cell]) {
            state[cell] = code;
            assign(position + 1);
        }
    };
    assign(0);
}

export function assignmentCount(support: readonly number[], over: Domains): number {
    let product = 1;
    for (const cell of support) {
        product *= over[cell] === UNLISTED ? Infinity : over[cell].length;
        if (product > ENUMERATION_BUDGET) {
            return product;
        }
    }
    return product;
}

/**
 * The codes of a cell where it is read: a local has a value; if there is none, the first code. Of a reference it may be
 * asked which one is held, if any, and what belongs to an instance comes with its creation. Equal arrays stay so.
 */
export function presentCodes({ kind, domain, isCreated }: Cell, codes: readonly number[]): readonly number[] {
    if (codes[0] !== -1 || kind === 'channel' || isCreated === true || templateOf(domain) !== undefined) {
        return codes;
    }
    if (codes.length === 1) {
        return FIRST_CODE;
    }
    let present = presentOf.get(codes);
    if (present === undefined) {
        present = codes.slice(1);
        presentOf.set(codes, present);
    }
    return present;
}

const FIRST_CODE: readonly number[] = [0];
const presentOf = new WeakMap<readonly number[], readonly number[]>();

/** Whether each cell has few enough values to list; the bound is lowered until all lists together are small enough. */
export function listedCells(cells: readonly Cell[]): boolean[] {
    const sizes = cells.map(cell => (cell.kind === 'temporary' ? 0 : domainSize(cell.domain)));
    let largest = MOST_VALUES_OF_CELL;
    const total = (): number => sizes.reduce((sum, size) => sum + (size <= largest ? size : 0), 0);
    while (largest > 1 && total() > MOST_VALUES) {
        largest = Math.floor(largest / 2);
    }
    // A temporary holds no value between steps, so there is nothing to list.
    return cells.map((cell, index) => cell.kind === 'temporary' || sizes[index] <= largest);
}

/** The most values of all cells together that are listed. */
const MOST_VALUES = 200_000;

/** The most values of one cell that are listed. */
const MOST_VALUES_OF_CELL = 16_384;

/** All codes of a domain, ascending. */
export function codesOfDomain(domain: Domain, mayBeAbsent: boolean): number[] {
    const codes = Array.from({ length: domainSize(domain) }, (_, code) => code);
    return mayBeAbsent ? [-1, ...codes] : codes;
}
