/** Tests as plain data: what a trace shows of each run, and as scripts for a walk. */
import { changedNames, formatState } from '../describe/shown-state.js';
import { namesAtFirst } from '../explore/instance-names.js';
import { describeStep } from '../explore/trace.js';
import type { TraceValue } from '../explore/verdict.js';
import { formatStep } from '../explore/written-trace.js';
import type { TestRun } from './select-tests.js';
import type { TransitionOrbits } from './transition-orbits.js';

type ShownState = Readonly<Record<string, TraceValue>>;

interface TestStep {
    readonly process: string;
    readonly label: string;
    /** What the step chooses: `i = 2`. */
    readonly choice?: string;
    /** The names whose values the step changes, and those that have a value after it. */
    readonly changed: readonly string[];
    readonly values: ShownState;
}

export interface Test {
    /** `12`, and `12.2` for its second image. */
    readonly name: string;
    readonly initial: ShownState;
    readonly steps: readonly TestStep[];
    /** The orbits of transitions that it takes, by their numbers. */
    readonly covers: readonly number[];
}

export function testOf(orbits: TransitionOrbits, { initial, passings, orbits: covers }: TestRun, name: string): Test {
    const { sequential } = orbits;
    let names = namesAtFirst(sequential, initial);
    const start = formatState(sequential, initial, names);
    let shown = start;
    const steps = passings.map((passing): TestStep => {
        const { before, summand, after } = passing;
        const { process, label, choice } = describeStep(sequential, summand, names);
        names = names?.next(before, after);
        const next = formatState(sequential, after, names);
        const changed = changedNames(sequential, shown, next);
        shown = next;
        return { process, label, ...(choice !== undefined && { choice }), changed, values: valuesOf(next, changed) };
    });
    return { name, initial: start, steps, covers: [...new Set(covers)].sort((one, other) => one - other) };
}

function valuesOf(state: ShownState, names: readonly string[]): ShownState {
    return Object.fromEntries(names.flatMap(name => (name in state ? [[name, state[name]]] : [])));
}

/** The lines of a script that takes the steps, and no others. */
export function scriptOf(orbits: TransitionOrbits, { initial, passings }: TestRun, name: string): string {
    const { sequential } = orbits;
    let names = namesAtFirst(sequential, initial);
    const start = formatState(sequential, initial, names);
    let shown = start;
    const lines = passings.map(({ before, summand, after }) => {
        const step = formatStep(describeStep(sequential, summand, names));
        const isAlone = orbits
            .passingsFrom(before)
            .every(
                other =>
                    formatStep(describeStep(sequential, other.summand, names)) !== step ||
                    other.after.join() === after.join(),
            );
        names = names?.next(before, after);
        const next = formatState(sequential, after, names);
        // Another one may change the same values, and more.
        const told = isAlone ? changedNames(sequential, shown, next) : Object.keys({ ...shown, ...next });
        shown = next;
        return told.length === 0 ? step : `${step} -> ${told.map(each => equation(each, next)).join(', ')}`;
    });
    const places = Object.keys(start);
    const first = places.length === 0 ? [] : [`initial ${places.map(each => equation(each, start)).join(', ')}`];
    return [`// ${name}`, ...first, ...lines, ''].join('\n');
}

function equation(name: string, state: ShownState): string {
    return `${name} = ${name in state ? String(state[name]) : '-'}`;
}
