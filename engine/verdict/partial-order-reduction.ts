/** The order of independent steps as a reduction: of each state some of the possible steps are taken. */
import { remembered } from '../common/list-map.js';
import { type KnownValues, valuesOf } from '../constraints/dead-steps.js';
import { InitialStates } from '../explore/initial/initial-states.js';
import type { PartialOrder, StepSelection } from '../explore/stubborn.js';
import { domainSize, NO_VALUE } from '../model/domain.js';
import type { StoredFrom } from '../partial-order/literal-pairs.js';
import { MOST_SUMMANDS, RelatingStopped, relateSteps } from '../partial-order/relate-steps.js';
import type { OccurringValues } from '../partial-order/step-runs.js';
import type { LiteralImage } from '../sequential/literal-image.js';
import { asWritten, type PassedModel } from '../sequential/reduced-model.js';
import { addTo, type CheckedConditions, isIn, type SummandSet } from '../sequential/step-relations.js';
import type { InitialCell, SequentialModel } from '../sequential/sequential-model.js';
import { createdBy } from './enough-slots.js';
import type { Demand, Given, SearchReduction } from './reduction.js';

/** Behind passes and symmetries: the steps are those of the searched model, the values those of all symmetric states. */
export function partialOrderReduction(mode: PartialOrder): SearchReduction {
    return {
        prepare(given, demand) {
            return {
                facts: {},
                apply({ summandOrbits, symmetries = [] }, { passed = asWritten(given.sequential) }) {
                    const selection = selectionOf(passed, given, demand, mode, {
                        stored: storedFrom(passed, symmetries),
                        withImages: mode === 'fewest' ? imagesIn(passed, summandOrbits?.().orbit) : undefined,
                    });
                    return typeof selection === 'string'
                        ? { parts: {}, report: { allStepsBecause: selection } }
                        : { parts: { selection }, report: {}, identity: () => `partial order ${mode}\n` };
                },
            };
        },
    };
}

/** What is known of stored states, and of the symmetries in use. */
interface Stored {
    readonly stored: StoredFrom | undefined;
    readonly withImages: ((summands: SummandSet) => SummandSet) | undefined;
}

/** Or the reason why all steps are taken. */
function selectionOf(
    passed: PassedModel,
    { sequential, values }: Given,
    demand: Demand,
    mode: PartialOrder,
    { stored, withImages }: Stored,
): StepSelection | string {
    const { searched } = passed;
    if (demand.countsSteps === true) {
        return '`expect every step` asks for all of them';
    }
    const { length } = searched.summands;
    if (length > MOST_SUMMANDS) {
        return `the model has ${length} steps, and at most ${MOST_SUMMANDS} are compared with each other`;
    }
    const known = values ?? valuesOf(sequential, demand.workLimit);
    if (known === undefined) {
        return 'the values that can occur are not known';
    }
    const checked = checkedConditions(searched, demand);
    try {
        const occurring = occurringIn(passed, known);
        const relations = relateSteps(searched, checked.invariants, occurring, stored, withImages, {
            isWorthLittle: mode === 'auto',
            limit: demand.workLimit,
        });
        // A creation without a free slot is always looked for: all that comes after it is missing.
        const faultPlaces = relations.faultPlaces.map((places, summand) =>
            demand.ignoresFaults === true && createdBy(searched, summand).length === 0 ? 0 : places,
        );
        return { relations: { ...relations, faultPlaces }, checked, mode };
    } catch (error) {
        if (error instanceof RelatingStopped) {
            return error.message;
        }
        throw error;
    }
}

/** More choices of initial values are not listed. */
const MOST_CHOICES = 1 << 10;

/** Undefined where there are many, and where instances are created. */
function storedFrom({ stepwise }: PassedModel, symmetries: readonly LiteralImage[]): StoredFrom | undefined {
    const choices = stepwise.initial.reduce((product, entry) => product * choicesOf(entry, stepwise), 1);
    if (choices > MOST_CHOICES || stepwise.templates !== undefined) {
        return undefined;
    }
    const states = new InitialStates(stepwise);
    const initial: Int32Array[] = [];
    for (const state = new Int32Array(stepwise.cells.length); states.nextInto(state);) {
        initial.push(state.slice());
    }
    return { initial, symmetries };
}

function choicesOf({ cell, value }: InitialCell, { cells }: SequentialModel): number {
    return value.kind === 'any'
        ? domainSize(cells[cell].domain)
        : value.kind === 'oneOf'
          ? value.expressions.length
          : 1;
}

function checkedConditions(model: SequentialModel, { properties }: Demand): CheckedConditions {
    const invariants = model.invariants.filter(({ name }) => properties?.includes(name) ?? true);
    return {
        names: invariants.map(({ name }) => name),
        invariants: invariants.map(({ expression }) => expression),
        deadlock: properties?.includes('deadlock') ?? !model.allowsDeadlock,
    };
}

/** A pass may have taken the value of a cell that is not needed. */
function occurringIn({ dropped }: PassedModel, { reachable }: KnownValues): OccurringValues {
    const domains = reachable.domains.slice();
    const withNone = (codes: readonly number[]): readonly number[] =>
        codes.length === 0 || codes[0] === NO_VALUE ? codes : [NO_VALUE, ...codes];
    const isDropped = new Set(dropped);
    dropped.forEach(cell => (domains[cell] = withNone(domains[cell])));
    const known = new Map<string, ReadonlyMap<number, readonly number[]>>();
    const localsAt = (instance: number, location: number): ReadonlyMap<number, readonly number[]> | undefined => {
        const locals = reachable.localsAt(instance, location);
        return isDropped.size === 0 || locals === undefined
            ? locals
            : remembered(
                  known,
                  `${instance} ${location}`,
                  () =>
                      new Map(
                          Array.from(locals, ([cell, codes]) => [cell, isDropped.has(cell) ? withNone(codes) : codes]),
                      ),
              );
    };
    return { domains, localsAt };
}

/**
 * Closes a set of summands under symmetries; `orbit` and `numberOf` are of the model as written. Undefined if images of steps
 * that are taken together are taken one by one: then steps that come to an end in a run need not do so in its images.
 */
function imagesIn(
    { inert, numberOf }: PassedModel,
    orbit: Int32Array = new Int32Array(0),
): ((summands: SummandSet) => SummandSet) | undefined {
    const orbitOf = new Map<number, number>();
    orbit.forEach((number, summand) => orbitOf.set(numberOf(summand), number));
    orbitOf.delete(-1);
    const orbitsOf = (isMeant: (summand: number) => boolean): ReadonlySet<number> =>
        new Set([...orbitOf].filter(([summand]) => isMeant(summand)).map(([, number]) => number));
    const merged = orbitsOf(summand => inert.has(summand));
    if ([...orbitOf].some(([summand, number]) => merged.has(number) && !inert.has(summand))) {
        return undefined;
    }
    return summands => {
        const met = orbitsOf(summand => isIn(summands, summand));
        const all = summands.slice();
        orbitOf.forEach((number, summand) => {
            if (met.has(number)) {
                addTo(all, summand);
            }
        });
        return all;
    };
}
