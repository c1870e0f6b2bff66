/**
 * What a model does, to be compared with what a changed one does: all states, or a representative of each orbit under
 * symmetries that both have, with the firings of each. A firing is a state, the step of the text with its instances, and
 * the successor *as it is fired*, or the fault. Two models with the same states and firings, by 53 bits, do the same.
 * States with numbers without end are classes; a firing has the successors of all members that it could tell apart.
 */
import { remembered } from '../common/list-map.js';
import { keyOfRange } from '../common/source-range.js';
import { UNLIMITED, type WorkLimit } from '../common/work-limit.js';
import type { NumberOrder } from '../explore/number-order.js';
import { InitialStates } from '../explore/initial/initial-states.js';
import { NO_PARENT, SeenSet } from '../explore/seen-set.js';
import type { StateCanonicalizer } from '../explore/state-canonicalizer.js';
import { StateLayout } from '../explore/state-layout.js';
import { interpretedSuccessors } from '../explore/successors.js';
import { allMayStop } from '../sequential/expression/alive.js';
import { Compiler } from '../sequential/expression/evaluate.js';
import { toFault } from '../sequential/fire-summand.js';
import { withRealNumbers } from '../sequential/numbers/real-numbers.js';
import type { SequentialModel, Summand } from '../sequential/sequential-model.js';
import { orderOf, type CommonNumbers } from './common-numbers.js';
import type { Effect } from './mutation.js';

export interface Behavior {
    readonly states: Facts;
    /** Initial states, and firings. */
    readonly firings: Facts;
    /** The same of the member of each class that is stored: if they differ in it, they differ in all members. */
    readonly stored: Facts;
    /** States without a firing, and whether all instances may stop there. */
    readonly ends: Facts;
    /** Whether each state is one that is reached: else a class may have successors that not all of its members have. */
    readonly isExact: boolean;
}

/** A set of facts; one that occurs twice has the number 2. */
type Facts = ReadonlyMap<number, number>;

/** Numbers of places of the text, the same for all behaviors that are compared; new places are added. */
export type PlaceNumbers = Map<string, number>;

/** How states are brought to the form that is stored. */
export interface StoredForm {
    readonly canonicalizer?: StateCanonicalizer | undefined;
    /** Of numbers without end. */
    readonly numbers?: CommonNumbers | undefined;
}

/** Undefined if there are more states than `most`, and if the limit or a faulty start ends it. */
export function behaviorOf(
    model: SequentialModel,
    most: number,
    limit: WorkLimit,
    places: PlaceNumbers,
    form: StoredForm = {},
): Behavior | undefined {
    const walk = new Walk(withRealNumbers(model), places, form);
    return walk.run(most, limit) ? walk.behavior : undefined;
}

/** Undefined if they differ in states of which it is not known that they are reached. */
export function effectOf(before: Behavior, after: Behavior): Effect | undefined {
    const lost = missing(before.states, after.states) + missing(before.firings, after.firings);
    const gained = missing(after.states, before.states) + missing(after.firings, before.firings);
    const isSame = lost === 0 && gained === 0;
    const hasOtherEnds = missing(before.ends, after.ends) > 0;
    if (!(before.isExact && after.isExact) && (!isSame || hasOtherEnds)) {
        return undefined;
    }
    if (lost > 0 !== hasMore(before, after) || gained > 0 !== hasMore(after, before)) {
        return undefined;
    }
    return {
        kind: isSame ? (hasOtherEnds ? 'other' : 'same') : gained === 0 ? 'less' : lost === 0 ? 'more' : 'other',
        states: after.states.size - before.states.size,
        firings: after.firings.size - before.firings.size,
    };
}

/** Whether a model has a state or a firing that the other one has not, whichever members of classes are reached. */
function hasMore(one: Behavior, other: Behavior): boolean {
    return missing(one.states, other.states) + missing(one.stored, other.stored) > 0;
}

function missing(facts: Facts, others: Facts): number {
    let count = 0;
    for (const [fact, times] of facts) {
        count += Math.max(0, times - (others.get(fact) ?? 0));
    }
    return count;
}

class Walk {
    readonly #states = new Map<number, number>();
    readonly #firings = new Map<number, number>();
    readonly #stored: Map<number, number>;
    readonly #ends = new Map<number, number>();
    readonly #model: SequentialModel;
    readonly #form: StoredForm;
    readonly #order: NumberOrder | undefined;
    readonly #layout: StateLayout;
    readonly #seen: SeenSet;
    readonly #words: Uint32Array;
    readonly #representative: Int32Array;
    readonly #steps: readonly number[];
    /** By cell a number for each of its codes; counters are known by their place in the text. Absent for other cells. */
    readonly #places: readonly (Int32Array | undefined)[];
    readonly #cells: Int32Array;
    #isImpossible = false;
    #isExact = true;

    constructor(model: SequentialModel, numbers: PlaceNumbers, form: StoredForm) {
        this.#model = model;
        this.#form = form;
        this.#order = form.numbers && orderOf(model, form.numbers);
        this.#stored = this.#order === undefined ? this.#firings : new Map<number, number>();
        this.#layout = new StateLayout(model.cells);
        this.#seen = new SeenSet(this.#layout.wordCount);
        this.#words = new Uint32Array(this.#layout.wordCount);
        this.#representative = new Int32Array(model.cells.length);
        this.#steps = model.summands.map(summand => hashOfText(nameOfStep(model, summand)));
        const places: (Int32Array | undefined)[] = model.cells.map(() => undefined);
        for (const { counter, locations } of model.instances) {
            if (counter >= 0) {
                places[counter] = Int32Array.from(locations, ({ name, range }) =>
                    remembered(numbers, `${name} ${keyOfRange(range)}`, () => numbers.size),
                );
            }
        }
        this.#places = places;
        // Temporaries have no values between steps.
        this.#cells = Int32Array.from(model.cells.keys()).filter(cell => model.cells[cell].kind !== 'temporary');
    }

    get behavior(): Behavior {
        return {
            states: this.#states,
            firings: this.#firings,
            stored: this.#stored,
            ends: this.#ends,
            isExact: this.#isExact,
        };
    }

    run(most: number, limit: WorkLimit): boolean {
        const model = this.#model;
        const state = new Int32Array(model.cells.length);
        const start = new InitialStates(model);
        while (this.#seen.count <= most && start.nextInto(state, limit)) {
            this.#note(this.#firings, 1, 2, this.#store(state));
        }
        if (start.problem !== undefined || limit.isExhausted()) {
            return false;
        }
        const successors = interpretedSuccessors(model);
        const mayStop = new Compiler(model.cells).condition(allMayStop(model));
        const words = new Uint32Array(this.#layout.wordCount);
        for (let next = 0; next < this.#seen.count && !this.#isImpossible; next++) {
            if (this.#seen.count > most || limit.isExhausted()) {
                return false;
            }
            this.#seen.readInto(words, next);
            this.#layout.unpack(words, 0, state);
            const from = this.#hash(state);
            /** By summand: of the stored member, of all, and where each of them leads. */
            const told = new Map<number, { readonly first: number; readonly fired: number; readonly stored: number }>();
            const tell = (summand: number, fired: number, stored = fired): boolean => {
                const known = told.get(summand);
                this.#isExact &&= known === undefined || known.stored === stored;
                const all = known === undefined ? fired : hashOfThree(known.fired, 8, fired);
                told.set(summand, { first: known?.first ?? fired, fired: all, stored });
                return true;
            };
            for (const member of this.#membersOf(state)) {
                successors.forEachFiring(member, {
                    fired: (summand, successor) => tell(summand, this.#hash(successor), this.#store(successor)),
                    faulted: (summand, { kind }) => {
                        this.#isImpossible ||= kind === 'slots';
                        return tell(summand, hashOfText(kind));
                    },
                });
            }
            told.forEach(({ first, fired }, summand) => {
                this.#note(this.#firings, from, this.#steps[summand], fired);
                if (this.#stored !== this.#firings) {
                    this.#note(this.#stored, from, this.#steps[summand], first);
                }
            });
            if (told.size === 0) {
                this.#note(
                    this.#ends,
                    from,
                    3,
                    outcomeOf(() => mayStop(state)),
                );
            }
        }
        return !this.#isImpossible;
    }

    /** Of a class those members that a firing could tell apart. */
    #membersOf(state: Int32Array): readonly Int32Array[] {
        const { numbers } = this.#form;
        const others = numbers && this.#order?.openings(state, [...numbers.sorts.keys()], numbers.sums);
        this.#isImpossible ||= numbers !== undefined && others === undefined;
        return [state, ...(others ?? [])];
    }

    /** The hash of the state that is stored. */
    #store(state: Readonly<Int32Array>): number {
        const { canonicalizer } = this.#form;
        let stored = state;
        if (canonicalizer !== undefined || this.#order !== undefined) {
            stored = this.#representative;
            this.#representative.set(state);
            const isStored =
                this.#order?.normalize(this.#representative) ??
                canonicalizer?.canonicalizeInto(this.#representative, state);
            if (isStored !== true) {
                this.#isImpossible = true;
                return 0;
            }
        }
        const hash = this.#hash(stored);
        this.#layout.pack(stored, this.#words, 0);
        if (this.#seen.find(this.#words) < 0 && this.#seen.reserve(UNLIMITED)) {
            this.#seen.insert(this.#words, NO_PARENT);
            this.#note(this.#states, 6, 7, hash);
        }
        return hash;
    }

    /** 53 bits, which a number holds. */
    #hash(state: Readonly<Int32Array>): number {
        let low = 0x811c9dc5;
        let high = 0x9e3779b9;
        for (const cell of this.#cells) {
            const code = state[cell];
            const held = this.#places[cell]?.[code] ?? code;
            low = Math.imul(low ^ held, 0x85ebca6b);
            low ^= low >>> 13;
            high = Math.imul(high + held, 0xc2b2ae35);
            high ^= high >>> 15;
        }
        return joined(low, high);
    }

    #note(facts: Map<number, number>, from: number, step: number, to: number): void {
        const fact = hashOfThree(from, step, to);
        facts.set(fact, (facts.get(fact) ?? 0) + 1);
    }
}

/** The step of the text, with its instances and the values that it chooses. */
export function nameOfStep({ instances }: SequentialModel, { label, event, participants }: Summand): string {
    const parts = participants.map(
        ({ instance, range, choice = '' }) => `${instances[instance].name} ${keyOfRange(range)} ${choice}`,
    );
    return `${label} ${event?.codes.join() ?? ''} ${parts.join()}`;
}

function outcomeOf(holds: () => boolean): number {
    try {
        return holds() ? 4 : 5;
    } catch (error) {
        return hashOfText(toFault(error).kind);
    }
}

const HALF = 2 ** 32;

/** 32 bits and 21 bits. */
function joined(low: number, high: number): number {
    return (low >>> 0) + ((high >>> 11) % 2 ** 21) * HALF;
}

function hashOfThree(from: number, step: number, to: number): number {
    let low = 0x2545f491;
    let high = 0x7feb352d;
    for (const part of [from, step, to]) {
        const [half, rest] = [(part % HALF) | 0, Math.floor(part / HALF)];
        low = Math.imul(low ^ half, 0x85ebca6b);
        low ^= low >>> 13;
        low = Math.imul(low + rest, 0xc2b2ae35);
        low ^= low >>> 16;
        high = Math.imul(high + half, 0x27d4eb2f);
        high ^= high >>> 15;
        high = Math.imul(high ^ rest, 0x165667b1);
        high ^= high >>> 13;
    }
    return joined(low, high);
}

function hashOfText(text: string): number {
    let low = 0x811c9dc5;
    let high = 0x9e3779b9;
    for (let index = 0; index < text.length; index++) {
        low = Math.imul(low ^ text.charCodeAt(index), 0x01000193);
        high = Math.imul(high + text.charCodeAt(index), 0x85ebca6b);
        high ^= high >>> 13;
    }
    return joined(low, high);
}
