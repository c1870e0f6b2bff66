/** All reachable states, breadth first, and the distances of the nearest deadlock, fault and violated invariant. */
import type { Fault } from './operators.js';
import { formatValue } from './values.js';
import { catchFault, type Semantics, type State } from './interpreter.js';

export interface StateSpace {
    readonly initial: readonly string[];
    /** In the order of discovery, by `Semantics.key`. */
    readonly states: ReadonlyMap<string, ReachedState>;
    /** Firings with a successor, over all states. */
    readonly transitions: number;
    /** Firings without one. */
    readonly faultyFirings: number;
    /** Firings that a constraint cuts off. */
    readonly outside: number;
    /** States without a firing in which some instance may not stop, whether or not the model allows them. */
    readonly deadlocks: readonly string[];
    /** In some state a fault is left open: see `Firing.isOpen`. */
    readonly isOpen: boolean;
    /** `deadlock`, `invariant NAME`, `fault KIND` → the number of steps to the nearest state in which it shows. */
    readonly violations: ReadonlyMap<string, number>;
}

export interface ReachedState {
    readonly state: State;
    readonly depth: number;
    /** The keys of the successors, without repetition. */
    readonly successors: ReadonlySet<string>;
    /** The same for each firing that has one. */
    readonly firings: readonly string[];
    readonly faults: ReadonlySet<Fault>;
    /** The invariants that are false here by their names, and those that fault, with the kind of the fault. */
    readonly violated: ReadonlySet<string>;
}

/** Of this many combinations of initial values one is taken to be a state, at least. */
const COMBINATIONS = 100;

/** The state space, or undefined where it has more than `limit` states, or far more combinations of initial values. */
export function exploreAll(semantics: Semantics, limit = Infinity): StateSpace | undefined {
    const { model, key } = semantics;
    const states = new Map<string, ReachedState>();
    const violations = new Map<string, number>();
    const deadlocks: string[] = [];
    let transitions = 0;
    let faultyFirings = 0;
    let outside = 0;
    let isOpen = false;
    const initialStates = semantics.initialStates(limit * COMBINATIONS);
    if (initialStates === undefined) {
        return undefined;
    }
    let frontier: readonly State[] = initialStates;
    const discovered = new Set(frontier.map(key));
    const initial = [...discovered];
    const found = (violation: string, depth: number): void => {
        if (!violations.has(violation)) {
            violations.set(violation, depth);
        }
    };

    for (let depth = 0; frontier.length > 0; depth++) {
        const following: State[] = [];
        for (const state of frontier) {
            if (discovered.size > limit) {
                return undefined;
            }
            const violated = new Set<string>();
            const faults = new Set<Fault>();
            for (const { name, condition } of model.invariants) {
                const value = catchFault(() => semantics.evaluate(condition, state));
                if (value === false) {
                    violated.add(name);
                    found(`invariant ${name}`, depth);
                } else if (value !== true) {
                    violated.add(`${name}: ${formatValue(value)}`);
                    found(`fault ${formatValue(value)}`, depth);
                }
            }
            const all = semantics.fire(state);
            const firings = all.filter(firing => firing.isOpen !== true);
            const targets: string[] = [];
            for (const { successor, fault } of firings) {
                if (fault === 'outside') {
                    outside++;
                    continue;
                }
                if (successor === undefined) {
                    faultyFirings++;
                    faults.add(fault!);
                    found(`fault ${fault!}`, depth);
                    continue;
                }
                transitions++;
                const successorKey = key(successor);
                targets.push(successorKey);
                if (!discovered.has(successorKey)) {
                    discovered.add(successorKey);
                    following.push(successor);
                }
            }
            if (firings.length === 0 && !semantics.allMayStop(state)) {
                deadlocks.push(key(state));
                if (!model.allowsDeadlock) {
                    found('deadlock', depth);
                }
            }
            isOpen ||= all.some(firing => firing.isOpen === true && !faults.has(firing.fault as Fault));
            states.set(key(state), { state, depth, successors: new Set(targets), firings: targets, faults, violated });
        }
        frontier = following;
    }
    return { initial, states, transitions, faultyFirings, outside, deadlocks, isOpen, violations };
}
