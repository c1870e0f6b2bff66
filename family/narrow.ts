/**
 * Whether a text is *narrow*: its states are a shared part and, for each member of a family, cells that name no other
 * member; members are only copied and compared; and a step, a fault, an initial state and a violated invariant can be seen
 * in the part of a state with a few members. Then views prove properties for all sizes (view-search.ts).
 * [AbdullaHazizaHolik2013]
 */
import type { Problem } from '../engine/common/problem.js';
import { UNLIMITED, type WorkLimit } from '../engine/common/work-limit.js';
import { isNumber, memberBoundsOf } from '../engine/model/domain.js';
import type { Expression } from '../engine/model/expression.js';
import type { Control, Model, Process, Variable } from '../engine/model/model.js';
import { withStatedInvariants } from '../engine/sequential/runs/stated-invariants.js';
import { controlsIn, partsOf } from '../engine/model/walk-model.js';
import type { SequentialModel } from '../engine/sequential/sequential-model.js';
import { carrierOf, fixedCountOf, valuesOfSizes, type Carrier } from './carrier.js';
import { controlOf, sameControl, withinControl } from './control-structure.js';
import { LoweredText } from './lowered-text.js';
import type { SizedInstance } from './member-layout.js';
import { graphOf } from './offers.js';
import { eachOnce, refusal } from './refusal.js';
import { instantiate, type Family } from '../language/instantiate.js';
import { MOST_MEMBERS, mostMembersOfStep, type CountedMembers } from './step-members.js';
import { unevenRows } from './member-rows.js';
import { unevenUses } from './member-uses.js';
import { SizedInstances, type Refused } from './sized-instances.js';
import { valuesOf, Witnesses } from './witnesses.js';

export interface Narrow {
    readonly carrier: Carrier;
    /** The members that a view is extended by for a step: the most that take part in one. */
    readonly extra: number;
    /** The members that decide whether a state is initial. */
    readonly ofStart: number;
    /** With so many members every test is decided before the run, or not, as it is with more: so are labels and events. */
    readonly decisive: number;
    /** The values that belong to no family. */
    readonly fixedCount: number;
    /** An instance with some members of each family, if there may be any. */
    readonly largest: SizedInstance;
    /** The shared cells that name a member at first, at most. */
    readonly namedAtStart: number;
    /** By family the least number of members from which on views hold; fewer are to be explored. */
    readonly least: readonly number[];
    /** What can be checked, with the number of members that show a violation. */
    readonly invariants: readonly NarrowInvariant[];
    readonly instanceAt: (sizes: readonly number[]) => SizedInstance | Refused;
}

interface NarrowInvariant {
    readonly name: string;
    /** Absent if a violation may need all members; then `reasons` has the places. */
    readonly members?: number;
    readonly reasons: readonly Problem[];
}

export type NarrowOutcome =
    | { readonly kind: 'narrow'; readonly narrow: Narrow }
    | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

/** The limit came first; `sample` is one of the models. */
type UndecidedOutcome = { readonly kind: 'undecided'; readonly sample: Model };

/** So many members of each family show how the text treats them. */
const SAMPLE = 4;
/** Families from this least size on are not looked at: smaller sizes would all have to be explored. */
const MOST_LEAST = 8;

export function narrowOf(family: Family): NarrowOutcome;
/** Throws OperationCancelled. */
export function narrowOf(family: Family, limit: WorkLimit): NarrowOutcome | UndecidedOutcome;
export function narrowOf(family: Family, limit: WorkLimit = UNLIMITED): NarrowOutcome | UndecidedOutcome {
    const narrow = describe(family, limit);
    if ('kind' in narrow) {
        return narrow;
    }
    return 'problems' in narrow ? { kind: 'refused', problems: eachOnce(narrow.problems) } : { kind: 'narrow', narrow };
}

function describe(family: Family, limit: WorkLimit): Narrow | Refused | UndecidedOutcome {
    const { parameters } = family;
    const sampleValues = parameters.map(({ least, most }) => Math.min(most, Math.max(least, SAMPLE)));
    const first = instantiate(family, sampleValues);
    if (first.model === undefined) {
        return first;
    }
    const endless = numbersRefused(first.model);
    if (endless.length > 0) {
        return { problems: endless };
    }
    const carrier = carrierOf(withStatedInvariants(first.model), parameters);
    if ('problems' in carrier) {
        return carrier;
    }
    const { families } = carrier;
    const atLeast = (size: number): number[] =>
        families.map(({ least, most }) => Math.min(most, Math.max(least, size)));
    const { model, problems } = instantiate(family, valuesOfSizes(carrier, atLeast(SAMPLE)));
    if (model === undefined) {
        return { problems };
    }
    const sample = withStatedInvariants(model);
    const undecided: UndecidedOutcome = { kind: 'undecided', sample };
    if (limit.isExhausted()) {
        return undecided;
    }
    const instances = new SizedInstances(family, carrier, sample);
    const text = new LoweredText(family, sample);
    const uneven = firstRefusal(
        limit,
        () => declarationsRefused(sample),
        () => unevenUses(family, sample, carrier),
        () => unevenRows(sample),
        () => {
            // Whatever else is looked at, two sizes have one text.
            const other = instances.modelAt(
                atLeast(SAMPLE).map((size, index) => Math.min(families[index].most, size + 1)),
            );
            return 'problems' in other ? other.problems : [];
        },
        () => firstValuesRefused(text),
        () => sample.processes.flatMap(process => whereRefused(process, text)),
    );
    if (uneven !== undefined || limit.isExhausted()) {
        return uneven ?? undecided;
    }
    const decisive = decisiveMembers(text, families.length);
    const ofStart = membersOfStart(text);
    const ofQuietStep = mostMembersOfStep(text, false);
    const uncounted = [decisive, ofStart, ofQuietStep].find(({ reasons }) => reasons.length > 0);
    if (uncounted !== undefined) {
        return { problems: uncounted.reasons };
    }
    const largestFor = (members: number): number[] => atLeast(Math.max(SAMPLE, members + 1, decisive.members));
    const quiet = instances.at(largestFor(ofQuietStep.members));
    if ('problems' in quiet) {
        return quiet;
    }
    const ofStep = mayRace(quiet.sequential) ? mostMembersOfStep(text, true) : ofQuietStep;
    if (ofStep.reasons.length > 0 || limit.isExhausted()) {
        return ofStep.reasons.length > 0 ? { problems: ofStep.reasons } : undecided;
    }
    const sizes = largestFor(ofStep.members);
    const largest = instances.at(sizes);
    if ('problems' in largest) {
        return largest;
    }
    const control = controlOf(largest);
    // A single family has small sizes that are explored one by one, which says more than views.
    const fits = families.length > 1 ? withinControl : sameControl;
    const least = leastSizes(instances, carrier, sizes, limit, instance => fits(control, controlOf(instance)));
    if (least === undefined || 'problems' in least) {
        return least ?? undecided;
    }
    const raised = families.findIndex((each, index) => least[index] > each.least);
    if (raised >= 0 && (families.length > 1 || least[raised] > MOST_LEAST)) {
        const { name, range } = parameters[raised];
        const message = `the control of processes depends on whether \`${name}\` is large enough`;
        return { problems: [refusal(message, range)] };
    }
    /** Instances whose states have the same parts as those of the largest. */
    const alike = new Set<SizedInstance>([largest]);
    return {
        carrier,
        fixedCount: fixedCountOf(carrier),
        largest,
        namedAtStart: namedAtStart(largest),
        extra: ofStep.members,
        ofStart: ofStart.members,
        decisive: decisive.members,
        least,
        invariants: sample.invariants.map(invariant => narrowInvariant(invariant, text)),
        instanceAt: members => {
            const instance = instances.at(members);
            if ('problems' in instance || alike.has(instance)) {
                return instance;
            }
            if (!fits(control, controlOf(instance))) {
                const message = `with ${members.join(' and ')} members the control of a process is another one`;
                return { problems: [refusal(message, instance.model.nameRange)] };
            }
            alike.add(instance);
            return instance;
        },
    };
}

/** The problems of the first check that has some, of those that the limit leaves time for. */
function firstRefusal(limit: WorkLimit, ...checks: readonly (() => readonly Problem[])[]): Refused | undefined {
    for (const check of checks) {
        const problems = limit.isExhausted() ? [] : check();
        if (problems.length > 0) {
            return { problems };
        }
    }
    return undefined;
}

/**
 * By family the least number of members down to which the instance fits, if the others have so many; undefined if the limit
 * comes first.
 */
function leastSizes(
    instances: SizedInstances,
    { families }: Carrier,
    largest: readonly number[],
    limit: WorkLimit,
    fits: (instance: SizedInstance) => boolean,
): number[] | Refused | undefined {
    const least: number[] = [];
    for (const [index, family] of families.entries()) {
        let size = largest[index];
        for (; size > family.least; size--) {
            if (limit.isExhausted()) {
                return undefined;
            }
            const smaller = instances.unchecked(withSize(largest, index, size - 1));
            if ('problems' in smaller) {
                return smaller;
            }
            if (!fits(smaller)) {
                break;
            }
        }
        least.push(size);
    }
    return least;
}

function narrowInvariant({ name, expression }: Model['invariants'][number], text: LoweredText): NarrowInvariant {
    const reasons: Problem[] = [];
    const members = new Witnesses(text, reasons).ofTruth(expression, false);
    if (members > MOST_MEMBERS && members < Infinity) {
        reasons.push(refusal(`a violation has ${members} members, and ${MOST_MEMBERS} are tried`, expression.range));
    }
    return reasons.length > 0 ? { name, reasons } : { name, members, reasons: [] };
}

function namedAtStart({ sequential: { cells, initial } }: SizedInstance): number {
    return initial.filter(
        ({ cell, value }) => value.kind !== 'none' && memberBoundsOf(cells[cell].domain) !== undefined,
    ).length;
}

function withSize(sizes: readonly number[], family: number, size: number): number[] {
    return sizes.map((other, index) => (index === family ? size : other));
}

function declarationsRefused({ processes, channels, channelTypes }: Model): Problem[] {
    const templates = processes.filter(({ template }) => template !== undefined);
    const values = new Set(channelTypes.flatMap(({ members }) => members.map(({ channel }) => channel)));
    return [
        ...templates.map(({ name, nameRange }) =>
            refusal(`instances of \`${name}\` are created while the model runs`, nameRange),
        ),
        ...[...values].flatMap(channel => {
            const { name, indices, nameRange } = channels[channel];
            return indices.some(index => memberBoundsOf(index) !== undefined)
                ? [refusal(`\`${name}\` has a channel for each member, and channels are values`, nameRange)]
                : [];
        }),
    ];
}

/** Numbers without end have classes of their own, which views do not know. */
function numbersRefused({ variables, processes, channels }: Model): Problem[] {
    const places = [
        ...[...variables, ...processes.flatMap(({ locals }) => locals)].map(({ element, nameRange }) => ({
            domains: [element],
            nameRange,
        })),
        ...channels.map(({ message, nameRange }) => ({ domains: message.map(({ domain }) => domain), nameRange })),
    ];
    return places
        .filter(({ domains }) => domains.some(isNumber))
        .map(({ nameRange }) => refusal('it is a number without end; with a bound, `0 .. 9`, it can be', nameRange));
}

/** First values are known before a run: they ask for no members, whose number they would tell. */
function firstValuesRefused(text: LoweredText): Problem[] {
    const { variables, processes } = text.model;
    const refusedOf = (declared: readonly Variable[]): Problem[] =>
        declared.flatMap(({ initializer, nameRange }) => {
            const reasons: Problem[] = [];
            const witnesses = new Witnesses(text, reasons);
            const needed = valuesOf(initializer).reduce((sum, values) => sum + witnesses.ofRows(values), 0);
            return needed === 0 ? [] : [refusal('its first value depends on members', nameRange)];
        });
    return [
        ...refusedOf(variables),
        ...processes.flatMap(each => refusedOf(graphOf(each).headLocals.map(local => each.locals[local]))),
    ];
}

/** Whether there is an instance depends on its indices alone. */
function whereRefused({ where }: Process, text: LoweredText): Problem[] {
    const reasons: Problem[] = [];
    const needed = where === undefined ? 0 : new Witnesses(text, reasons).ofValue(where);
    return where === undefined || needed === 0
        ? []
        : [refusal('whether there is this instance depends on other members', where.range)];
}

/**
 * The members that decide the tests of the control of processes, with the indices and locals that they name. A test that has a value before the run takes steps, and with them labels and events, away from its process.
 */
function decisiveMembers(text: LoweredText, familyCount: number): CountedMembers {
    const reasons: Problem[] = [];
    let most = 0;
    for (const { locals, body } of text.model.processes) {
        const witnesses = new Witnesses(text, reasons);
        const decide = (expression: Expression): void => {
            const members = witnesses.ofValue(expression);
            if (members > MOST_MEMBERS && members < Infinity) {
                const message = `this may depend on ${members} members, and ${MOST_MEMBERS} are tried`;
                reasons.push(refusal(message, expression.range));
            }
            if (members > 0 && familyCount > 1) {
                reasons.push(
                    refusal('with several parameters no test before a step asks for members', expression.range),
                );
            }
            most = Math.max(most, members === 0 ? 0 : members + namesIn(expression).size);
        };
        const visit = (control: Control): void => {
            if ('condition' in control) {
                decide(control.condition);
            } else if (control.kind === 'declare') {
                // Later tests may know the value.
                valuesOf(locals[control.local].initializer).flat().forEach(decide);
            }
            controlsIn(control).forEach(visit);
        };
        body.forEach(visit);
    }
    return { members: most, reasons };
}

/** The indices of the process, and the locals, that an expression names; bound variables inside it count, too. */
function namesIn(expression: Expression): Set<string> {
    const own =
        expression.kind === 'binder'
            ? [`index ${expression.binder.id}`]
            : expression.kind === 'read' && expression.place.kind === 'local'
              ? [`local ${expression.place.local}`]
              : [];
    return new Set([...own, ...partsOf(expression).flatMap(part => [...namesIn(part)])]);
}

function membersOfStart(text: LoweredText): CountedMembers {
    const reasons: Problem[] = [];
    const witnesses = new Witnesses(text, reasons);
    const { initialConditions, constraints } = text.model;
    for (const constraint of constraints) {
        // What holds of all members holds of some: a part of the state can take the step, too.
        if (text.mayFault(constraint) || witnesses.ofTruth(constraint, true) > 0) {
            reasons.push(refusal('a constraint must say of all members what it says of fewer', constraint.range));
        }
    }
    const members = initialConditions.reduce((sum, condition) => sum + witnesses.ofTruth(condition, true), 0);
    if (members > MOST_MEMBERS && members < Infinity) {
        const message = `an initial state may depend on ${members} members, and ${MOST_MEMBERS} are tried`;
        reasons.push(refusal(message, initialConditions[0].range));
    }
    return { members, reasons };
}

/** Whether some joint step tests that its parts do not write the same cell. */
function mayRace({ summands }: SequentialModel): boolean {
    return summands.some(
        ({ participants }) => participants.length > 1 && JSON.stringify(participants).includes('"race"'),
    );
}
