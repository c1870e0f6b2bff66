/** The codes with which tests can hold and that values can have: upper bounds, all codes if too many must be tried. */
import { sortAscending } from '../common/ascending.js';
import { remembered } from '../common/list-map.js';
import {
    codeOfValue,
    domainSize,
    NO_VALUE,
    NONE,
    templateOf,
    valueOfCode,
    type Domain,
    type Value,
} from '../model/domain.js';
import { boundsOf, type Bounds } from '../sequential/expression/bounds.js';
import { outcomeOf, type Compiler, type Fault } from '../sequential/expression/evaluate.js';
import { negation, TRUE as ALWAYS } from '../sequential/expression/simplify.js';
import { isAtPosition } from '../sequential/expression/substitute.js';
import type { Cell, SequentialExpression } from '../sequential/sequential-model.js';
import type { Domains } from './formula.js';
import { supportOf } from '../sequential/cell-access.js';

/** The most values of one cell that are listed. */
const MOST_VALUES_OF_CELL = 16_384;

/** The most assignments over which an expression is evaluated: all values of one cell, at least. */
export const ENUMERATION_BUDGET = MOST_VALUES_OF_CELL;

/** A choice over more assignments is followed branch by branch. */
const BRANCH_BUDGET = 64;

/** The bounds of an expression over more cells are those of its type. */
const MOST_BOUNDED = 32;

/** The most assignments over which an expression is evaluated together with tests. */
const JOINT_BUDGET = 4096;

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
            return this.boundsOver(test, over).high < 1 ? 'never' : 'unknown';
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

    /** The codes in the domain of `cell` that `expression` can have where all the tests hold. */
    of(
        expression: SequentialExpression,
        cell: number,
        over: Domains,
        tests: readonly SequentialExpression[] = [],
    ): Written {
        const { domain } = this.cells[cell];
        if (expression.kind === 'constant') {
            const code = codeOfNext(domain, expression.value);
            return written(code === undefined ? [] : [code]);
        }
        let support = supportOf(expression);
        const cases = assignmentCount(support, over) > BRANCH_BUDGET ? casesOf(expression) : undefined;
        if (cases !== undefined) {
            const ways = cases.flatMap(({ condition, value }) => {
                if (this.supported(condition, over) === 'never') {
                    return [];
                }
                const isKept = value.kind === 'cell' && value.cell === cell;
                return [isKept ? KEPT : this.of(value, cell, over, [...tests, condition])];
            });
            return union(ways);
        }
        const narrowed = over.slice();
        const joint: SequentialExpression[] = [];
        for (const test of tests) {
            const read = supportOf(test);
            if (!read.some(other => support.includes(other))) {
                continue;
            }
            const both = [...new Set([...support, ...read])];
            if (assignmentCount(both, narrowed) <= JOINT_BUDGET) {
                support = both;
                joint.push(test);
                continue;
            }
            const supported = this.supported(test, narrowed);
            if (supported === 'never') {
                return written([]);
            }
            if (supported !== 'unknown') {
                read.forEach((other, position) => (narrowed[other] = supported[position]));
            }
        }
        if (assignmentCount(support, narrowed) > ENUMERATION_BUDGET) {
            const { low, high, mayBeNone } = this.boundsOver(expression, narrowed);
            const isWithin = (value: Value): boolean => (value === NONE ? mayBeNone : low <= value && value <= high);
            return written(codesOfDomain(domain, false).filter(code => isWithin(valueOfCode(domain, code))));
        }
        const { state } = this;
        const codes = new Set<number>();
        let mayKeep = false;
        const evaluate = this.compiler.expression(expression);
        const holds = joint.map(test => this.compiler.expression(test));
        forEachAssignment(support, narrowed, this.state, () => {
            if (!holds.every(test => outcomeOf(test, state) === 1)) {
                return;
            }
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

    /** From the least and the greatest codes of the cells that the expression reads, while these are few. */
    private boundsOver(expression: SequentialExpression, over: Domains): Bounds {
        const support = supportOf(expression).filter(cell => over[cell] !== UNLISTED);
        if (support.length > MOST_BOUNDED) {
            return boundsOf(expression, this.cells);
        }
        const cells = this.cells.slice();
        for (const cell of support) {
            const codes = over[cell];
            cells[cell] = { ...cells[cell], codes: { least: codes[0], most: codes[codes.length - 1] } };
        }
        return boundsOf(expression, cells);
    }
}

interface Case {
    readonly condition: SequentialExpression;
    readonly value: SequentialExpression;
}

/** The values among which an expression chooses, each with its condition; undefined if it does not. */
function casesOf(expression: SequentialExpression): readonly Case[] | undefined {
    return remembered(knownCases, expression, () => ({ cases: newCasesOf(expression) })).cases;
}

const knownCases = new WeakMap<SequentialExpression, { readonly cases: readonly Case[] | undefined }>();

function newCasesOf(expression: SequentialExpression): readonly Case[] | undefined {
    switch (expression.kind) {
        case 'conditional': {
            const { condition, then, otherwise, range } = expression;
            return [
                { condition, value: then },
                { condition: negation(condition, range), value: otherwise },
            ];
        }
        case 'select': {
            const { index, domain, options, range } = expression;
            return casesOfPositions(options, position => isAtPosition([index], [domain], position, range));
        }
        case 'element': {
            const { cells, indices, domains, range } = expression;
            const values = cells.map(cell => ({ kind: 'cell', cell, range }) as const);
            return casesOfPositions(values, position => isAtPosition(indices, domains, position, range));
        }
        default:
            return undefined;
    }
}

function casesOfPositions(
    values: readonly SequentialExpression[],
    conditionOf: (position: number) => SequentialExpression,
): readonly Case[] {
    const isShort = values.length <= BRANCH_BUDGET;
    return values.map((value, position) => ({ condition: isShort ? conditionOf(position) : ALWAYS, value }));
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
export function presentCodes(cell: Cell, codes: readonly number[]): readonly number[] {
    if (codes[0] !== -1 || isPart(cell) || cell.isCreated === true || templateOf(cell.domain) !== undefined) {
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

/** Whether a cell is a part of a value, or of a message, that holds no value while another cell says so. */
export function isPart({ kind, within }: Pick<Cell, 'kind' | 'within'>): boolean {
    return kind === 'channel' || within !== undefined;
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

/** All codes of a domain, ascending. */
export function codesOfDomain(domain: Domain, mayBeAbsent: boolean): number[] {
    const codes = Array.from({ length: domainSize(domain) }, (_, code) => code);
    return mayBeAbsent ? [-1, ...codes] : codes;
}
