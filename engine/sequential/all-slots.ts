/**
 * The model with every choice of a free slot, for symmetries, certificates and look-ups. A search takes the first free
 * slots only: an exchange of two free slots fixes the state, so the other choices lead to states that differ in names.
 *
 * A summand that creates instances becomes one for each choice of different slots, under the condition that these are
 * free, and one that is the fault `slots` if there are too few. A slot is needed even if the body, under an `if`, creates
 * no instance.
 */
import { remembered } from '../common/list-map.js';
import { NOWHERE, type SourceRange } from '../common/source-range.js';
import { isAlive } from './expression/alive.js';
import {
    binary,
    conditional,
    conjunction,
    constant,
    count as countOf,
    FALSE,
    negation,
} from './expression/simplify.js';
import type { PathElement, SequentialExpression, SequentialModel, Summand, TemplateSlots } from './sequential-model.js';

export interface AllSlots {
    readonly model: SequentialModel;
    /** By summand of `model` the one that it is made of. */
    readonly sources: readonly number[];
}

/** More choices for one summand are not listed. */
const MOST_CHOICES = 1 << 12;

const known = new WeakMap<SequentialModel, { readonly all: AllSlots | undefined }>();

/** The model itself if it has no templates; undefined if there are too many choices. */
export function withAllSlots(model: SequentialModel): AllSlots | undefined {
    return remembered(known, model, () => ({ all: listed(model) })).all;
}

function listed(model: SequentialModel): AllSlots | undefined {
    const { templates } = model;
    if (templates === undefined) {
        return { model, sources: model.summands.map((_, index) => index) };
    }
    const free = new Map(
        templates.map(template => [template, template.slots.map((_, slot) => isFree(template, slot))]),
    );
    const summands: Summand[] = [];
    const sources: number[] = [];
    for (const [source, summand] of model.summands.entries()) {
        const choices = choicesOf(summand, free);
        if (choices === undefined) {
            return undefined;
        }
        summands.push(...choices);
        sources.push(...choices.map(() => source));
    }
    return { model: { ...model, summands }, sources };
}

/** Whether no instance lives in a slot, and no cell names it. */
function isFree(template: TemplateSlots, slot: number): SequentialExpression {
    const isNamed = template.holders.map((cell): SequentialExpression => ({
        kind: 'holds',
        cell,
        value: slot,
        range: NOWHERE,
    }));
    return conjunction(
        [isAlive(template, slot, NOWHERE), ...isNamed].map(used => negation(used, NOWHERE)),
        NOWHERE,
    );
}

type FreeSlots = ReadonlyMap<TemplateSlots, readonly SequentialExpression[]>;

/** Undefined if there are too many. */
function choicesOf(summand: Summand, free: FreeSlots): readonly Summand[] | undefined {
    // How many slots of each template the summand needs.
    const needed = new Map<TemplateSlots, number>();
    summand.participants.forEach(({ path }) => {
        path.forEach(element => {
            if (element.kind === 'assign' && element.value.kind === 'fresh') {
                const { template, before } = element.value;
                needed.set(template, Math.max(needed.get(template) ?? 0, before + 1));
            }
        });
    });
    if (needed.size === 0) {
        return [summand];
    }
    let tuples: ReadonlyMap<TemplateSlots, readonly number[]>[] = [new Map()];
    for (const [template, slots] of needed) {
        const choices = tuplesOf(template.slots.length, slots);
        if (tuples.length * choices.length > MOST_CHOICES) {
            return undefined;
        }
        tuples = tuples.flatMap(tuple => choices.map(choice => new Map([...tuple, [template, choice]])));
    }
    const withSlots = tuples.map(chosen =>
        withCreations(summand, ({ template, before }, cell, range) => {
            const slot = chosen.get(template)?.[before] ?? 0;
            const condition = free.get(template)?.[slot] ?? FALSE;
            return [
                { kind: 'test', condition },
                { kind: 'assign', cell, value: constant(slot), range },
            ];
        }),
    );
    const without = withCreations(summand, ({ template, range }) => {
        const count = countOf(free.get(template) ?? [], range);
        const isMissing = binary('<', count, constant(needed.get(template) ?? 0), range);
        return [
            { kind: 'test', condition: conditional(isMissing, { kind: 'fault', fault: 'slots', range }, FALSE, range) },
        ];
    });
    // It never fires, so that what it would do does not matter.
    return [...withSlots, { ...without, participants: without.participants.map(each => ({ ...each, body: [] })) }];
}

/** Lists of so many different slots. */
function tuplesOf(slots: number, length: number): number[][] {
    return length === 0
        ? [[]]
        : tuplesOf(slots, length - 1).flatMap(tuple =>
              Array.from({ length: slots }, (_, slot) => slot)
                  .filter(slot => !tuple.includes(slot))
                  .map(slot => [...tuple, slot]),
          );
}

type Fresh = Extract<SequentialExpression, { kind: 'fresh' }>;

/** The summand with something else in place of the look for free slots. */
function withCreations(
    summand: Summand,
    found: (fresh: Fresh, cell: number, range: SourceRange) => PathElement[],
): Summand {
    const participants = summand.participants.map(participant => ({
        ...participant,
        path: participant.path.flatMap(element =>
            element.kind === 'assign' && element.value.kind === 'fresh'
                ? found(element.value, element.cell, element.range)
                : [element],
        ),
    }));
    return { ...summand, participants };
}
