/** Sets of summands in the memory of generated code, as in sequential/step-relations.ts. An address stands for a set. */
import type { SummandSet } from '../sequential/step-relations.js';
import {
    call,
    FunctionBody,
    i32,
    i64,
    type Int,
    load32,
    load64,
    type Long,
    type Operand,
    union,
} from '../webassembly/function-body.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import type { StaticData } from './static-data.js';

export class SetFunctions {
    /** Of one set: a multiple of eight. */
    readonly bytes: number;
    /** Those that are possible in the present state. */
    readonly possible: number;
    readonly #data: StaticData;
    readonly #add: number;
    readonly #inBoth: number;
    readonly #cost: number;

    constructor(summandCount: number, data: StaticData, module: ModuleWriter) {
        this.bytes = 8 * Math.ceil(summandCount / 64);
        this.#data = data;
        this.possible = this.space();
        this.#add = module.add(this.#adding());
        this.#inBoth = module.add(this.#counting(), 'i32');
        this.#cost = module.add(this.#pricing(summandCount), 'i32');
    }

    space(): number {
        return this.#data.space(this.bytes);
    }

    /** A set that does not change. */
    table(set: SummandSet): number {
        return this.#data.table([...set, ...Array<number>(this.bytes / 4 - set.length).fill(0)]);
    }

    clear(f: FunctionBody, set: Operand<'i32'>): void {
        f.clear(set, this.bytes);
    }

    copy(f: FunctionBody, from: Operand<'i32'>, to: Operand<'i32'>): void {
        for (let offset = 0; offset < this.bytes; offset += 8) {
            f.store64(to, offset, load64(from, offset));
        }
    }

    /** Adds the summands of one set to another. */
    add(f: FunctionBody, from: Int | number, to: Int | number): void {
        f.run(this.#add, from, to);
    }

    addOne(f: FunctionBody, set: number, summand: Int): void {
        const offset = f.variable(summand.shiftedRight(5).shiftedLeft(2));
        f.store32(offset, set, load32(offset, set).or(i32(1).shiftedLeft(summand)));
    }

    /** 1 or 0. */
    has(set: number, summand: Int): Int {
        return load32(summand.shiftedRight(5).shiftedLeft(2), set).shiftedRight(summand).and(1);
    }

    /** How many summands are in both sets. */
    countOfBoth(one: Int | number, other: Int | number): Int {
        return call(this.#inBoth, one, other);
    }

    /** Whether some possible summand is in both sets. */
    haveOnePossible(one: number, other: number): Int {
        const offsets = Array.from({ length: this.bytes / 8 }, (_, word) => 8 * word);
        const common = offsets.map(offset =>
            load64(0, one + offset)
                .and(load64(0, other + offset))
                .and(load64(0, this.possible + offset)),
        );
        return union(common).isNot(0n);
    }

    /** What a way adds to a set: one more possible summand costs more than all that are not possible. */
    cost(way: Int | number, set: Int | number): Int {
        return call(this.#cost, way, set);
    }

    /** Calls `work` with the offset of each 32-bit word. */
    forEachWord(f: FunctionBody, work: (offset: Int) => void): void {
        const offset = f.variable(0);
        f.while(offset.isNot(this.bytes), () => {
            work(offset);
            offset.add(4);
        });
    }

    /** Calls `work` with each summand of a set, ascending; the set stays as it is meanwhile. */
    forEachIn(f: FunctionBody, set: number, work: (summand: Int) => void): void {
        this.forEachWord(f, offset => {
            const left = f.variable(load32(offset, set));
            f.while(left, () => {
                const bit = f.variable(lowestBit(left));
                left.set(left.and(left.minus(1)));
                work(f.variable(offset.shiftedLeft(3).plus(bit)));
            });
        });
    }

    #adding(): FunctionBody {
        const f = new FunctionBody(['i32', 'i32']);
        const [from, to] = [f.parameter(0), f.parameter(1)];
        for (let offset = 0; offset < this.bytes; offset += 8) {
            f.store64(to, offset, load64(to, offset).or(load64(from, offset)));
        }
        return f;
    }

    #counting(): FunctionBody {
        const f = new FunctionBody(['i32', 'i32']);
        const [one, other] = [f.parameter(0), f.parameter(1)];
        const count = f.variable(i64(0n));
        for (let offset = 0; offset < this.bytes; offset += 8) {
            count.add(sizeOf(load64(one, offset).and(load64(other, offset))));
        }
        f.result(count.toInt());
        return f;
    }

    #pricing(summandCount: number): FunctionBody {
        const f = new FunctionBody(['i32', 'i32']);
        const [way, set] = [f.parameter(0), f.parameter(1)];
        const [possible, all] = [f.variable(i64(0n)), f.variable(i64(0n))];
        for (let offset = 0; offset < this.bytes; offset += 8) {
            const added = f.variable(load64(way, offset).and(load64(set, offset).xor(-1n)));
            possible.add(sizeOf(added.and(load64(0, this.possible + offset))));
            all.add(sizeOf(added));
        }
        // One that is possible is in `all`, too.
        f.result(possible.toInt().times(summandCount).plus(all.toInt()));
        return f;
    }
}

/** The number of the lowest bit of a word with one. */
export function lowestBit(word: Int): Int {
    return word.toLong().converted('i64', 'i64_ctz').toInt();
}

function sizeOf(word: Long): Long {
    return word.converted('i64', 'i64_popcnt');
}
