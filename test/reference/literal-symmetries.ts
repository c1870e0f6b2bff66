/** The symmetries of a small sequential model by definition: all permutations of literals that map cells onto cells. */
import { domainSize } from '../../engine/model/domain.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { interpretedSuccessors, type Successors } from '../../engine/explore/successors.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import type { RunnableModel } from '../../engine/symmetry/certify.js';

/** `target[cell]` and `codes[cell][code]`: where a cell goes, and what becomes of its codes. */
export interface LiteralSymmetry {
    readonly target: readonly number[];
    readonly codes: readonly (readonly number[])[];
}

const interpreters = new WeakMap<SequentialModel, Successors>();

/** A state as codes, or the kind of a fault. */
export interface SummandOutcome {
    readonly summand: number;
    readonly outcome: readonly number[] | string;
}

export function outcomesOfSummands(model: SequentialModel, state: readonly number[]): SummandOutcome[] {
    const outcomes: SummandOutcome[] = [];
    let successors = interpreters.get(model);
    if (successors === undefined) {
        successors = interpretedSuccessors(model);
        interpreters.set(model, successors);
    }
    successors.forEachFiring(Int32Array.from(state), {
        fired: (summand, successor) => outcomes.push({ summand, outcome: [...successor] }) > 0,
        faulted: (summand, fault) => outcomes.push({ summand, outcome: fault.kind }) > 0,
    });
    return outcomes;
}

export function outcomesOf(model: SequentialModel, state: readonly number[]): Set<string> {
    return new Set(outcomesOfSummands(model, state).map(({ outcome }) => String(outcome)));
}

export function initialStatesOf(model: SequentialModel): number[][] {
    const cursor = new InitialStates(model);
    const states: number[][] = [];
    const state = new Int32Array(model.cells.length);
    while (cursor.nextInto(state)) {
        states.push([...state]);
    }
    return states;
}

/** The model as the check of generators runs it; any cell may be written, and there are no other initial states. */
export function runnableByDefinition(model: SequentialModel): RunnableModel {
    return {
        forEachOutcome(state, visitor) {
            for (const outcome of outcomesOf(model, [...state])) {
                if (/^-?\d/.test(outcome)) {
                    visitor.stepped(Int32Array.from(outcome.split(','), Number), [...state.keys()]);
                } else {
                    visitor.faulted(outcome);
                }
            }
        },
        initialStates: () => ({ states: initialStatesOf(model).map(state => Int32Array.from(state)), complete: true }),
    };
}

/** Every assignment of codes to the cells, "no value" included where a cell may have none. */
export function allStates(model: SequentialModel): number[][] {
    return product(
        model.cells.map(cell => [
            ...(cell.mayBeAbsent ? [-1] : []),
            ...Array.from({ length: domainSize(cell.domain) }, (_, code) => code),
        ]),
    );
}

export function symmetriesByDefinition(model: SequentialModel): LiteralSymmetry[] {
    const states = allStates(model);
    const initial = new Set(initialStatesOf(model).map(String));
    const outcomes = new Map(states.map(state => [String(state), outcomesOf(model, state)]));
    return candidates(model).filter(symmetry =>
        states.every(state => {
            const image = apply(symmetry, state);
            if (initial.has(String(state)) !== initial.has(String(image))) {
                return false;
            }
            const here = outcomes.get(String(state)) ?? new Set();
            const there = outcomes.get(String(image)) ?? new Set();
            return (
                here.size === there.size &&
                [...here].every(outcome => {
                    const isState = /^-?\d/.test(outcome);
                    return there.has(isState ? String(apply(symmetry, outcome.split(',').map(Number))) : outcome);
                })
            );
        }),
    );
}

function apply({ target, codes }: LiteralSymmetry, state: readonly number[]): number[] {
    const image = new Array<number>(state.length).fill(0);
    state.forEach((code, cell) => {
        image[target[cell] ?? 0] = code < 0 ? code : (codes[cell]?.[code] ?? 0);
    });
    return image;
}

export function candidates(model: SequentialModel): LiteralSymmetry[] {
    const { cells } = model;
    const targets = permutations(cells.map((_, cell) => cell)).filter(target =>
        target.every(
            (to, from) =>
                domainSize(cells[to]!.domain) === domainSize(cells[from]!.domain) &&
                cells[to]!.mayBeAbsent === cells[from]!.mayBeAbsent,
        ),
    );
    const bijections = product(
        cells.map(cell => permutations(Array.from({ length: domainSize(cell.domain) }, (_, code) => code))),
    );
    return targets.flatMap(target => bijections.map(codes => ({ target, codes })));
}

function permutations(items: readonly number[]): number[][] {
    return items.length === 0
        ? [[]]
        : items.flatMap((item, index) =>
              permutations(items.filter((_, other) => other !== index)).map(rest => [item, ...rest]),
          );
}

function product<T>(sets: readonly (readonly T[])[]): T[][] {
    return sets.reduce<T[][]>((tuples, set) => tuples.flatMap(tuple => set.map(item => [...tuple, item])), [[]]);
}
