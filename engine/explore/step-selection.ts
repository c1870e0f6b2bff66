/** A search that takes some of the possible steps of each state (stubborn.ts), and counts how many there were. */
import type { SequentialModel } from '../sequential/sequential-model.js';
import { isIn, type SummandSet } from '../sequential/step-relations.js';
import { DISABLED, FAULTS, FIRES, LEAVES, type StepSelection, StubbornSets } from './stubborn.js';
import type { Successors } from './successors.js';

/** `auto` goes on if the search ends within so many states, */
const FEW_STATES = 20_000;
/** or if at most one of so many possible steps was taken. */
const WORTHWHILE_SHARE = 3;

export interface SelectionCounts {
    /** The steps that were possible in the states that were expanded. */
    readonly enabled: number;
    /** Whether `auto` has given up. */
    readonly isOff: boolean;
}

/** To be asked when all states of a level have been expanded. */
export function gainsTooLittle({ mode }: StepSelection, states: number, fired: number, enabled: number): boolean {
    return mode === 'auto' && states >= FEW_STATES && WORTHWHILE_SHARE * fired > enabled;
}

export class SelectedSuccessors implements Successors {
    readonly #all: Successors;
    readonly #selection: StepSelection;
    readonly #sets: StubbornSets;
    /** By summand what it does in the present state. */
    readonly #outcomes: Uint8Array;
    #enabled = 0;
    #isOff = false;
    #takesAll = true;

    constructor(model: SequentialModel, all: Successors, selection: StepSelection) {
        this.#all = all;
        this.#selection = selection;
        this.#sets = new StubbornSets(model, selection);
        this.#outcomes = new Uint8Array(selection.relations.summandCount);
    }

    get counts(): SelectionCounts {
        return { enabled: this.#enabled, isOff: this.#isOff };
    }

    /** Whether all steps of the present state are taken. */
    get takesAll(): boolean {
        return this.#takesAll;
    }

    /** From a snapshot. */
    restore({ enabled, isOff }: SelectionCounts): void {
        this.#enabled = enabled;
        this.#isOff = isOff;
    }

    forEachFiring(...[state, visitor]: Parameters<Successors['forEachFiring']>): void {
        const chosen = this.#chosenIn(state);
        this.#takesAll = chosen === undefined;
        const visits = (summand: number): boolean => chosen === undefined || isIn(chosen, summand);
        this.#all.forEachFiring(state, {
            fired: (summand, ...successor) => !visits(summand) || visitor.fired(summand, ...successor),
            // A fault is a goal that is reached here, whatever else is to be done.
            faulted: (summand, fault) =>
                (fault.kind === 'outside' && !visits(summand)) || visitor.faulted(summand, fault),
        });
    }

    /** To be called when all states of a level have been expanded. */
    levelEnds(states: number, fired: number): void {
        this.#isOff ||= gainsTooLittle(this.#selection, states, fired, this.#enabled);
    }

    #chosenIn(state: Readonly<Int32Array>): SummandSet | undefined {
        const outcomes = this.#outcomes.fill(DISABLED);
        const note = (summand: number, outcome: number): boolean => {
            outcomes[summand] = outcome;
            this.#enabled += outcome === LEAVES ? 0 : 1;
            return true;
        };
        this.#all.forEachFiring(state, {
            fired: summand => note(summand, FIRES),
            faulted: (summand, { kind }) => note(summand, kind === 'outside' ? LEAVES : FAULTS),
        });
        return this.#isOff ? undefined : this.#sets.choose(state, outcomes);
    }
}
