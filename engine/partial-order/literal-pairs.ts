/**
 * Pairs of literals that may hold in one stored state: the least set that has those of the initial states, and those that
 * steps make of states all of whose pairs are in it. So it is known that a process that waits is not the one that holds.
 */
import type { Domains } from '../constraints/formula.js';
import type { LiteralImage } from '../sequential/literal-image.js';
import { addTo, isIn } from '../sequential/step-relations.js';
import { UNDECIDED } from './partial-states.js';
import type { StepRuns } from './step-runs.js';

/** More literals, or more partial states in all rounds together, are not looked at. */
const MOST_LITERALS = 512;
const MOST_VISITS = 100_000;

/** Where stored states come from. */
export interface StoredFrom {
    readonly initial: readonly Readonly<Int32Array>[];
    /**
     * Those that map reached states to stored ones, generators. The start need not be symmetric, nor the model behind passes:
     * a step may be taken together with those that follow on it, and its image alone.
     */
    readonly symmetries: readonly LiteralImage[];
}

export class LiteralPairs {
    /** By cell and code the number of the literal. Cells whose codes are not known have none. */
    readonly #numbers: readonly ReadonlyMap<number, number>[];
    readonly #cellOf: readonly number[];
    /** By literal a bit for each that may hold together with it, itself if it may hold at all. */
    readonly #rows: readonly Int32Array[];

    constructor(domains: Domains) {
        let count = 0;
        this.#numbers = domains.map(codes => new Map(codes.map(code => [code, count++])));
        this.#cellOf = domains.flatMap((codes, cell) => codes.map(() => cell));
        this.#rows = this.#cellOf.map(() => this.#noLiterals());
    }

    /** Undefined if there are too many. `runs` are restricted to the pairs found so far. */
    static of(runs: StepRuns, domains: Domains, from: StoredFrom, goOn: () => void): LiteralPairs | undefined {
        if (domains.reduce((sum, codes) => sum + codes.length, 0) > MOST_LITERALS) {
            return undefined;
        }
        const pairs = new LiteralPairs(domains);
        runs.restrictTo((...literal) => pairs.mayJoin(...literal));
        from.initial.forEach(state => pairs.#add(state, pairs.#noLiterals()));
        for (let grows = true; grows;) {
            grows = false;
            for (const summand of runs.writes.keys()) {
                goOn();
                const isFollowed = runs.holdsWhere([summand], state => {
                    grows = pairs.#step(runs, summand, state) || grows;
                    return runs.compiler.visits <= MOST_VISITS;
                });
                if (runs.compiler.visits > MOST_VISITS) {
                    runs.restrictTo(undefined);
                    return undefined;
                }
                grows = (!isFollowed && pairs.#addAny(runs.writes[summand])) || grows;
            }
            grows ||= from.symmetries.map(image => pairs.#addImages(image)).includes(true);
        }
        return pairs;
    }

    /** Whether a cell may hold a code in a state in which these cells are decided. */
    mayJoin(cell: number, code: number, decided: readonly number[], state: Readonly<Int32Array>): boolean {
        const literal = this.#numbers[cell].get(code);
        if (literal === undefined) {
            return true;
        }
        const row = this.#rows[literal];
        return (
            isIn(row, literal) &&
            decided.every(other => {
                const number = this.#numbers[other].get(state[other]);
                return number === undefined || isIn(row, number);
            })
        );
    }

    #noLiterals(): Int32Array {
        return new Int32Array((this.#cellOf.length + 31) >>> 5);
    }

    /** Adds what a step makes of a partial state; true if something is new. */
    #step(runs: StepRuns, summand: number, state: Readonly<Int32Array>): boolean {
        const after = runs.scratch(0);
        if (runs.fire(summand, state, after) !== 'fired') {
            return false;
        }
        const beside = this.#noLiterals().fill(-1);
        state.forEach((code, cell) => {
            const literal = this.#numbers[cell].get(code);
            if (literal !== undefined) {
                this.#rows[literal].forEach((word, index) => (beside[index] &= word));
            }
        });
        // What has been written, or is decided, holds nothing else.
        this.#cellOf.forEach((cell, literal) => {
            if (after[cell] !== UNDECIDED) {
                beside[literal >>> 5] &= ~(1 << (literal & 31));
            }
        });
        return this.#add(after, beside);
    }

    /** All pairs of the literals of a state and of these with others; true if one is new. */
    #add(state: Readonly<Int32Array>, beside: Int32Array): boolean {
        const together = beside.slice();
        const literals: number[] = [];
        state.forEach((code, cell) => {
            const literal = this.#numbers[cell].get(code);
            if (literal !== undefined) {
                addTo(together, literal);
                literals.push(literal);
            }
        });
        return literals.map(literal => this.#addRow(literal, together)).includes(true);
    }

    #addRow(literal: number, others: Int32Array): boolean {
        const row = this.#rows[literal];
        let isNew = false;
        for (let word = 0; word < row.length; word++) {
            for (let left = others[word] & ~row[word]; left !== 0; left &= left - 1) {
                const other = 32 * word + 31 - Math.clz32(left & -left);
                if (other < this.#rows.length) {
                    addTo(row, other);
                    addTo(this.#rows[other], literal);
                    isNew = true;
                }
            }
        }
        return isNew;
    }

    /** Of a step that is not followed: it may write whatever a cell can hold, whatever others hold. */
    #addAny(cells: readonly number[]): boolean {
        const all = this.#noLiterals().fill(-1);
        return cells
            .flatMap(cell => [...this.#numbers[cell].values()])
            .map(literal => this.#addRow(literal, all))
            .includes(true);
    }

    #addImages({ cells, codeOf }: LiteralImage): boolean {
        const images = this.#numbers.flatMap((numbers, cell) =>
            Array.from(numbers.keys(), code => {
                const image = code < 0 ? code : codeOf(cell, code);
                return image === undefined ? undefined : this.#numbers[cells[cell]].get(image);
            }),
        );
        return this.#rows
            .map((row, literal) => {
                const image = images[literal];
                const others = this.#noLiterals();
                images.forEach((other, number) => {
                    if (other !== undefined && isIn(row, number)) {
                        addTo(others, other);
                    }
                });
                return image !== undefined && this.#addRow(image, others);
            })
            .includes(true);
    }
}
