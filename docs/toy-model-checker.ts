/**
 * A model checker in a hundred lines: what Orbit does when it explores, without anything that makes it fast.
 *
 *     initial states ── seen ── frontier ── successors ── representatives ── seen ── …
 *
 * Breadth first, so a trace to what is found is a shortest one. With symmetries one state is kept of each orbit, the least
 * image of its states; what the trace shows are states of the system nevertheless, for symmetries are undone on the way.
 *
 * test/documentation/toy-model-checker.test.ts compares its numbers with those of the engine.
 */

/** The values of the variables, in a fixed order. */
export type State = readonly number[];

export interface System {
    readonly initial: readonly State[];
    /** The steps that are possible in a state. */
    readonly successors: (state: State) => readonly { readonly label: string; readonly state: State }[];
    readonly invariant: (state: State) => boolean;
    /**
     * All elements of a group of symmetries, the identity among them: each maps initial states to initial states, steps to
     * steps, and keeps the truth of the invariant.
     */
    readonly symmetries: readonly ((state: State) => State)[];
}

export interface Report {
    /** States, or orbits where there are symmetries. */
    readonly states: number;
    readonly transitions: number;
    readonly depth: number;
    readonly deadlocks: number;
    /** A shortest run to a state in which the invariant does not hold or nothing can happen. */
    readonly trace: readonly { readonly label: string; readonly state: State }[] | undefined;
}

/** A state that was seen, and how. */
interface Seen {
    readonly state: State;
    readonly parent: Seen | undefined;
    readonly depth: number;
}

export function check(system: System): Report {
    const seen = new Map<string, Seen>();
    /** The states seen, in the order in which they were; those behind the one that is expanded are the frontier. */
    const queue: Seen[] = [];
    let transitions = 0;
    let deadlocks = 0;
    let found: Seen | undefined;
    const visit = (state: State, parent: Seen | undefined): void => {
        const representative = leastImage(state, system);
        const key = representative.join();
        if (!seen.has(key)) {
            const entry = { state: representative, parent, depth: parent === undefined ? 0 : parent.depth + 1 };
            seen.set(key, entry);
            queue.push(entry);
            found ??= system.invariant(representative) ? undefined : entry;
        }
    };
    for (const state of system.initial) {
        visit(state, undefined);
    }
    // A queue that grows while it is walked through.
    for (const entry of queue) {
        const successors = system.successors(entry.state);
        for (const { state } of successors) {
            transitions++;
            visit(state, entry);
        }
        if (successors.length === 0) {
            deadlocks++;
            found ??= entry;
        }
    }
    return {
        states: queue.length,
        transitions,
        depth: queue.at(-1)?.depth ?? 0,
        deadlocks,
        trace: found && traceTo(found, system),
    };
}

/** The least of the images of a state, compared value by value: the same for all states of an orbit. */
function leastImage(state: State, { symmetries }: System): State {
    return symmetries.map(symmetry => symmetry(state)).reduce((one, other) => (isLess(other, one) ? other : one));
}

function isLess(one: State, other: State): boolean {
    const index = one.findIndex((value, position) => value !== other[position]);
    return index >= 0 && (one[index] ?? 0) < (other[index] ?? 0);
}

/**
 * A run of the system. From the state it has come to some step leads into the orbit of the next representative: to where the
 * symmetry that maps the last representative to the state maps the step between the representatives.
 */
function traceTo(last: Seen, system: System): { label: string; state: State }[] {
    const representatives: State[] = [];
    for (let entry: Seen | undefined = last; entry !== undefined; entry = entry.parent) {
        representatives.unshift(entry.state);
    }
    const [first = [], ...rest] = representatives;
    const trace = [{ label: 'initial', state: first }];
    let state = first;
    for (const representative of rest) {
        const step = system
            .successors(state)
            .find(successor => leastImage(successor.state, system).join() === representative.join());
        if (step === undefined) {
            throw new Error('these are not symmetries of the system');
        }
        trace.push(step);
        state = step.state;
    }
    return trace;
}
