/**
 * What the explanations of a candidate have passed, for each invariant in two bits: some may have passed a state that
 * violates it, and some none. Such pairs are few, so a candidate has the number of one.
 */
import { remembered } from '../common/list-map.js';

/** Bits by the index of the invariant. */
interface Passed {
    readonly violations: bigint;
    /** Those that some explanation has not violated. */
    readonly clean: bigint;
}

export class PassedSets {
    readonly #passed: Passed[] = [];
    readonly #numbers = new Map<string, number>();
    readonly #after = new Map<string, number>();
    readonly #all: bigint;
    /** Of a state in which each invariant holds. */
    readonly none: number;

    constructor(invariantCount: number) {
        this.#all = (1n << BigInt(invariantCount)) - 1n;
        this.none = this.#numberOf({ violations: 0n, clean: this.#all });
    }

    /** Whether no explanation of any candidate has passed a violation. */
    get isClean(): boolean {
        return this.#passed.length === 1;
    }

    get(number: number): Passed {
        return this.#passed[number];
    }

    /** Behind a state that violates these. */
    after(number: number, violated: bigint): number {
        if (violated === 0n) {
            return number;
        }
        return remembered(this.#after, `${number} ${violated}`, () => {
            const { violations, clean } = this.#passed[number];
            return this.#numberOf({ violations: violations | violated, clean: clean & (this.#all ^ violated) });
        });
    }

    /** Of the explanations of both together. */
    union(first: number, second: number): number {
        if (first === second) {
            return first;
        }
        const [one, other] = [this.#passed[first], this.#passed[second]];
        return this.#numberOf({ violations: one.violations | other.violations, clean: one.clean | other.clean });
    }

    #numberOf(passed: Passed): number {
        return remembered(this.#numbers, `${passed.violations} ${passed.clean}`, () => this.#passed.push(passed) - 1);
    }
}
