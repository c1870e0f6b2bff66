/**
 * The number of firings of each step of the text, and of outcomes of each test before a step.
 *
 * Firings are counted in all reachable states: if one state of each orbit is expanded, a firing counts as often as the
 * orbit has states. Summands of one orbit fire equally often over all states, so their counts are shared out evenly, as
 * are those of locations. Numbers are exact up to 2^53.
 */
import type { SourceRange } from '../common/source-range.js';
import type { Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { BodyBranches } from './body-branches.js';
import { LocationCounts, type MovedLiteral } from './location-counts.js';
import type { Successors } from './successors.js';
import { placeOf, textSteps } from './text-steps.js';

/** How often a step of the text was taken. */
export interface StepCoverage {
    /** The name in the text. */
    readonly process: string;
    readonly label: string;
    readonly range: SourceRange;
    /** Firings in all states, of all instances and choices, faults included. */
    readonly fired: number;
    /** How often control was before the step and it could not fire. Absent for a joint step of several processes. */
    readonly blocked?: number;
}

/** How often a test of the text came out true and how often false. */
export interface BranchCoverage {
    /** The name of the process in the text. */
    readonly process: string;
    /** The condition of an `if`, `while` or `where`. */
    readonly range: SourceRange;
    /** The firings of steps after it with each outcome; inside braces only those without a fault. */
    readonly whenTrue: number;
    readonly whenFalse: number;
}

/** The counts for all steps and tests of a model. */
export interface Coverage {
    /** The number of states that the expanded ones represent. */
    readonly states: number;
    /** Whether every orbit counts with its size; else some count as one state. */
    readonly isExact: boolean;
    /** In the order of the text, with steps that never fire. */
    readonly steps: readonly StepCoverage[];
    /** In the order of the text, without tests that are decided before the run. */
    readonly branches: readonly BranchCoverage[];
    /** Whether tests inside braces are included; not if there are too many states. */
    readonly hasBodyBranches: boolean;
}

/** The action of a group on the counts. */
export interface CoverageSymmetry {
    /** Undefined if it is not known. */
    readonly orbitSize: (state: Readonly<Int32Array>) => bigint | undefined;
    /** By summand: the number of its orbit, and the first summand that always fires with it. */
    readonly summandOrbits: { readonly orbit: Int32Array; readonly firstAlike: Int32Array };
    readonly movedLiterals: readonly MovedLiteral[];
    /** The actions of generators on states. */
    readonly images: readonly ((state: Int32Array) => Int32Array)[];
}

/** Counts during an exploration. */
export class CoverageCounter {
    readonly #text: Model;
    readonly #model: SequentialModel;
    readonly #symmetry: CoverageSymmetry | undefined;
    readonly #locations: LocationCounts;
    readonly #bodies: BodyBranches;
    /** By summand: firings in the expanded states, weighted. */
    readonly #fired: Float64Array;
    /** The same of firings that the constraint cuts off: such a step neither fires nor waits. */
    readonly #cutOff: Float64Array;
    #states = 0;
    #isExact = true;

    constructor(text: Model, model: SequentialModel, symmetry: CoverageSymmetry | undefined) {
        this.#text = text;
        this.#model = model;
        this.#bodies = new BodyBranches(text, model, symmetry?.images ?? []);
        this.#symmetry = symmetry;
        this.#locations = new LocationCounts(model, symmetry?.movedLiterals ?? []);
        this.#fired = new Float64Array(model.summands.length);
        this.#cutOff = new Float64Array(model.summands.length);
    }

    /** The same successors, with counting; each state must be expanded once. */
    counting(successors: Successors): Successors {
        return {
            forEachFiring: (state, visitor) => {
                const weight = this.#weightOf(state);
                this.#states += weight;
                this.#locations.count(state, weight);
                this.#bodies.count(state);
                successors.forEachFiring(state, {
                    fired: (summand, successor) => {
                        this.#fired[summand] += weight;
                        return visitor.fired(summand, successor);
                    },
                    faulted: (summand, fault) => {
                        (fault.kind === 'outside' ? this.#cutOff : this.#fired)[summand] += weight;
                        return visitor.faulted(summand, fault);
                    },
                });
            },
        };
    }

    coverage(): Coverage {
        const fired = this.#inAllStates(this.#fired);
        const inBodies = this.#bodies.branches();
        return {
            states: this.#states,
            isExact: this.#isExact,
            steps: this.#stepsOf(this.#text, fired),
            branches: [...this.#branchesOf(this.#text, fired), ...(inBodies ?? [])].sort(
                (first, second) =>
                    first.range.start.line - second.range.start.line ||
                    first.range.start.character - second.range.start.character,
            ),
            hasBodyBranches: inBodies !== undefined,
        };
    }

    #weightOf(state: Readonly<Int32Array>): number {
        if (this.#symmetry === undefined) {
            return 1;
        }
        const size = this.#symmetry.orbitSize(state);
        this.#isExact &&= size !== undefined;
        return Number(size ?? 1n);
    }

    /** By summand: firings in all states, from those in expanded ones. */
    #inAllStates(counted: Float64Array): Float64Array {
        const { summandOrbits } = this.#symmetry ?? {};
        if (summandOrbits === undefined) {
            return counted;
        }
        const { orbit, firstAlike } = summandOrbits;
        const total = new Float64Array(orbit.length);
        const count = new Int32Array(orbit.length);
        orbit.forEach((number, summand) => {
            // Symmetries may change how many summands fire together, so these count as one.
            if (firstAlike[summand] === summand) {
                total[number] += counted[summand];
                count[number]++;
            }
        });
        return Float64Array.from(orbit, number => total[number] / count[number]);
    }

    #stepsOf(model: Model, fired: Float64Array): StepCoverage[] {
        const firedAt = new Map<string, number>();
        const blockedAt = new Map<string, number>();
        const isJoint = new Set<string>();
        const cutOff = this.#inAllStates(this.#cutOff);
        this.#model.summands.forEach(({ participants }, summand) => {
            for (const { range, instance, source } of participants) {
                const place = placeOf(range);
                add(firedAt, place, fired[summand]);
                add(blockedAt, place, this.#stoodAt(instance, source) - fired[summand] - cutOff[summand]);
                if (participants.length > 1) {
                    isJoint.add(place);
                }
            }
        });
        return textSteps(model).map(({ process, label, range, place }) => ({
            process,
            label,
            range,
            fired: firedAt.get(place) ?? 0,
            ...(isJoint.has(place) ? {} : { blocked: blockedAt.get(place) ?? 0 }),
        }));
    }

    #branchesOf(model: Model, fired: Float64Array): BranchCoverage[] {
        const counts = new Map<string, { process: string; range: SourceRange; whenTrue: number; whenFalse: number }>();
        this.#model.summands.forEach(({ participants }, summand) => {
            for (const { instance, branches = [] } of participants) {
                // A path with a test in several rounds of a `for` is one firing for each outcome.
                const passed = new Map(
                    branches.map(branch => [placeOf(branch.range) + String(branch.outcome), branch]),
                );
                for (const { range, outcome } of passed.values()) {
                    const process = model.processes[this.#model.instances[instance].process].name;
                    const key = JSON.stringify([process, placeOf(range)]);
                    const count = counts.get(key) ?? { process, range, whenTrue: 0, whenFalse: 0 };
                    count[outcome ? 'whenTrue' : 'whenFalse'] += fired[summand];
                    counts.set(key, count);
                }
            }
        });
        return [...counts.values()];
    }

    /** The number of states with an instance at a location. */
    #stoodAt(instance: number, location: number): number {
        return this.#model.instances[instance].counter < 0
            ? this.#states
            : this.#locations.statesAt(instance, location);
    }
}

function add<Key>(counts: Map<Key, number>, key: Key, count: number): void {
    counts.set(key, (counts.get(key) ?? 0) + count);
}
