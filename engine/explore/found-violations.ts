/** The violations that a search has found: one for each kind, name and place, or several in different orbits. */
import { remembered } from '../common/list-map.js';
import type { OrbitSizes } from '../representative/orbit-size.js';
import type { Finding } from './properties.js';
import type { FoundViolation } from './snapshot.js';
import type { FinalFault } from './verdict.js';

interface WantedViolations {
    readonly count: number;
    /** Whether one property may be violated in several states, no two of them symmetric. */
    readonly severalPerPlace: boolean;
    /** Whether the model says so: such a one is kept once, and is not counted. */
    readonly isMeant: (finding: Finding) => boolean;
    /** Absent if all states are stored. */
    readonly orbits: (() => OrbitSizes | undefined) | undefined;
    /** What is found of an invariant in a state, and of alike ones in its images; in the order of the text. */
    readonly alikeTo: (finding: Finding, state: Readonly<Int32Array>) => readonly Finding[];
}

export class FoundViolations {
    readonly #wanted: WantedViolations;
    readonly #all: FoundViolation[] = [];
    /** Those that are not meant. */
    #counted = 0;
    /** Two keys of each violation: with its orbit, and without. */
    readonly #keys = new Set<string>();
    /** Keys without an orbit, kept because millions of states may violate one property. */
    readonly #plainKeys = new WeakMap<Finding, string>();

    constructor(wanted: WantedViolations) {
        this.#wanted = wanted;
    }

    /** In the order in which they were found. */
    get all(): readonly FoundViolation[] {
        return this.#all;
    }

    /** Without those that are meant. */
    get countedCount(): number {
        return this.#counted;
    }

    get areEnough(): boolean {
        return this.#counted >= this.#wanted.count;
    }

    /**
     * Adds a violation if it is wanted and new, or in its place and after it what is alike; false if not. `state` is
     * absent for a fault of a step: one for each place.
     */
    add(
        finding: Finding,
        stateIndex: number,
        state: Readonly<Int32Array> | undefined,
        finalFault: FinalFault | undefined,
    ): boolean {
        if (this.areEnough) {
            return false;
        }
        const areOneOfTheirPlace = !this.#wanted.severalPerPlace || state === undefined;
        if (areOneOfTheirPlace && this.#keys.has(this.#plainKey(finding))) {
            return false;
        }
        const orbit = state && this.#orbitKey(stateIndex, state);
        if (this.#keys.has(keyOf(finding, orbit))) {
            return false;
        }
        const before = this.#all.length;
        for (const alike of state === undefined ? [finding] : this.#wanted.alikeTo(finding, state)) {
            const isOneOfItsPlace = areOneOfTheirPlace || this.#wanted.isMeant(alike);
            const isKnown = this.#keys.has(isOneOfItsPlace ? this.#plainKey(alike) : keyOf(alike, orbit));
            if (!isKnown && !this.areEnough) {
                this.keep({ finding: alike, stateIndex, finalFault, orbit });
            }
        }
        return this.#all.length > before;
    }

    /** Adds a violation that an earlier exploration has found. */
    keep(violation: FoundViolation): void {
        this.#all.push(violation);
        this.#counted += this.#wanted.isMeant(violation.finding) ? 0 : 1;
        this.#keys.add(this.#plainKey(violation.finding));
        this.#keys.add(keyOf(violation.finding, violation.orbit));
    }

    clear(): void {
        this.#all.length = 0;
        this.#counted = 0;
        this.#keys.clear();
    }

    #plainKey(finding: Finding): string {
        return remembered(this.#plainKeys, finding, () => keyOf(finding, undefined));
    }

    /** The same key for two symmetric states, if their orbits are known. */
    #orbitKey(stateIndex: number, state: Readonly<Int32Array>): string | number {
        return this.#wanted.orbits?.()?.orbitOf(state)?.key ?? stateIndex;
    }
}

/** Equal for two findings of one violation. */
function keyOf({ kind, name, range, invariant }: Finding, orbit: string | number | undefined): string {
    return JSON.stringify([kind, name, range ?? null, invariant ?? null, orbit ?? null]);
}
