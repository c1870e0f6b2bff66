/**
 * Numbers without end from the definition: states with the numbers themselves, and the classes in which distances from a
 * bound on are one. A text with `nat` is read with a bound that no state asked for comes near.
 */
import { catchFault, interpret, type Semantics, type State } from './interpreter.js';
import { parseModel } from './parse.js';
import { specialize } from './specialize.js';
import { type Cell, formatValue, type Value } from './values.js';

/** Places whose numbers meet, and what is kept of them. */
export interface Sort {
    readonly places: readonly Cell[];
    /** Whether 0 is one of the numbers. */
    readonly told: boolean;
    /** From here on distances are one, but for their rests. */
    readonly kept: number;
    readonly modulus: number;
}

/** The text with a bound in the place of no bound; everything else stands where it stood. */
export function bounded(text: string, high: number): string {
    return `${text.replaceAll(/\bnat\b/g, 'Nat')}\ntype Nat = 0 .. ${high}\n`;
}

export function withBound(text: string, high: number): Semantics {
    return interpret(specialize(parseModel(bounded(text, high)), new Map()));
}

export interface NearStates {
    readonly states: readonly State[];
    /** `deadlock`, `invariant NAME`, `fault KIND`, of these states. */
    readonly violated: ReadonlySet<string>;
}

/** The states that are reached with numbers up to a bound alone; undefined if there are more than `most`. */
export function statesUpTo(semantics: Semantics, bound: number, most: number): NearStates | undefined {
    const states = [...(semantics.initialStates() ?? [])];
    const seen = new Set(states.map(semantics.key));
    const violated = new Set<string>();
    for (let next = 0; next < states.length; next++) {
        const state = states[next]!;
        violationsIn(semantics, state).forEach(each => violated.add(each));
        for (const { successor } of semantics.fire(state)) {
            if (successor !== undefined && isWithin(successor, bound) && !seen.has(semantics.key(successor))) {
                seen.add(semantics.key(successor));
                states.push(successor);
            }
        }
        if (states.length > most) {
            return undefined;
        }
    }
    return { states, violated };
}

function isWithin(state: State, bound: number): boolean {
    return [...state.values()].every(value => typeof value !== 'number' || value <= bound);
}

/** What a real state violates, faults of its steps among it. */
export function violationsIn(semantics: Semantics, state: State): readonly string[] {
    const { model } = semantics;
    const ofInvariants = model.invariants.flatMap(({ name, condition }) => {
        const value = catchFault(() => semantics.evaluate(condition, state));
        return value === true ? [] : [value === false ? `invariant ${name}` : `fault ${formatValue(value)}`];
    });
    const firings = semantics.fire(state);
    const faults = firings.flatMap(({ fault }) =>
        fault === undefined || fault === 'outside' ? [] : [`fault ${fault}`],
    );
    const isStuck = firings.length === 0 && !model.allowsDeadlock && !semantics.allMayStop(state);
    return [...ofInvariants, ...faults, ...(isStuck ? ['deadlock deadlock'] : [])];
}

function numberAt(state: State, place: Cell): number | undefined {
    const value: Value | undefined = state.get(place);
    return typeof value === 'number' ? value : undefined;
}

/** The numbers of a sort, ascending. */
function numbersIn(state: State, { places, told }: Sort): readonly number[] {
    const all = places.flatMap(place => numberAt(state, place) ?? []);
    return [...new Set([...(told ? [0] : []), ...all])].sort((one, other) => one - other);
}

/** A text that is the same for the states of one class alone. */
export function classOf(state: State, sorts: readonly Sort[]): string {
    const texts = new Map([...state].map(([cell, value]) => [cell, formatValue(value)]));
    for (const sort of sorts) {
        const { kept, modulus } = sort;
        const numbers = numbersIn(state, sort);
        for (const place of sort.places) {
            const own = numberAt(state, place);
            if (own === undefined) {
                continue;
            }
            // The chain from the least number up to this one, link by link.
            const chain = numbers.filter(number => number <= own);
            const links = chain.slice(1).map((number, index) => {
                const distance = number - chain[index]!;
                return distance < kept ? `${distance}` : `long${modulus === 1 ? '' : ` of ${distance % modulus}`}`;
            });
            texts.set(place, `[${modulus === 1 ? '' : `${numbers[0]! % modulus}: `}${links.join(' ')}]`);
        }
    }
    return [...texts]
        .map(([cell, text]) => `${cell} = ${text}`)
        .sort()
        .join('\n');
}

/** A state of the same class: long distances get longer, and a sort without 0 moves. */
export function stretched(state: State, sorts: readonly Sort[], more: () => number): State {
    const other = new Map(state);
    for (const sort of sorts) {
        const { places, told, kept, modulus } = sort;
        let added = told ? 0 : more() * modulus;
        numbersIn(state, sort).forEach((number, index, numbers) => {
            added += index > 0 && number - numbers[index - 1]! >= kept ? more() * modulus : 0;
            places
                .filter(place => numberAt(state, place) === number)
                .forEach(place => other.set(place, number + added));
        });
    }
    return other;
}
