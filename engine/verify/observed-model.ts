/** The observable behavior of a model: states, steps, and properties, from the interpreter and without symmetry. */
import type { Random } from '../common/random.js';
import type { WorkLimit } from '../common/work-limit.js';
import { InitialStates } from '../explore/initial/initial-states.js';
import { Properties } from '../explore/properties.js';
import { interpretedSuccessors } from '../explore/successors.js';
import { Fault } from '../sequential/expression/evaluate.js';
import type { FaultKind, SequentialModel } from '../sequential/sequential-model.js';

/** A summand and its result: a state, or a fault. */
export interface ObservedFiring {
    readonly summand: number;
    readonly outcome: Int32Array | FaultKind;
}

export interface Observation {
    readonly state: Int32Array;
    readonly isInitial: boolean;
    readonly firings: readonly ObservedFiring[];
    /** By property: `holds`, `violated`, or the fault of its evaluation. */
    readonly truths: readonly string[];
}

/** After so many steps, a new walk begins. */
const LONGEST_WALK = 1000;

export interface ObservedModel {
    observe(state: Int32Array): Observation;
    isInitial(state: Int32Array): boolean;
    /** All reachable states; undefined if there are more than `most`. Ends early at the limit. */
    reachableStates(most: number, workLimit: WorkLimit): readonly Int32Array[] | undefined;
    /** Up to `count` different states on random walks from random initial states. Ends early at the limit. */
    statesOnWalks(count: number, random: Random, workLimit: WorkLimit): readonly Int32Array[];
}

/** `properties` are named as `--property` names them: the invariants, and `deadlock`. */
export function createObservedModel(
    sequential: SequentialModel,
    properties: readonly { readonly name: string }[],
): ObservedModel {
    const successors = interpretedSuccessors(sequential);
    const initialStates = new InitialStates(sequential);
    const checkers = properties.map(({ name }) => new Properties(sequential, [name]));

    function firingsOf(state: Int32Array): ObservedFiring[] {
        const firings: ObservedFiring[] = [];
        successors.forEachFiring(state, {
            fired: (summand, successor) => firings.push({ summand, outcome: successor.slice() }) > 0,
            faulted: (summand, fault) => firings.push({ summand, outcome: fault.kind }) > 0,
        });
        return firings;
    }

    /** False if an initial value cannot be computed. */
    function isInitial(state: Int32Array): boolean {
        try {
            return initialStates.includes(state);
        } catch (error) {
            if (error instanceof Fault) {
                return false;
            }
            throw error;
        }
    }

    /** A state without steps may be a deadlock. */
    function truthOf(checker: Properties, state: Int32Array, isStuck: boolean): string {
        let truth = 'holds';
        const report = (finding: { readonly kind: string; readonly name: string }): void => {
            truth = finding.kind === 'fault' ? finding.name : 'violated';
        };
        checker.checkState(state, report);
        if (checker.checksDeadlock && isStuck && checker.isDeadlock(state, report)) {
            truth = 'violated';
        }
        return truth;
    }

    return {
        observe(state) {
            const firings = firingsOf(state);
            const truths = checkers.map(checker => truthOf(checker, state, firings.length === 0));
            return { state, isInitial: isInitial(state), firings, truths };
        },
        isInitial,
        reachableStates(most, workLimit) {
            const found = new Map<string, Int32Array>();
            const cursor = new InitialStates(sequential);
            const initial = new Int32Array(sequential.cells.length);
            while (found.size <= most && !workLimit.isExhausted() && cursor.nextInto(initial, workLimit)) {
                found.set(initial.join(), initial.slice());
            }
            // The iteration includes states that are added during it.
            for (const state of found.values()) {
                if (found.size > most || workLimit.isExhausted()) {
                    break;
                }
                for (const { outcome } of firingsOf(state)) {
                    if (typeof outcome !== 'string' && !found.has(outcome.join())) {
                        found.set(outcome.join(), outcome);
                    }
                }
            }
            return found.size > most ? undefined : [...found.values()];
        },
        statesOnWalks(count, random, workLimit) {
            const found = new Map<string, Int32Array>();
            const start = new Int32Array(sequential.cells.length);
            // The number of steps is limited, because walks may find no new states.
            for (let steps = 0; found.size < count && steps < 20 * count && !workLimit.isExhausted();) {
                if (!initialStates.chooseInto(start, random, workLimit)) {
                    break;
                }
                let state: Int32Array = start.slice();
                for (let length = 0; found.size < count && length < LONGEST_WALK; length++, steps++) {
                    found.set(state.join(), state);
                    const next = firingsOf(state).flatMap(({ outcome }) =>
                        typeof outcome === 'string' ? [] : [outcome],
                    );
                    if (next.length === 0) {
                        break;
                    }
                    state = next[random.below(next.length)];
                }
                steps++;
            }
            return [...found.values()];
        },
    };
}
