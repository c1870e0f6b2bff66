/** Walks through models whose instances are created, with as many slots as they need, and room around one state. */
import type { Problem } from '../common/problem.js';
import { instancesNamedIn } from '../explore/instance-names.js';
import type { Simulation } from '../explore/simulate.js';
import type { Model } from '../model/model.js';
import { withSlots } from '../model/with-slots.js';
import { linearize } from '../sequential/linearize.js';
import { withRealNumbers } from '../sequential/numbers/real-numbers.js';
import type { SequentialModel, TemplateSlots } from '../sequential/sequential-model.js';
import { looksOnPath } from '../sequential/templates/looks-on-path.js';

/** By process. */
export type Slots = ReadonlyMap<number, number>;

/** The most instances of one template that are named at once; with more, a search ends undecided. */
export const MOST_INSTANCES = 64;

/** One body creates at most so many. */
const MOST_IN_A_STEP = 3;

export const INSTANCES_LIMIT = 'limit/created';

/** A walk of a model with as many slots as it takes: it begins again where one is missing. */
export function walkGrowing<Result extends { readonly kind: string }>(
    model: Model,
    sequential: SequentialModel,
    walk: (sequential: SequentialModel) => Result | MissingSlots,
): Result | Extract<Simulation, { readonly kind: 'problem' }> {
    const result = walk(sequential);
    if (!isMissing(result)) {
        return result;
    }
    const missed = createdBy(sequential, result.summand);
    const slots = new Map(missed.map(({ process, slots: own }) => [process, Math.min(2 * own.length, MOST_INSTANCES)]));
    const more = missed.every(({ slots: own }) => own.length >= MOST_INSTANCES)
        ? undefined
        : linearize(withSlots(model, new Map([...slotsOf(sequential), ...slots]))).sequential;
    return more === undefined
        ? { kind: 'problem', problem: tooManyInstances(model, missed) }
        : walkGrowing(model, more, walk);
}

type MissingSlots = Extract<Simulation, { readonly kind: 'slots' }>;

function isMissing<Result extends { readonly kind: string }>(result: Result | MissingSlots): result is MissingSlots {
    return result.kind === 'slots';
}

function tooManyInstances({ nameRange }: Model, missed: readonly TemplateSlots[]): Problem {
    const names = missed.map(({ name, slots }) => `more than ${slots.length} instances of \`${name}\``);
    const message = `${names.join(' or ')} live or are named at once`;
    return { severity: 'error', code: INSTANCES_LIMIT, message, range: nameRange };
}

/** The model with room for the instances that a state of a trace names, and for as many again; and for all numbers. */
export function withRoomFor(
    model: Model,
    sequential: SequentialModel,
    values: Readonly<Record<string, unknown>>,
): SequentialModel {
    if (sequential.templates === undefined) {
        return withRealNumbers(sequential);
    }
    const named = instancesNamedIn(sequential, values);
    const slots = sequential.templates.map(({ process, name, named: first = 0 }): [number, number] => {
        const count = first + (named.get(name)?.length ?? 0);
        return [process, Math.min(2 * (count + MOST_IN_A_STEP), MOST_INSTANCES + MOST_IN_A_STEP)];
    });
    return withRealNumbers(linearize(withSlots(model, new Map(slots))).sequential ?? sequential);
}

export function slotsOf({ templates = [] }: SequentialModel): Slots {
    return new Map(templates.map(({ process, slots }) => [process, slots.length]));
}

/** The templates whose instances a summand creates. */
export function createdBy({ summands }: SequentialModel, summand: number): TemplateSlots[] {
    return summands[summand].participants.flatMap(({ path }) => looksOnPath(path).map(({ template }) => template));
}
