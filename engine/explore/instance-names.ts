/**
 * The names of instances along a run. A slot gets the next number of its template when an instance comes to be in it:
 * the third instance of `Handler` that the run creates is `Handler#3`, whatever its slot, and keeps that name while others
 * still refer to it after its end. Values without end are numbered likewise, those that nobody holds as if they were next.
 * The texts of a model name slots, `Handler@1`, and are put into these names here.
 */
import type { SequentialModel, TemplateSlots } from '../sequential/sequential-model.js';
import { usedSlots } from '../sequential/templates/slot-usage.js';

/** Of one state of a run. A model without templates has no such names. */
export class InstanceNames {
    readonly #model: SequentialModel;
    /** By template how many have been created, and by slot the number of the last one in it; 0 if there was none. */
    readonly #created: readonly number[];
    readonly #numbers: readonly (readonly number[])[];
    /** By slot, as the model names it: what it is called here, whether its instance lives, and whether it has cells. */
    readonly #names = new Map<
        string,
        { readonly name: string; readonly isAlive: boolean; readonly hasCells: boolean }
    >();

    constructor(
        model: SequentialModel,
        created: readonly number[],
        numbers: readonly (readonly number[])[],
        state: Readonly<Int32Array>,
    ) {
        this.#model = model;
        this.#created = created;
        this.#numbers = numbers;
        model.templates?.forEach((template, index) => {
            const { name, named = 0 } = template;
            const areValues = template.named !== undefined;
            const ranks = areValues ? ranksOfFree(this.#usedIn(index, state)) : [];
            template.slots.forEach((_, slot) => {
                const rank = ranks[slot] ?? 0;
                const number = rank > 0 ? created[index] + rank : numbers[index][slot];
                if (number > 0) {
                    const lives = livesIn(template, slot, state);
                    this.#names.set(`${name}@${slot - named + 1}`, {
                        name: `${name}#${number}`,
                        isAlive: areValues || lives,
                        hasCells: !areValues && lives,
                    });
                }
            });
        });
    }

    /** After a step from `before` to `after`. */
    next(before: Readonly<Int32Array>, after: Readonly<Int32Array>): InstanceNames {
        const { templates = [] } = this.#model;
        const created = [...this.#created];
        const numbers = this.#numbers.map((known, index) => {
            const [wasUsed, isUsed] = [before, after].map(state => this.#usedIn(index, state));
            if (templates[index].named === undefined) {
                // Of an instance that ends as soon as it is created there is only the name.
                return known.map((number, slot) => (isUsed[slot] > wasUsed[slot] ? ++created[index] : number));
            }
            const first = created[index];
            const ranks = ranksOfFree(wasUsed);
            return known.map((number, slot) => {
                if (isUsed[slot] <= wasUsed[slot]) {
                    return number;
                }
                created[index] = Math.max(created[index], first + ranks[slot]);
                return first + ranks[slot];
            });
        });
        return new InstanceNames(this.#model, created, numbers, after);
    }

    #usedIn(index: number, state: Readonly<Int32Array>): Uint8Array {
        const { templates = [], cells } = this.#model;
        const used = new Uint8Array(this.#numbers[index].length);
        usedSlots(templates[index], cells, state, used);
        return used;
    }

    /** The name of a cell, or the text of a step. */
    inText(text: string): string {
        return this.#replaced(text, '');
    }

    /** The text of a value: it says which instances have ended. */
    inValue(text: string): string {
        return this.#replaced(text, ' (ended)');
    }

    /** Whether all instances live that the name of a cell names: of others there is no cell. */
    haveCell(name: string): boolean {
        return slotsIn(name).every(slot => this.#names.get(slot)?.hasCells === true);
    }

    #replaced(text: string, afterEnd: string): string {
        return text.replaceAll(SLOT, slot => {
            const known = this.#names.get(slot);
            return known === undefined ? slot : `${known.name}${known.isAlive ? '' : afterEnd}`;
        });
    }
}

/** By slot its position among the free ones, from 1 on; 0 for those in use. */
function ranksOfFree(isUsed: Uint8Array): number[] {
    let rank = 0;
    return Array.from(isUsed, used => (used === 1 ? 0 : ++rank));
}

/** The instances that a state of a trace names, by template the numbers, ascending: each can have the slot at its index. */
export type NamedInstances = ReadonlyMap<string, readonly number[]>;

export function instancesNamedIn(
    { templates = [] }: SequentialModel,
    values: Readonly<Record<string, unknown>>,
): NamedInstances {
    const named = new Map(templates.map(({ name }) => [name, new Set<number>()]));
    for (const text of Object.entries(values).flat()) {
        for (const [, name = '', number = ''] of String(text).matchAll(NUMBERED)) {
            named.get(name)?.add(Number(number));
        }
    }
    return new Map([...named].map(([name, numbers]) => [name, [...numbers].sort((first, second) => first - second)]));
}

/** The text with slots in place of names. */
export function inSlots(text: string, named: NamedInstances): string {
    return text.replaceAll(NUMBERED, (whole, name: string, number: string) => {
        const slot = named.get(name)?.indexOf(Number(number)) ?? -1;
        return slot < 0 ? whole : `${name}@${slot + 1}`;
    });
}

/** The names that `named` has given slots for, in such a state. Whoever is created next has a number above these and `created`. */
export function namesOfInstances(
    model: SequentialModel,
    named: NamedInstances,
    state: Readonly<Int32Array>,
    created: Readonly<Record<string, number>> = {},
): InstanceNames | undefined {
    const { templates } = model;
    const numbers = templates?.map(({ name, slots, named: first = 0 }) =>
        slots.map((_, slot) => named.get(name)?.[slot - first] ?? 0),
    );
    return (
        templates &&
        numbers &&
        new InstanceNames(
            model,
            templates.map(({ name }, index) => Math.max(created[name] ?? 0, ...numbers[index])),
            numbers,
            state,
        )
    );
}

const NUMBERED = /([\p{L}_][\p{L}\p{N}_]*)#(\d+)(?: \(ended\))?/gu;
const SLOT = /[\p{L}_][\p{L}\p{N}_]*@\d+/gu;

/** The slots that the name of a cell names: without any it is there from the start. */
export function slotsIn(name: string): readonly string[] {
    return name.match(SLOT) ?? [];
}

/** At the beginning of a run, where nothing has been created. */
export function namesAtFirst(model: SequentialModel, state: Readonly<Int32Array>): InstanceNames | undefined {
    const { templates } = model;
    return (
        templates &&
        new InstanceNames(
            model,
            templates.map(() => 0),
            templates.map(({ slots }) => slots.map(() => 0)),
            state,
        )
    );
}

/** The state that a run has come to. */
export interface Standing {
    readonly state: Readonly<Int32Array>;
    /** What its instances are called along the run; undefined if none are created. */
    readonly names: InstanceNames | undefined;
}

/** Of a state without a run to it: numbers are those of slots. */
export function namesBySlot(model: SequentialModel, state: Readonly<Int32Array>): InstanceNames | undefined {
    const { templates } = model;
    return (
        templates &&
        new InstanceNames(
            model,
            templates.map(({ slots }) => slots.length),
            templates.map(({ slots, named = 0 }) => slots.map((_, slot) => slot - named + 1)),
            state,
        )
    );
}

/** By state of a run. */
export function namesAlong(
    model: SequentialModel,
    states: readonly Readonly<Int32Array>[],
): readonly (InstanceNames | undefined)[] {
    const names = [namesAtFirst(model, states[0])];
    for (let index = 1; index < states.length; index++) {
        names.push(names[index - 1]?.next(states[index - 1], states[index]));
    }
    return names;
}

/** The counters of instances that do not live. */
export function endedCounters({ templates = [] }: SequentialModel, state: Readonly<Int32Array>): ReadonlySet<number> {
    return new Set(
        templates.flatMap(template =>
            template.slots.flatMap(({ counter }, slot) => (livesIn(template, slot, state) ? [] : [counter])),
        ),
    );
}

function livesIn({ slots }: TemplateSlots, slot: number, state: Readonly<Int32Array>): boolean {
    const { counter, ended } = slots[slot];
    return state[counter] !== ended;
}
