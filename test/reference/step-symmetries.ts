/** Counts the symmetries of a small system by trial: of all steps together, and of its summands, as a detection can. */
import { domainSize } from '../../engine/model/domain.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { allStates, candidates, initialStatesOf, outcomesOfSummands } from './literal-symmetries.js';

export interface SymmetryCounts {
    /** Of the relation between states, whatever summand a step is of. */
    readonly ofSteps: number;
    /** Of the set of the summands' relations; of equal ones there is one. */
    readonly ofSummands: number;
}

/** For systems without "no value" in which every value of every cell may occur. Time: permutations times steps. */
export function countSymmetries(model: SequentialModel): SymmetryCounts {
    const weights: number[] = [];
    let stateCount = 1;
    for (let cell = model.cells.length - 1; cell >= 0; cell--) {
        weights[cell] = stateCount;
        stateCount *= domainSize(model.cells[cell]!.domain);
    }
    const numberOf = (state: readonly number[]): number =>
        state.reduce((number, code, cell) => number + code * weights[cell]!, 0);
    const states = allStates(model);
    const isInitial = new Set(initialStatesOf(model).map(numberOf));
    /** What a summand does, as `from * width + to`; a fault is a number beyond the states. */
    const faults: string[] = [];
    const width = stateCount + 16;
    const relations = new Map<number, number[]>();
    for (const state of states) {
        for (const { summand, outcome } of outcomesOfSummands(model, state)) {
            if (typeof outcome === 'string' && !faults.includes(outcome)) {
                faults.push(outcome);
            }
            const to = typeof outcome === 'string' ? stateCount + faults.indexOf(outcome) : numberOf(outcome);
            const relation = relations.get(summand) ?? [];
            relations.set(summand, [...relation, numberOf(state) * width + to]);
        }
    }
    const keyOf = (relation: readonly number[]): string => [...new Set(relation)].sort((a, b) => a - b).join(' ');
    const steps = new Set([...relations.values()].flat());
    const summands = new Set([...relations.values()].map(keyOf));
    let ofSteps = 0;
    let ofSummands = 0;
    for (const { target, codes } of candidates(model)) {
        const image = states.map(state =>
            state.reduce((number, code, cell) => number + codes[cell]![code]! * weights[target[cell]!]!, 0),
        );
        const stepImage = (step: number): number => {
            const from = Math.floor(step / width);
            const to = step % width;
            return image[from]! * width + (to < stateCount ? image[to]! : to);
        };
        if (![...isInitial].every(state => isInitial.has(image[state]!))) {
            continue;
        }
        if (every(steps, step => steps.has(stepImage(step)))) {
            ofSteps++;
            if ([...relations.values()].every(relation => summands.has(keyOf(relation.map(stepImage))))) {
                ofSummands++;
            }
        }
    }
    return { ofSteps, ofSummands };
}

function every<T>(items: Iterable<T>, holds: (item: T) => boolean): boolean {
    for (const item of items) {
        if (!holds(item)) {
            return false;
        }
    }
    return true;
}
