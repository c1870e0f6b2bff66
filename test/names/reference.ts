/**
 * The classes of a small model with values without end, by brute force: values are numbers that the run has never had, and
 * states are one that differ by a renaming. It reads the data of random-text.ts and shares nothing with the engine.
 */
import {
    MOST_IN_SEQUENCE,
    type Alternative,
    type NamesModel,
    type NumberTest,
    type Process,
    type Statement,
    type Step,
    type Term,
    type Test,
} from './random-text.js';

/** `#0` and so on are named, other values are numbers in text. */
type Value = string;

/** The place of each process, the variables, and the contents of the sequence and the channel. */
interface State {
    readonly places: ReadonlyMap<string, number>;
    readonly variables: ReadonlyMap<string, Value>;
    readonly numbers: ReadonlyMap<string, number>;
    readonly sequence: readonly Value[];
    readonly channel: readonly Value[];
}

/** A state of each class, the first of them at the start, and the firings between classes. */
export interface ClassGraph {
    readonly states: readonly State[];
    readonly firings: readonly { readonly from: number; readonly to: number; readonly labels: readonly string[] }[];
}

export interface Result {
    readonly graph: ClassGraph;
    readonly classes: number;
    /** Firings with a successor, of one state of each class. */
    readonly transitions: number;
    readonly deadlocks: number;
    readonly isFaulty: boolean;
    readonly isViolated: boolean;
    /** The most values in one state, with those that have a name. */
    readonly mostNamed: number;
}

/** A place of a process: the head of its loop, 0, or before the second step of an alternative, 1 and on. */
const HEAD = 0;

const MOST_VALUES = 6;

class AssertionFails extends Error {}

/**
 * Undefined where there are more classes than `limit`, or too many values for all renamings. Local variables in `named` are
 * read by a property. Numbers count by their distances: states with longer ones than `mostDistance` are left out.
 */
export function referenceOf(
    model: NamesModel,
    limit: number,
    named: ReadonlySet<string> = new Set(),
    mostDistance = Infinity,
): Result | undefined {
    const live = new Map(
        model.processes.map(process => [
            process.name,
            liveAt(process).map(variables => (named.has(process.local) ? variables.add(process.local) : variables)),
        ]),
    );
    const first: State = {
        places: new Map(model.processes.map(({ name }) => [name, HEAD])),
        variables: new Map([
            ...model.shared,
            ...model.processes.flatMap(({ name, local }) =>
                live.get(name)![HEAD]!.has(local) ? [[local, 'none'] as const] : [],
            ),
        ]),
        numbers: new Map((model.numbers ?? []).map(name => [name, 0])),
        sequence: [],
        channel: [],
    };
    const seen = new Map<string, number>();
    const states: State[] = [];
    let mostNamed = 0;
    const reach = (state: State): number | undefined => {
        const values = numbersIn(state);
        mostNamed = Math.max(mostNamed, model.named + values.length);
        if (values.length > MOST_VALUES) {
            return undefined;
        }
        const key = leastText(state, values);
        const number = seen.get(key) ?? states.length;
        if (number === states.length) {
            seen.set(key, number);
            states.push(state);
        }
        return number;
    };
    reach(first);
    const edges: ClassGraph['firings'][number][] = [];
    let deadlocks = 0;
    let [isFaulty, isViolated] = [false, false];
    for (const [from, state] of states.entries()) {
        if (states.length > limit) {
            return undefined;
        }
        isViolated ||= !holds(model.invariant, state.variables);
        const { successors, faults } = firings(model, state, live);
        deadlocks += successors.length + faults === 0 ? 1 : 0;
        isFaulty ||= faults > 0;
        const near = successors.filter(({ state: { numbers } }) => extentOf(numbers) <= mostDistance);
        for (const { state: next, labels } of near) {
            const to = reach(next);
            if (to === undefined) {
                return undefined;
            }
            edges.push({ from, to, labels });
        }
    }
    const graph = { states, firings: edges };
    return { graph, classes: seen.size, transitions: edges.length, deadlocks, isFaulty, isViolated, mostNamed };
}

/** By place the variables of the process that may be read before they are written. */
function liveAt({ local, alternatives }: Process): Set<string>[] {
    const live: Set<string>[] = Array.from({ length: 1 + alternatives.length }, () => new Set());
    const own = (variable: string): boolean =>
        variable === local || alternatives.some(a => a.chosen.includes(variable));
    const before = (step: Step, after: ReadonlySet<string>): string[] => {
        const { reads, writes } = accesses(step);
        return [...reads, ...[...after].filter(variable => !writes.has(variable))].filter(own);
    };
    for (let size = -1; size !== live.reduce((sum, each) => sum + each.size, 0);) {
        size = live.reduce((sum, each) => sum + each.size, 0);
        alternatives.forEach((alternative, index) => {
            const [one, two] = alternative.steps;
            const between = live[1 + index]!;
            if (two !== undefined) {
                before(two, live[HEAD]!).forEach(variable => between.add(variable));
            }
            const after = two === undefined ? live[HEAD]! : between;
            [...before(one!, after), ...alternative.where.flatMap(readBy)]
                .filter(variable => own(variable) && !alternative.chosen.includes(variable))
                .forEach(variable => live[HEAD]!.add(variable));
        });
    }
    return live;
}

function readBy({ left, right }: Test): Term[] {
    return [left, right];
}

/** What a step reads before it writes it, and what it writes whatever happens. */
function accesses({ guard, send, receive, body }: Step): { reads: Set<string>; writes: Set<string> } {
    const reads = new Set<string>([...guard.flatMap(readBy), ...(send === undefined ? [] : [send])]);
    const writes = new Set<string>(receive === undefined ? [] : [receive]);
    const read = (...terms: readonly Term[]): void => {
        terms.filter(term => !writes.has(term)).forEach(term => reads.add(term));
    };
    const walk = (statement: Statement, isSure: boolean): void => {
        if (statement.kind === 'if') {
            read(...readBy(statement.test));
            statement.then.forEach(inner => {
                walk(inner, false);
            });
            return;
        }
        if (statement.kind === 'assign' || statement.kind === 'append') {
            read(statement.value);
        }
        if (statement.kind === 'assert' || statement.kind === 'assertNumber') {
            read(...readBy(statement.test));
        }
        if (isSure && 'target' in statement) {
            writes.add(statement.target);
        }
    };
    body.forEach(statement => {
        walk(statement, true);
    });
    return { reads, writes };
}

interface Firings {
    readonly successors: { readonly state: State; readonly labels: readonly string[] }[];
    faults: number;
}

/** A step that a process may take, with the values of its choice. */
interface Offer {
    readonly process: Process;
    readonly step: Step;
    readonly target: number;
    readonly variables: ReadonlyMap<string, Value>;
    readonly taken: readonly Value[];
}

function firings(model: NamesModel, state: State, live: ReadonlyMap<string, ReadonlySet<string>[]>): Firings {
    const found: Firings = { successors: [], faults: 0 };
    const offers = model.processes.flatMap(process => offersOf(model, process, state));
    const finish = (
        offer: Offer,
        variables: ReadonlyMap<string, Value>,
        other?: Offer,
        rest?: Partial<State>,
    ): void => {
        const places = new Map(state.places).set(offer.process.name, offer.target);
        if (other !== undefined) {
            places.set(other.process.name, other.target);
        }
        const kept = new Map(
            [...variables].filter(
                ([name]) =>
                    model.shared.has(name) ||
                    model.processes.some(each => live.get(each.name)![places.get(each.name)!]!.has(name)),
            ),
        );
        const labels = [offer, ...(other === undefined ? [] : [other])].map(({ step }) => step.label);
        found.successors.push({ state: { ...state, ...rest, places, variables: kept }, labels });
    };
    for (const offer of offers) {
        const { step, variables } = offer;
        if (step.send !== undefined) {
            const message = valueOf(step.send, variables);
            if (model.capacity > 0) {
                if (state.channel.length < model.capacity) {
                    finish(offer, variables, undefined, { channel: [...state.channel, message] });
                }
                continue;
            }
            for (const other of offers) {
                if (other.step.receive !== undefined && other.process !== offer.process) {
                    const both = new Map([...variables, ...other.variables, [other.step.receive, message]]);
                    finish(offer, both, other);
                }
            }
        } else if (step.receive !== undefined) {
            const [message, ...channel] = state.channel;
            if (message !== undefined) {
                finish(offer, new Map(variables).set(step.receive, message), undefined, { channel });
            }
        } else {
            const inside = new Map(variables);
            const numbers = new Map(state.numbers);
            const sequence = [...state.sequence];
            const fresh = freshValues([...numbersIn(state), ...offer.taken]);
            try {
                step.body.forEach(statement => {
                    run(statement, { variables: inside, numbers, sequence }, fresh);
                });
                finish(offer, inside, undefined, { sequence, numbers });
            } catch (error) {
                if (!(error instanceof AssertionFails)) {
                    throw error;
                }
                found.faults++;
            }
        }
    }
    return found;
}

function offersOf(model: NamesModel, process: Process, state: State): Offer[] {
    const place = state.places.get(process.name)!;
    const isPossible = ({ guard, numberGuard, length }: Step, variables: ReadonlyMap<string, Value>): boolean =>
        guard.every(test => holds(test, variables)) &&
        (numberGuard === undefined || holdsOf(numberGuard, state.numbers)) &&
        (length !== 'some' || state.sequence.length > 0) &&
        (length !== 'room' || state.sequence.length < MOST_IN_SEQUENCE);
    if (place !== HEAD) {
        const step = process.alternatives[place - 1]!.steps[1]!;
        const { variables } = state;
        return isPossible(step, variables) ? [{ process, step, target: HEAD, variables, taken: [] }] : [];
    }
    return process.alternatives.flatMap((alternative, index) => {
        const [step, next] = alternative.steps;
        const target = next === undefined ? HEAD : 1 + index;
        return valuations(model, alternative, state).flatMap(chosen => {
            const variables = new Map([...state.variables, ...chosen]);
            const isMeant = alternative.where.every(test => holds(test, variables));
            return isMeant && isPossible(step!, variables)
                ? [{ process, step: step!, target, variables, taken: [...chosen.values()] }]
                : [];
        });
    });
}

/** Each variable of the choice: a value with a name, one that is held, one that an earlier variable took, or another one. */
function valuations({ named }: NamesModel, { chosen }: Alternative, state: State): Map<string, Value>[] {
    const names = Array.from({ length: named }, (_, number) => `#${number}`);
    return chosen.reduce<Map<string, Value>[]>(
        (before, variable) =>
            before.flatMap(given => {
                const known = [...new Set([...names, ...numbersIn(state), ...given.values()])];
                const other = freshValues(known).next().value;
                return [...known, other].map(value => new Map(given).set(variable, value));
            }),
        [new Map<string, Value>()],
    );
}

function run(
    statement: Statement,
    inside: {
        readonly variables: Map<string, Value>;
        readonly numbers: Map<string, number>;
        readonly sequence: Value[];
    },
    fresh: Generator<Value, never>,
): void {
    const { variables, numbers, sequence } = inside;
    switch (statement.kind) {
        case 'count':
            numbers.set(statement.target, numbers.get(statement.from)! + statement.plus);
            return;
        case 'assertNumber':
            if (holds(statement.test, variables) && !holdsOf(statement.number, numbers)) {
                throw new AssertionFails();
            }
            return;
        case 'assign':
            variables.set(statement.target, valueOf(statement.value, variables));
            return;
        case 'new':
            variables.set(statement.target, fresh.next().value);
            return;
        case 'assert':
            if (!holds(statement.test, variables)) {
                throw new AssertionFails();
            }
            return;
        case 'append':
            sequence.push(valueOf(statement.value, variables));
            return;
        case 'take':
            variables.set(statement.target, sequence.shift()!);
            return;
        case 'if':
            if (holds(statement.test, variables)) {
                statement.then.forEach(inner => {
                    run(inner, inside, fresh);
                });
            }
    }
}

/** Numbers above all these. */
function* freshValues(known: readonly Value[]): Generator<Value, never> {
    for (let next = 1 + Math.max(0, ...known.filter(isNumber).map(Number)); ; next++) {
        yield String(next);
    }
}

function isNumber(value: Value): boolean {
    return /^\d/.test(value);
}

function valueOf(term: Term, variables: ReadonlyMap<string, Value>): Value {
    if (term === 'none' || term.startsWith('#')) {
        return term;
    }
    const value = variables.get(term);
    if (value === undefined) {
        throw new Error(`${term} holds a value where it is read`);
    }
    return value;
}

export function holds({ left, isEqual, right }: Test, variables: ReadonlyMap<string, Value>): boolean {
    return (valueOf(left, variables) === valueOf(right, variables)) === isEqual;
}

function holdsOf({ left, relation, right, plus }: NumberTest, numbers: ReadonlyMap<string, number>): boolean {
    const distance = numbers.get(left)! - numbers.get(right)! - plus;
    switch (relation) {
        case '==':
            return distance === 0;
        case '!=':
            return distance !== 0;
        case '<':
            return distance < 0;
        case '<=':
            return distance <= 0;
    }
}

function extentOf(numbers: ReadonlyMap<string, number>): number {
    return numbers.size === 0 ? 0 : Math.max(...numbers.values()) - Math.min(...numbers.values());
}

function numbersIn({ variables, sequence, channel }: State): Value[] {
    return [...new Set([...variables.values(), ...sequence, ...channel])].filter(isNumber);
}

function leastText(state: State, values: readonly Value[]): string {
    let least: string | undefined;
    for (const order of orders(values)) {
        const named = (value: Value): string => (isNumber(value) ? `n${order.indexOf(value)}` : value);
        const { places, variables, numbers, sequence, channel } = state;
        const lowest = Math.min(...numbers.values());
        const parts = [
            [...numbers].map(([name, number]) => `${name}=${number - lowest}`),
            [...places].map(([name, place]) => `${name}=${place}`),
            [...variables].map(([name, value]) => `${name}=${named(value)}`).sort(),
            sequence.map(named),
            channel.map(named),
        ];
        const text = parts.map(part => part.join()).join(' | ');
        least = least === undefined || text < least ? text : least;
    }
    return least!;
}

function orders(values: readonly Value[]): Value[][] {
    return values.length === 0
        ? [[]]
        : values.flatMap(first => orders(values.filter(other => other !== first)).map(rest => [first, ...rest]));
}
