/** A search that takes some of the possible steps of each state (stubborn.ts), and counts how many there were. */
import type { SequentialModel } from '../sequential/sequential-model.js';
import { type CheckedConditions, isIn, type StepRelations, type SummandSet } from '../sequential/step-relations.js';
import { DISABLED, FAULTS, FIRES, LEAVES, type StubbornMode, StubbornSets } from './stubborn.js';
import type { Successors } from './successors.js';

/** `auto` begins as `shortest`, and takes all steps once it is known that this gains too little. */
export type PartialOrder = StubbornMode | 'auto';

/** `auto` goes on if the search ends within so many states, */
const FEW_STATES = 20_000;
/** or if at most one of so many possible steps was taken. */
const WORTHWHILE_SHARE = 3;

/** What a choice needs. */
export interface StepSelection {
    readonly relations: StepRelations;
    readonly checked: CheckedConditions;
    readonly mode: PartialOrder;
}

/** Counted over the states that were expanded. */
export interface SelectionCounts {
    fired: number;
    enabled: number;
    /** `auto` has given up. */
    isOff: boolean;
}

export class SelectedSuccessors implements Successors {
    readonly counts: SelectionCounts = { fired: 0, enabled: 0, isOff: false };
    readonly #all: Successors;
    readonly #mode: PartialOrder;
    readonly #sets: StubbornSets;
    /** By summand what it does in the present state. */
    readonly #outcomes: Uint8Array;

    constructor(model: SequentialModel, all: Successors, { relations, checked, mode }: StepSelection) {
        this.#all = all;
        this.#mode = mode;
        this.#sets = new StubbornSets(model, relations, checked, mode === 'fewest' ? 'fewest' : 'shortest');
        this.#outcomes = new Uint8Array(relations.summandCount);
    }

    forEachFiring(...[state, visitor]: Parameters<Successors['forEachFiring']>): void {
        const chosen = this.counts.isOff ? undefined : this.#chosenIn(state);
        const visits = (summand: number): boolean => chosen === undefined || isIn(chosen, summand);
        this.#all.forEachFiring(state, {
            fired: (summand, ...successor) => !visits(summand) || visitor.fired(summand, ...successor),
            // A fault is a goal that is reached here, whatever else is to be done.
            faulted: (summand, fault) =>
                (fault.kind === 'outside' && !visits(summand)) || visitor.faulted(summand, fault),
        });
    }

    /** To be called when all states of a level have been expanded. */
    levelEnds(stateCount: number): void {
        const { fired, enabled } = this.counts;
        if (this.#mode === 'auto' && stateCount >= FEW_STATES && WORTHWHILE_SHARE * fired > enabled) {
            this.counts.isOff = true;
        }
    }

    #chosenIn(state: Readonly<Int32Array>): SummandSet | undefined {
        const outcomes = this.#outcomes.fill(DISABLED);
        this.#all.forEachFiring(state, {
            fired: summand => {
                outcomes[summand] = FIRES;
                return true;
            },
            faulted: (summand, { kind }) => {
                outcomes[summand] = kind === 'outside' ? LEAVES : FAULTS;
                return true;
            },
        });
        const chosen = this.#sets.choose(state, outcomes);
        outcomes.forEach((outcome, summand) => {
            const isPossible = outcome === FIRES || outcome === FAULTS ? 1 : 0;
            this.counts.enabled += isPossible;
            this.counts.fired += chosen === undefined || isIn(chosen, summand) ? isPossible : 0;
        });
        return chosen;
    }
}
