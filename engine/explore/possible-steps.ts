/**
 * Step by step through a model: the steps that can be taken in a state, and a shortest way to a step of a wanted name.
 * A state comes as the values that a trace shows, since a reader may stand at any state of any trace.
 */
import { remembered } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import { NO_VALUE } from '../model/domain.js';
import type { Cell, SequentialModel } from '../sequential/sequential-model.js';
import { codeOfText, copiesOfElements, readPartsInto, shownName, writtenWith } from '../sequential/split-values.js';
import { InitialStates } from './initial/initial-states.js';
import {
    inSlots,
    type InstanceNames,
    instancesNamedIn,
    namesAtFirst,
    namesOfInstances,
    slotsIn,
    type Standing,
} from './instance-names.js';
import { DEADLOCK, Properties, type Finding } from './properties.js';
import { interpretedSuccessors } from './successors.js';
import { describeStep } from './trace.js';
import { changedNames, countersOfValues, formatState } from '../describe/shown-state.js';
import type { TraceEntry, TraceValue } from './verdict.js';

/** A step from a state, or an initial state. */
export interface PossibleStep {
    readonly entry: TraceEntry;
    /** The violations in the state after it. */
    readonly findings: readonly Finding[];
}

type Values = Readonly<Record<string, TraceValue>>;

/** By template the greatest number of an instance in the run to a state, if the state does not name it. */
type Created = Readonly<Record<string, number>>;

/** More initial states, or steps of one state, are not listed. */
const MOST_STEPS = 200;
/** More states are not looked at on the way to a step. */
const MOST_STATES = 200_000;

/** The steps of a state in the order of the text, at most 200; the initial states if no state is given. */
export function possibleSteps(
    model: SequentialModel,
    values: Values | undefined,
    created: Created = {},
): readonly PossibleStep[] | undefined {
    const properties = new Properties(model, undefined);
    if (values === undefined) {
        return initialStates(model, MOST_STEPS).map(state => ({
            entry: { step: null, state: formatState(model, state, namesAtFirst(model, state)), changed: [] },
            findings: findingsIn(model, properties, state),
        }));
    }
    const from = standingIn(model, values, created);
    if (from === undefined) {
        return undefined;
    }
    const { state, names } = from;
    const before = formatState(model, state, names);
    const steps: PossibleStep[] = [];
    interpretedSuccessors(model).forEachFiring(state, {
        fired: (summand, successor) => {
            const after = successor.slice();
            steps.push({
                entry: entryOf(model, from, summand, after),
                findings: findingsIn(model, properties, after),
            });
            return steps.length < MOST_STEPS;
        },
        faulted: (summand, { kind, range }) => {
            if (kind === 'outside') {
                return true;
            }
            const entry = { step: describeStep(model, summand, names), state: before, changed: [], fault: kind };
            steps.push({ entry, findings: [{ kind: 'fault', name: kind, range }] });
            return steps.length < MOST_STEPS;
        },
    });
    return steps;
}

/** The state with these values, and the names of its instances; undefined if the model has no such state. */
export function standingIn(model: SequentialModel, values: Values, created: Created = {}): Standing | undefined {
    const state = stateOf(model, values);
    return state && { state, names: namesOfInstances(model, instancesNamedIn(model, values), state, created) };
}

/**
 * The entries of a shortest way from a state to a step with this name, that step included. `label` is a label or
 * process, or both as a trace has them. Undefined if no way was found within the limits.
 */
export function shortestWay(
    model: SequentialModel,
    values: Values,
    label: string,
    workLimit: WorkLimit,
    created: Created = {},
): readonly TraceEntry[] | undefined {
    const { state: start, names: firstNames } = standingIn(model, values, created) ?? {};
    if (start === undefined) {
        return undefined;
    }
    const areNamed = (names: InstanceNames | undefined): boolean[] =>
        model.summands.map((_, summand) => isNamed(describeStep(model, summand, names), label));
    const isWantedAtFirst = areNamed(firstNames);
    const found: Found[] = [{ state: start, names: firstNames, from: -1, summand: -1 }];
    const known = new Set([start.join()]);
    const successors = interpretedSuccessors(model);
    let last: number | undefined;
    for (let from = 0; from < found.length && found.length < MOST_STATES && !workLimit.isExhausted(); from++) {
        const { state, names } = found[from];
        // Names of instances are those along the way.
        const isWanted = names === undefined ? isWantedAtFirst : areNamed(names);
        successors.forEachFiring(state, {
            fired: (summand, successor) => {
                const key = successor.join();
                if (isWanted[summand] || !known.has(key)) {
                    known.add(key);
                    const after = successor.slice();
                    found.push({ state: after, names: names?.next(state, after), from, summand });
                    last = isWanted[summand] ? found.length - 1 : undefined;
                }
                return last === undefined;
            },
            faulted: () => true,
        });
        if (last !== undefined) {
            break;
        }
    }
    const way: TraceEntry[] = [];
    for (let at = last; at !== undefined && at > 0; at = found[at].from) {
        const { state, from, summand } = found[at];
        way.unshift(entryOf(model, found[from], summand, state));
    }
    return last === undefined ? undefined : way;
}

interface Found extends Standing {
    readonly state: Int32Array;
    readonly from: number;
    readonly summand: number;
}

function isNamed({ process, label }: { readonly process: string; readonly label: string }, wanted: string): boolean {
    const names = process.split(' & ');
    return [label, ...names, ...names.map(name => `${name} ${label}`), `${process} ${label}`].includes(wanted);
}

function initialStates(model: SequentialModel, most: number): readonly Int32Array[] {
    const states: Int32Array[] = [];
    const cursor = new InitialStates(model);
    const state = new Int32Array(model.cells.length);
    while (states.length < most && cursor.nextInto(state)) {
        states.push(state.slice());
    }
    return states;
}

function entryOf(model: SequentialModel, from: Standing, summand: number, after: Int32Array): TraceEntry {
    const before = formatState(model, from.state, from.names);
    const state = formatState(model, after, from.names?.next(from.state, after));
    return { step: describeStep(model, summand, from.names), state, changed: changedNames(model, before, state) };
}

function findingsIn(model: SequentialModel, properties: Properties, state: Int32Array): readonly Finding[] {
    const findings: Finding[] = [];
    const report = (finding: Finding): void => void findings.push(finding);
    properties.checkState(state, report);
    let canMove = false;
    const stop = (): boolean => {
        canMove = true;
        return false;
    };
    interpretedSuccessors(model).forEachFiring(state, { fired: stop, faulted: stop });
    if (!canMove && properties.isDeadlock(state, report) && properties.checksDeadlock) {
        report(DEADLOCK);
    }
    return findings;
}

/**
 * The state with these values, undefined if the model has none. Locals of two blocks may share a name, and only one of
 * them has the value: the first of the choices that the steps of the state can read.
 */
function stateOf(model: SequentialModel, given: Values): Int32Array | undefined {
    const values = elementByElement(model, model.templates === undefined ? given : bySlots(model, given));
    if (values === undefined) {
        return undefined;
    }
    const state = new Int32Array(model.cells.length).fill(NO_VALUE);
    // No state shows these, and no step moves them.
    const hidden = countersOfValues(model);
    const [start] = hidden.size === 0 ? [] : initialStates(model, 1);
    const shared = new Map<string, number[]>();
    for (const [cell, { domain, mayBeAbsent, within, format }] of model.cells.entries()) {
        const name = nameInTrace(model.cells[cell]);
        if (hidden.has(cell)) {
            state[cell] = start?.[cell] ?? NO_VALUE;
            continue;
        }
        if (within !== undefined && writtenWith(cell, model.cells, state) !== undefined) {
            continue;
        }
        const value = values[name];
        if (format !== undefined && value !== undefined && !shared.has(name)) {
            if (!readPartsInto(state, format, String(value), model.cells)) {
                return undefined;
            }
            shared.set(name, []);
            continue;
        }
        const code = value === undefined ? NO_VALUE : codeOfText(domain, String(value));
        if (code === undefined || (code === NO_VALUE && !mayBeAbsent)) {
            return undefined;
        }
        const cells = shared.get(name) ?? [];
        shared.set(name, [...cells, cell]);
        state[cell] = cells.length === 0 ? code : NO_VALUE;
    }
    const known = new Set(model.cells.map(nameInTrace));
    if (Object.keys(values).some(name => !known.has(name))) {
        return undefined;
    }
    for (const cells of shared.values()) {
        placeShared(model, state, cells);
    }
    return state;
}

/** Elements of sets have names of their own here (`elementByElement`). */
function nameInTrace(cell: Cell): string {
    return cell.member === undefined ? shownName(cell) : cell.name;
}

/** With the truth or the count of each value in place of the text of a set or a bag; undefined if a text has other ones. */
function elementByElement(model: SequentialModel, values: Values): Values | undefined {
    const sets = new Map<string, Map<string, number>>();
    const elements: [string, boolean | number][] = [];
    for (const { name, domain, member } of model.cells) {
        const text = member && values[member.set];
        if (member !== undefined && text !== undefined) {
            // A text that is no set has an element that is none.
            const left = remembered(sets, member.set, () => new Map(copiesOfElements(String(text)) ?? [['', 1]]));
            const copies = left.get(member.element) ?? 0;
            left.delete(member.element);
            elements.push([name, domain.kind === 'boolean' ? copies > 0 : copies]);
        }
    }
    const others = Object.entries(values).filter(([name]) => !sets.has(name));
    return [...sets.values()].some(({ size }) => size > 0) ? undefined : Object.fromEntries([...others, ...elements]);
}

/** With the names of slots for those of instances; a slot without values is one without an instance, as at first. */
function bySlots(model: SequentialModel, values: Values): Values {
    const named = instancesNamedIn(model, values);
    const renamed = Object.entries(values).map(([name, value]): [string, TraceValue] => [
        inSlots(name, named),
        typeof value === 'string' ? inSlots(value, named) : value,
    ]);
    const [first] = initialStates(model, 1);
    const atFirst = Object.entries(first === undefined ? {} : formatState(model, first));
    const free = atFirst.filter(([name]) => slotsIn(name).length > 0);
    return { ...Object.fromEntries(free), ...Object.fromEntries(renamed) };
}

/** Gives the one value of several cells to the first of them with which no step reads a cell without a value. */
function placeShared(model: SequentialModel, state: Int32Array, cells: readonly number[]): void {
    const [first, ...others] = cells;
    const code = first === undefined ? NO_VALUE : state[first];
    if (first === undefined || others.length === 0 || code === NO_VALUE) {
        return;
    }
    const choices = cells.filter(cell => {
        cells.forEach(other => (state[other] = other === cell ? code : NO_VALUE));
        let isReadable = true;
        interpretedSuccessors(model).forEachFiring(state, {
            fired: () => true,
            faulted: (_, { kind }) => (isReadable = kind !== 'undefined'),
        });
        return isReadable;
    });
    const chosen = choices[0] ?? first;
    cells.forEach(cell => (state[cell] = cell === chosen ? code : NO_VALUE));
}
