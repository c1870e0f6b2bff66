/**
 * The model with every choice of a free slot, for symmetries, certificates and look-ups. A search takes the first free
 * slots only: an exchange of two free slots fixes the state, so the other choices lead to states that differ in names.
 *
 * A summand that creates instances becomes one for each choice of different slots, under the condition that these are
 * free, and one that is the fault `slots` if there are too few. A slot is needed even if the body, under an `if`, creates
 * no instance. A choice of a value without end may take each.
 */
import { remembered } from '../../common/list-map.js';
import { keyOfRange, NOWHERE, type SourceRange } from '../../common/source-range.js';
import { isAlive } from '../expression/alive.js';
import { looksOnPath } from './looks-on-path.js';
import { operandsOf } from '../expression/operands.js';
import {
    binary,
    conditional,
    conjunction,
    constant,
    count as countOf,
    disjunction,
    FALSE,
    mapOperands,
    negation,
    TRUE,
} from '../expression/simplify.js';
import type {
    Marker,
    PathElement,
    SequentialExpression,
    SequentialModel,
    Summand,
    TemplateSlots,
    TemporalAtom,
} from '../sequential-model.js';

export interface AllSlots {
    readonly model: SequentialModel;
    /** By summand of `model` the one that it is made of. */
    readonly sources: readonly number[];
    /** By summand of the given model those that fire in its place. */
    readonly choices: readonly (readonly number[])[];
}

/** More choices for one summand are not listed. */
const MOST_CHOICES = 1 << 12;

const known = new WeakMap<SequentialModel, { readonly all: AllSlots | undefined }>();

/** The model itself if it has no templates; undefined if there are too many choices. */
export function withAllSlots(model: SequentialModel): AllSlots | undefined {
    return remembered(known, model, () => ({ all: listed(model) })).all;
}

/** What is said of the summands of a model, of those of `withAllSlots`; as given if there are too many. */
export function saidOfAllSlots<Said extends Marker>(model: SequentialModel, markers: readonly Said[]): readonly Said[] {
    const all = model.templates && withAllSlots(model);
    return all === undefined ? markers : markers.map(marker => withChoices(marker, all.choices));
}

function listed(model: SequentialModel): AllSlots | undefined {
    const { templates } = model;
    if (templates === undefined) {
        const same = model.summands.map((_, index) => index);
        return { model, sources: same, choices: same.map(index => [index]) };
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
    const choices = model.summands.map((): number[] => []);
    sources.forEach((source, summand) => choices[source].push(summand));
    for (const { summand, source } of missedByChoices(model, free)) {
        summands.push(summand);
        sources.push(source);
    }
    const { fairness, properties, numbers } = model;
    return {
        model: {
            ...model,
            summands,
            fairness: fairness.map(each => withChoices(each, choices)),
            properties: properties.map(each => ({
                ...each,
                members: each.members.map(member => withChoices(member, choices)),
            })),
            ...(numbers !== undefined && {
                numbers: { ...numbers, sums: sources.map(source => numbers.sums[source]) },
            }),
        },
        sources,
        choices,
    };
}

/** What is said of summands, of all that are made of them. */
function withChoices<Said extends Marker>(marker: Said, choices: readonly (readonly number[])[]): Said {
    const atoms = marker.atoms.map((atom): TemporalAtom => {
        if (atom.kind !== 'taken' && atom.kind !== 'enabled') {
            return atom;
        }
        const summands = atom.summands.flatMap(summand => choices[summand]);
        return { ...atom, summands: summands.sort((first, second) => first - second) };
    });
    return { ...marker, atoms };
}

/** Whether no instance lives in a slot, and no cell names it, nor the text. */
function isFree(template: TemplateSlots, slot: number): SequentialExpression {
    if (slot < (template.named ?? 0)) {
        return FALSE;
    }
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
    // How many slots of each template the summand needs, and those that it does not take for them.
    const needed = new Map<TemplateSlots, number>();
    const taken = new Map<TemplateSlots, readonly number[]>();
    let isChoosing = false;
    summand.participants.forEach(({ path }) => {
        path.forEach(element => {
            if (element.kind === 'assign' && element.value.kind === 'fresh') {
                const { template, before } = element.value;
                needed.set(template, Math.max(needed.get(template) ?? 0, before + 1));
                taken.set(template, element.value.taken);
            }
            isChoosing ||= element.kind === 'test' && element.condition.kind === 'choosable';
        });
    });
    if (needed.size === 0) {
        return [isChoosing ? withAnyChoice(summand) : summand];
    }
    let tuples: ReadonlyMap<TemplateSlots, readonly number[]>[] = [new Map()];
    for (const [template, slots] of needed) {
        if (tuples.length * template.slots.length ** slots > MOST_CHOICES) {
            return undefined;
        }
        const choices = tuplesOf(template.slots.length, slots, taken.get(template) ?? []);
        tuples = tuples.flatMap(tuple => choices.map(choice => new Map([...tuple, [template, choice]])));
    }
    const withSlots = tuples.map(chosen => {
        const slotOf = ({ template, before }: Fresh): number => chosen.get(template)?.[before] ?? 0;
        return withCreations(
            summand,
            (fresh, cell, range) => [
                { kind: 'test', condition: free.get(fresh.template)?.[slotOf(fresh)] ?? FALSE },
                { kind: 'assign', cell, value: constant(slotOf(fresh)), range },
            ],
            condition => withFresh(condition, fresh => constant(slotOf(fresh))),
        );
    });
    const isMissing = ({ template, range }: Pick<Fresh, 'template' | 'range'>): SequentialExpression => {
        const open = (free.get(template) ?? []).filter((_, slot) => taken.get(template)?.includes(slot) !== true);
        return binary('<', countOf(open, range), constant(needed.get(template) ?? 0), range);
    };
    const [{ range: where }] = summand.participants;
    const isAnyMissing = disjunction(
        [...needed.keys()].map(template => isMissing({ template, range: where })),
        where,
    );
    // Each path is a fault or holds if another one is a fault, so that none hides it.
    const without = withCreations(
        summand,
        fresh => {
            const fault: SequentialExpression = { kind: 'fault', fault: 'slots', range: fresh.range };
            return [{ kind: 'test', condition: conditional(isMissing(fresh), fault, isAnyMissing, fresh.range) }];
        },
        () => TRUE,
    );
    // It never fires, so that what it would do does not matter.
    return [...withSlots, { ...without, participants: without.participants.map(each => ({ ...each, body: [] })) }];
}

/** Lists of so many different slots, none of which is `taken`. */
function tuplesOf(slots: number, length: number, taken: readonly number[]): number[][] {
    return length === 0
        ? [[]]
        : tuplesOf(slots, length - 1, taken).flatMap(tuple =>
              Array.from({ length: slots }, (_, slot) => slot)
                  .filter(slot => !tuple.includes(slot) && !taken.includes(slot))
                  .map(slot => [...tuple, slot]),
          );
}

/** A choice among all values instead of those in use and a first other one. */
function withAnyChoice(summand: Summand): Summand {
    return withCreations(
        summand,
        () => [],
        condition => condition,
    );
}

/**
 * Where choices of values without end are next, the fault `slots` if there may be too few for them: once for all values, and
 * whatever else the choices ask for. Symmetries keep it, so they keep how many slots are left.
 */
function missedByChoices({ summands, instances }: SequentialModel, free: FreeSlots): Choices {
    const found = new Map<string, { readonly summand: Summand; readonly source: number }>();
    for (const [source, { label, participants }] of summands.entries()) {
        for (const participant of participants) {
            const counts = new Map<TemplateSlots, number>();
            for (const { kind, template, range } of looksOnPath(participant.path)) {
                const needed = (counts.get(template) ?? 0) + 1;
                counts.set(template, needed);
                const key = [participant.instance, participant.source, needed, keyOfRange(range)].join();
                if (kind !== 'choosable' || found.has(key)) {
                    continue;
                }
                const { counter } = instances[participant.instance];
                const at = binary('==', { kind: 'cell', cell: counter, range }, constant(participant.source), range);
                const fault: SequentialExpression = { kind: 'fault', fault: 'slots', range };
                const isMissing = binary('<', countOf(free.get(template) ?? [], range), constant(needed), range);
                const path: PathElement[] = [
                    ...(counter < 0 ? [] : [{ kind: 'test', condition: at } as const]),
                    { kind: 'test', condition: conditional(isMissing, fault, FALSE, range) },
                ];
                found.set(key, { summand: { label, participants: [{ ...participant, path, body: [] }] }, source });
            }
        }
    }
    return [...found.values()];
}

type Choices = readonly { readonly summand: Summand; readonly source: number }[];

type Fresh = Extract<SequentialExpression, { kind: 'fresh' }>;

/** The summand with something else in place of the looks for free slots, and of the tests that ask for these. */
function withCreations(
    summand: Summand,
    found: (fresh: Fresh, cell: number, range: SourceRange) => PathElement[],
    asked: (condition: SequentialExpression) => SequentialExpression,
): Summand {
    const participants = summand.participants.map(participant => ({
        ...participant,
        path: participant.path.flatMap((element): PathElement[] => {
            if (element.kind === 'test') {
                if (element.condition.kind === 'choosable') {
                    return [];
                }
                return [hasFresh(element.condition) ? { kind: 'test', condition: asked(element.condition) } : element];
            }
            return element.value.kind === 'fresh' ? found(element.value, element.cell, element.range) : [element];
        }),
    }));
    return { ...summand, participants };
}

function hasFresh(expression: SequentialExpression): boolean {
    return expression.kind === 'fresh' || operandsOf(expression).some(hasFresh);
}

function withFresh(
    expression: SequentialExpression,
    replace: (fresh: Fresh) => SequentialExpression,
): SequentialExpression {
    if (expression.kind === 'fresh') {
        return replace(expression);
    }
    return hasFresh(expression) ? mapOperands(expression, operand => withFresh(operand, replace)) : expression;
}
