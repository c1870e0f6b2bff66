/**
 * The *forms* of expressions over numbers without end: a number before the firing, or 0, and what is added to it. What is
 * one of several values has the forms of each of them.
 */
import type { Problem } from '../../common/problem.js';
import type { SourceRange } from '../../common/source-range.js';
import { NONE } from '../../model/domain.js';

/** The base of constants. */
export const ZERO = -1;

/** By base what is added to it. */
export type Forms = ReadonlyMap<number, ReadonlySet<number>>;

/** Of two numbers. */
export interface Distance {
    readonly from: Forms;
    readonly to: Forms;
}

/** The value of an expression: forms, the distance of two numbers, or something that is no number without end. */
export type Meaning = Forms | Distance | 'finite';

export const NO_FORMS: Forms = new Map();

/** The largest constant that is compared with a number, or added to it. */
export const MOST_CONSTANT = 200;

export function own(cell: number): Forms {
    return new Map([[cell, new Set([0])]]);
}

export function constantForms(value: number): Forms {
    return value === NONE ? NO_FORMS : new Map([[ZERO, new Set([value])]]);
}

export function isForms(meaning: Meaning): meaning is Forms {
    return meaning instanceof Map;
}

export function isNumberMeant(meaning: Meaning): boolean {
    return meaning !== 'finite' && (!isForms(meaning) || isOfCells(meaning));
}

export function notComputed(range: SourceRange): NotANumber {
    const message =
        'a number without end is compared, copied, or has a constant added; with a bound, `0 .. 9`, it can be computed with';
    return notANumber('number/operation', message, range);
}

export function isOfCells(forms: Forms): boolean {
    return [...forms.keys()].some(base => base !== ZERO);
}

export function union(all: readonly Forms[]): Forms {
    if (all.length === 1) {
        return all[0];
    }
    const united = new Map<number, Set<number>>();
    for (const forms of all) {
        forms.forEach((constants, base) => {
            const known = united.get(base) ?? new Set();
            constants.forEach(plus => known.add(plus));
            united.set(base, known);
        });
    }
    return united;
}

/** 0 for no numbers. There may be more than a call can have arguments. */
export function greatest(numbers: readonly number[]): number {
    return numbers.reduce((first, second) => Math.max(first, second), 0);
}

/** Each form with each of the constants added. */
export function shifted(forms: Forms, constants: Forms, range: SourceRange): Forms {
    const added = [...(constants.get(ZERO) ?? [])];
    const sums = new Map(
        [...forms].map(([base, own]): [number, Set<number>] => [
            base,
            new Set([...own].flatMap(plus => added.map(more => plus + more))),
        ]),
    );
    const most = greatest([...sums.values()].flatMap(each => [...each]).map(Math.abs));
    if (most > MOST_CONSTANT) {
        throw tooLarge(most, range);
    }
    return sums;
}

interface Extent {
    readonly least: number;
    readonly most: number;
}

/** The least and the greatest constant that is added to cells, and to 0; undefined without such a form. */
export function extent(forms: Forms): { readonly cells: Extent | undefined; readonly zero: Extent | undefined } {
    const cells = [...forms].flatMap(([base, constants]) => (base === ZERO ? [] : [...constants]));
    const zero = [...(forms.get(ZERO) ?? [])];
    const of = (constants: readonly number[]): Extent | undefined =>
        constants.length === 0
            ? undefined
            : {
                  least: constants.reduce((one, other) => Math.min(one, other)),
                  most: constants.reduce((one, other) => Math.max(one, other)),
              };
    return { cells: of(cells), zero: of(zero) };
}

/** The largest difference of two constants; -1 if there are none. */
export function distance(first: Extent | undefined, second: Extent | undefined): number {
    return first === undefined || second === undefined
        ? -1
        : Math.max(Math.abs(first.most - second.least), Math.abs(second.most - first.least));
}

export class NotANumber extends Error {
    readonly problem: Problem;

    constructor(problem: Problem) {
        super(problem.message);
        this.problem = problem;
    }
}

export function notANumber(code: string, message: string, range: SourceRange): NotANumber {
    return new NotANumber({ severity: 'error', code, message, range });
}

export function tooLarge(constant: number, range: SourceRange): NotANumber {
    const message = `the constant ${constant} is too large beside numbers without end; at most ${MOST_CONSTANT} is possible`;
    return notANumber('number/large', message, range);
}
