/**
 * The openings of a state in generated code: other states that it stands for, with some of its long distances longer, in the
 * order of explore/number-order.ts. Summands that keep equally many sums of the same sorts share a list of them, which is
 * made once for each state.
 */
import { MOST_OPENINGS } from '../explore/number-order.js';
import {
    call,
    combined,
    elementAt,
    FunctionBody,
    i32,
    i64,
    type Int,
    load32,
    load64,
    type WasmVariable,
} from '../webassembly/function-body.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { loadNumbers, type PackedSort, storedNumber, visitNumbers } from './compile-numbers.js';
import { CURRENT } from './current-state.js';
import type { StaticData } from './static-data.js';

/** The openings for some summands. */
export interface OpeningList {
    /** Function () → how many openings the state at CURRENT has, or -1 if there are too many. */
    readonly make: number;
    /** The address of the first; each has `stateBytes` bytes. */
    readonly states: number;
    readonly stateBytes: number;
    /** A number that is 0 for each new state. */
    readonly known: number;
}

/** A long distance in memory: its sort in the list of them, and the number below it. */
const DISTANCE = { sort: 0, below: 4, bytes: 8 } as const;

/** Up to `most` distances of the sorts are opened at a time. `known` is the address of a number. */
export function compileOpenings(
    sorts: readonly PackedSort[],
    most: number,
    longCount: number,
    known: number,
    data: StaticData,
    module: ModuleWriter,
): OpeningList {
    const stateBytes = 8 * longCount;
    const states = data.space(MOST_OPENINGS * stateBytes);
    const distances = data.space(DISTANCE.bytes * sorts.reduce((sum, { fields }) => sum + fields.length + 1, 0));
    const distancesEnd = data.space(4);
    const found = data.space(4);
    const spread = sorts.map(sort => module.add(spreadFunction(sort, longCount)));
    const list = { states, stateBytes, known };
    const open = module.announce(['i32', 'i32', 'i32'], ['i32']);
    module.define(open, openFunction({ sorts, most, list, distancesEnd, found, spread, open }, data));
    const f = new FunctionBody();
    const before = f.variable(load32(0, known));
    f.if(before, () => {
        f.return(before.minus(KNOWN));
    });
    const end = f.variable(distances);
    sorts.forEach((sort, index) => {
        f.scope(() => {
            appendDistances(f, sort, index, end);
        });
    });
    f.store32(0, distancesEnd, end);
    f.store32(0, found, 0);
    const count = f.variable(call(open, distances, 0, CURRENT));
    f.if(
        count,
        () => {
            count.set(load32(0, found));
        },
        () => {
            count.set(-1);
        },
    );
    f.store32(0, known, count.plus(KNOWN));
    f.result(count);
    return { ...list, make: module.add(f, 'i32') };
}

/** Added to the number of openings where it is remembered, so that it is never 0. */
const KNOWN = 2;

/** The long distances of a sort in the state at CURRENT, ascending. */
function appendDistances(f: FunctionBody, sort: PackedSort, index: number, end: WasmVariable<'i32'>): void {
    const words = loadNumbers(f, sort, i32(CURRENT));
    const before = f.variable(-1);
    visitNumbers(f, sort, words, value => {
        f.if(before.isAtLeast(0), () => {
            f.if(value.minus(before).isAtLeast(sort.order.kept), () => {
                f.store32(end, DISTANCE.sort, index);
                f.store32(end, DISTANCE.below, before);
                end.add(DISTANCE.bytes);
            });
        });
        before.set(value);
    });
}

interface Opening {
    readonly sorts: readonly PackedSort[];
    readonly most: number;
    readonly list: Omit<OpeningList, 'make'>;
    readonly distancesEnd: number;
    readonly found: number;
    readonly spread: readonly number[];
    readonly open: number;
}

/** (distance, opened, state) → 1, or 0 if there are too many: opens distances from one on in a state with others opened. */
function openFunction(
    { sorts, most, list, distancesEnd, found, spread, open }: Opening,
    data: StaticData,
): FunctionBody {
    const f = new FunctionBody(['i32', 'i32', 'i32']);
    const distance = f.parameter(0);
    const opened = f.parameter(1);
    const source = f.parameter(2);
    const bySort = (numbers: readonly number[], sort: Int): Int =>
        numbers.every(number => number === numbers[0]) ? i32(numbers[0]) : elementAt(data.table(numbers), sort);
    const moduli = sorts.map(({ order }) => order.modulus);
    const longest = sorts.map(({ order }) => Math.ceil(order.reach / order.modulus) * order.modulus);
    f.while(distance.isNot(load32(0, distancesEnd)), () => {
        const sort = f.variable(load32(distance, DISTANCE.sort));
        const step = f.variable(bySort(moduli, sort));
        const last = f.variable(bySort(longest, sort));
        const extra = f.variable<'i32'>(step);
        f.while(extra.isAtMost(last), () => {
            const count = f.variable(load32(0, found));
            f.if(count.isAtLeast(MOST_OPENINGS), () => {
                f.return(0);
            });
            const target = f.variable(count.times(list.stateBytes).plus(list.states));
            f.store32(0, found, count.plus(1));
            const arms = spread.map(each => (): void => {
                f.run(each, target, source, load32(distance, DISTANCE.below), extra);
            });
            f.switch(sort, [...arms.keys()], arms);
            if (most > 1) {
                f.if(opened.isLess(most - 1), () => {
                    f.if(call(open, distance.plus(DISTANCE.bytes), opened.plus(1), target).isZero(), () => {
                        f.return(0);
                    });
                });
            }
            extra.add(step);
        });
        distance.add(DISTANCE.bytes);
    });
    f.result(1);
    return f;
}

/** (target, source, below, extra): the source with `extra` more for the numbers that are above one in the state at CURRENT. */
function spreadFunction(sort: PackedSort, longCount: number): FunctionBody {
    const f = new FunctionBody(['i32', 'i32', 'i32', 'i32']);
    const target = f.parameter(0);
    const source = f.parameter(1);
    const below = f.parameter(2);
    const extra = f.variable(f.parameter(3).toLong());
    const words = loadNumbers(f, sort, i32(CURRENT));
    for (let word = 0; word < longCount; word++) {
        const added = sort.fields
            .filter(field => field.word === word && field.bits > 0)
            .map(field =>
                storedNumber(words, field)
                    .toInt()
                    .isGreater(below.plus(field.zero))
                    .toLong()
                    .times(extra)
                    .shiftedLeft(BigInt(field.shift)),
            );
        f.store64(
            target,
            8 * word,
            load64(source, 8 * word).plus(combined(added, i64(0n), (one, other) => one.plus(other))),
        );
    }
    return f;
}
