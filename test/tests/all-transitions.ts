/**
 * All states and transitions of a model one by one, and the orbits of transitions under permutations of members that are
 * given by hand: each is applied to whatever has a member in its name or value.
 */
import { formatState } from '../../engine/describe/shown-state.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { describeStep } from '../../engine/explore/trace.js';
import type { Passing } from '../../engine/tests/path-keys.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';

type State = Readonly<Record<string, string>>;

export interface ShownTransition {
    readonly before: State;
    readonly process: string;
    readonly label: string;
    readonly after: State;
}

/** In a text that a trace shows: the text with each member in the place of its image. */
export type Renaming = (text: string) => string;

function shown(model: SequentialModel, state: Readonly<Int32Array>): State {
    const values = Object.entries(formatState(model, state));
    return Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
}

export function keyOf({ before, process, label, after }: ShownTransition, renaming: Renaming = text => text): string {
    const ofState = (state: State): string =>
        Object.entries(state)
            .map(([name, value]) => renaming(`${name} = ${value}`))
            .sort()
            .join('; ');
    const participants = process.split(' & ').map(renaming).sort().join(' & ');
    return [ofState(before), participants, renaming(label), ofState(after)].join(' | ');
}

export function allTransitions(model: SequentialModel): { readonly states: number; readonly all: ShownTransition[] } {
    const successors = interpretedSuccessors(model);
    const initial = new InitialStates(model);
    const state = new Int32Array(model.cells.length);
    const known = new Set<string>();
    const queue: Int32Array[] = [];
    const add = (found: Readonly<Int32Array>): void => {
        if (!known.has(found.join())) {
            known.add(found.join());
            queue.push(found.slice());
        }
    };
    while (initial.nextInto(state)) {
        add(state);
    }
    const transitions = new Map<string, ShownTransition>();
    for (const before of queue) {
        successors.forEachFiring(before, {
            fired: (summand, after) => {
                add(after);
                const { process, label } = describeStep(model, summand);
                const transition = { before: shown(model, before), process, label, after: shown(model, after) };
                transitions.set(keyOf(transition), transition);
                return true;
            },
            faulted: () => true,
        });
    }
    return { states: queue.length, all: [...transitions.values()] };
}

/** By key of a transition the least key of its orbit. Fails if an image is no transition. */
export function orbitsUnder(
    all: readonly ShownTransition[],
    generators: readonly Renaming[],
): ReadonlyMap<string, string> {
    const byKey = new Map(all.map(transition => [keyOf(transition), transition]));
    const orbits = new Map<string, string>();
    for (const first of byKey.keys()) {
        const reached = orbits.has(first) ? [] : [first];
        for (const key of reached) {
            const transition = byKey.get(key);
            if (transition === undefined) {
                throw new Error(`${key} is no transition of the model`);
            }
            if (!orbits.has(key)) {
                orbits.set(key, first);
                reached.push(...generators.map(renaming => keyOf(transition, renaming)));
            }
        }
    }
    return orbits;
}

export const exchange =
    (one: string, other: string) =>
    (text: string): string =>
        text === one ? other : text === other ? one : text;

/** Each number of a text is a member; elements of sets are in order. */
export const inNumbers =
    (image: (member: string) => string): Renaming =>
    text =>
        text
            .replace(/\d+/g, image)
            .replace(/\{([^}]*)\}/, (_, elements: string) => `{${elements.split(', ').sort().join(', ')}}`);

/** A step of a run, as a trace shows it. */
export function shownPassing(model: SequentialModel, { before, summand, after }: Passing): ShownTransition {
    const { process, label } = describeStep(model, summand);
    return { before: shown(model, before), process, label, after: shown(model, after) };
}
