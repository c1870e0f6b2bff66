/**
 * Whether a text is *narrow*: its states are a shared part and, for each member of a family, cells that name no other
 * member; members are only copied and compared; and a step, a fault, an initial state and a violated invariant can be seen
 * in the part of a state with a few members. Then views prove properties for all sizes (view-search.ts).
 * [AbdullaHazizaHolik2013]
 */
import type { Problem } from '../engine/common/problem.js';
import { baseOf, memberBoundsOf, NONE, valueOfCode } from '../engine/model/domain.js';
import type { Expression } from '../engine/model/expression.js';
import type { Control, Model, Process, Variable } from '../engine/model/model.js';
import { withStatedInvariants } from '../engine/sequential/runs/stated-invariants.js';
import { controlsIn, partsOf } from '../engine/model/walk-model.js';
import { cellsWrittenBy } from '../engine/sequential/cell-access.js';
import { linearize } from '../engine/sequential/linearize.js';
import { LinearizationStopped } from '../engine/sequential/linearization-limits.js';
import type { Participant, SequentialModel } from '../engine/sequential/sequential-model.js';
import { carrierOf, fixedCountOf, isFixed, valuesOfSizes, type Carrier } from './carrier.js';
import { controlOf, sameControl, withinControl } from './control-structure.js';
import type { MemberSurroundings } from './fault-free.js';
import { memberLayoutOf, type SizedInstance } from './member-layout.js';
import { graphOf } from './offers.js';
import { refusal } from './refusal.js';
import { instantiate, type Family, type Instance } from '../language/instantiate.js';
import { MOST_MEMBERS, mostMembersOfStep } from './step-members.js';
import { differenceOf, uniformText } from './uniform-text.js';
import { unevenRows } from './member-rows.js';
import { unevenUses } from './member-uses.js';
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
    /** Some members of each family, if there may be any. */
    readonly sample: readonly number[];
    /** The shared cells that name a member at first, at most. */
    readonly namedAtStart: number;
    /** By family the least number of members from which on views hold; fewer are to be explored. */
    readonly least: readonly number[];
    /** What can be checked, with the number of members that show a violation. */
    readonly invariants: readonly NarrowInvariant[];
    /** Throws NotUniform, or LinearizationStopped where the instance is too large. */
    readonly instanceAt: (sizes: readonly number[]) => SizedInstance;
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

/** An instance differs from the others by more than its size. */
export class NotUniform extends Error {
    override readonly name = 'NotUniform';
    readonly problems: readonly Problem[];

    constructor(problems: readonly Problem[]) {
        super('the models of the family are not uniform');
        this.problems = problems;
    }
}

/** So many members of each family show how the text treats them. */
const SAMPLE = 4;
/** Families from this least size on are not looked at: smaller sizes would all have to be explored. */
const MOST_LEAST = 8;

export function narrowOf(family: Family): NarrowOutcome {
    const narrow = unlessRefused(() => describe(family));
    return 'problems' in narrow ? { kind: 'refused', ...narrow } : { kind: 'narrow', narrow };
}

/** The result of work with instances of a family, or why one of them cannot be used. */
export function unlessRefused<Result>(work: () => Result): Result | { readonly problems: readonly Problem[] } {
    try {
        return work();
    } catch (error) {
        if (error instanceof NotUniform) {
            return { problems: error.problems };
        }
        if (error instanceof LinearizationStopped) {
            return { problems: [error.problem] };
        }
        throw error;
    }
}

function describe(family: Family): Narrow {
    const { parameters } = family;
    const sampleValues = parameters.map(({ least, most }) => Math.min(most, Math.max(least, SAMPLE)));
    const carrier = carrierOf(modelOf(instantiate(family, sampleValues)), parameters);
    if ('refusals' in carrier) {
        throw new NotUniform(carrier.refusals);
    }
    const { families } = carrier;
    const atLeast = (size: number): number[] =>
        families.map(({ least, most }) => Math.min(most, Math.max(least, size)));
    const sample = modelOf(instantiate(family, valuesOfSizes(carrier, atLeast(SAMPLE))));
    refuseIfAny(declarationsRefused(sample));
    refuseIfAny(unevenUses(family, sample, carrier));
    refuseIfAny(unevenRows(sample));
    const texts = uniformText(sample);
    const instances = new Map<string, SizedInstance>();
    const given = (sizes: readonly number[]): string =>
        parameters.map(({ name }, position) => `${name} = ${valuesOfSizes(carrier, sizes)[position]}`).join(', ');
    const withSizes = (problems: readonly Problem[], sizes: readonly number[]): Problem[] =>
        problems.map(each => ({ ...each, message: `with ${given(sizes)}: ${each.message}` }));
    /** Only limits are about the size that nobody asked for. */
    const isLimit = ({ code }: Problem): boolean => code.startsWith('limit/');
    const modelWith = (sizes: readonly number[]): Model => {
        const { model: made, problems } = instantiate(family, valuesOfSizes(carrier, sizes));
        if (made === undefined) {
            throw new NotUniform(withSizes(problems, sizes));
        }
        const model = withStatedInvariants(made);
        // Without members the rows of arrays are missing.
        if (!sizes.includes(0) && uniformText(model) !== texts) {
            const place = differenceOf(sample, model) ?? model.nameRange;
            throw new NotUniform([refusal(`with ${given(sizes)} the text means something else here`, place)]);
        }
        return model;
    };
    const make = (sizes: readonly number[]): SizedInstance => {
        const model = modelWith(sizes);
        const { sequential, problems } = linearize(model);
        if (sequential === undefined) {
            throw new NotUniform(problems.flatMap(each => (isLimit(each) ? withSizes([each], sizes) : each)));
        }
        return { model, sequential, layout: memberLayoutOf(model, sequential, carrier, sizes) };
    };
    // Whatever else is looked at, two sizes have one text.
    modelWith(atLeast(SAMPLE).map((size, family) => Math.min(families[family].most, size + 1)));
    const around: MemberSurroundings = { model: sample, parameters, locals: [], message: [] };
    refuseIfAny(firstValuesRefused(around));
    refuseIfAny(sample.processes.flatMap(process => whereRefused(process, around)));
    const decisive = decisiveMembers(around, families.length);
    const stepWith = (mayRace: boolean): number => {
        const { members, reasons } = mostMembersOfStep(sample, parameters, mayRace);
        refuseIfAny(reasons);
        return members;
    };
    const largestFor = (members: number): number[] => atLeast(Math.max(SAMPLE, members + 1, decisive));
    const ofStart = membersOfStart(around);
    const invariants = sample.invariants.map(({ name, expression }): NarrowInvariant => {
        const because: Problem[] = [];
        const members = new Witnesses(around, because).ofTruth(expression, false);
        if (members > MOST_MEMBERS && members < Infinity) {
            because.push(
                refusal(`a violation has ${members} members, and ${MOST_MEMBERS} are tried`, expression.range),
            );
        }
        return because.length > 0 ? { name, reasons: because } : { name, members, reasons: [] };
    });
    const checked = (sizes: readonly number[]): SizedInstance => {
        const key = sizes.join();
        let instance = instances.get(key);
        if (instance === undefined) {
            instance = make(sizes);
            instances.set(key, instance);
        }
        return instance;
    };
    /** Instances that have passed; which locals hold a value depends on their sizes. */
    const passed = new Set<SizedInstance>();
    const narrowed = (sizes: readonly number[]): SizedInstance => {
        const instance = checked(sizes);
        if (!passed.has(instance)) {
            refuseIfAny(cellsRefused(instance));
            refuseIfAny(startRefused(instance, carrier));
            passed.add(instance);
        }
        return instance;
    };
    const ofQuietStep = stepWith(false);
    const ofStep = mayRace(narrowed(largestFor(ofQuietStep)).sequential) ? stepWith(true) : ofQuietStep;
    const largest = largestFor(ofStep);
    const control = controlOf(narrowed(largest));
    // A single family has small sizes that are explored one by one, which says more than views.
    const fits = families.length > 1 ? withinControl : sameControl;
    /** Instances whose states have the same parts as those of the largest. */
    const alike = new Set<SizedInstance>();
    const least = families.map((family, index) => {
        let size = largest[index];
        while (size > family.least && fits(control, controlOf(checked(withSize(largest, index, size - 1))))) {
            size--;
        }
        return size;
    });
    const raised = families.findIndex((family, index) => least[index] > family.least);
    if (raised >= 0 && (families.length > 1 || least[raised] > MOST_LEAST)) {
        const { name, range } = parameters[raised];
        throw new NotUniform([
            refusal(`the control of processes depends on whether \`${name}\` is large enough`, range),
        ]);
    }
    return {
        carrier,
        fixedCount: fixedCountOf(carrier),
        sample: largest,
        namedAtStart: namedAtStart(narrowed(largest)),
        extra: ofStep,
        ofStart,
        decisive,
        least,
        invariants,
        instanceAt: sizes => {
            const instance = narrowed(sizes);
            if (!alike.has(instance)) {
                if (!fits(control, controlOf(instance))) {
                    const message = `with ${sizes.join(' and ')} members the control of a process is another one`;
                    throw new NotUniform([refusal(message, instance.model.nameRange)]);
                }
                alike.add(instance);
            }
            return instance;
        },
    };
}

function namedAtStart({ sequential: { cells, initial } }: SizedInstance): number {
    return initial.filter(
        ({ cell, value }) => value.kind !== 'none' && memberBoundsOf(cells[cell].domain) !== undefined,
    ).length;
}

function withSize(sizes: readonly number[], family: number, size: number): number[] {
    return sizes.map((other, index) => (index === family ? size : other));
}

function modelOf({ model, problems }: Instance): Model {
    if (model === undefined) {
        throw new NotUniform(problems);
    }
    return withStatedInvariants(model);
}

function refuseIfAny(problems: readonly Problem[]): void {
    if (problems.length > 0) {
        throw new NotUniform(problems);
    }
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

/** The cells that belong to two members, or belong to one and name another one between steps. */
function cellsRefused({ sequential, layout }: SizedInstance): Problem[] {
    const found = new Map<string, Problem>();
    sequential.cells.forEach(({ kind, domain, name, declaration }, cell) => {
        const owners = layout.owners[cell];
        if (kind === 'temporary' || owners.length === 0 || isAlwaysAbsent(cell, sequential)) {
            return;
        }
        const key = layout.keys[cell];
        if (found.has(key)) {
            return;
        }
        const letters = withLetters(name, owners.length);
        if (owners.length > 1) {
            found.set(key, refusal(`there is a cell for each pair of members: \`${letters}\``, declaration));
        } else if (memberBoundsOf(domain) !== undefined) {
            const message = `\`${letters}\` belongs to one member and may refer to another one`;
            found.set(key, refusal(message, declaration));
        }
    });
    return [...found.values()];
}

/** The name of a cell with letters for its first indices, which are members: `next[i]`, `linked[i, j]`. */
function withLetters(name: string, count: number): string {
    let position = 0;
    return name.replace(/\[[^\]]*\]/g, indices =>
        indices.replace(/\d+/g, number => (position < count ? LETTERS.charAt(position++) : number)),
    );
}

const LETTERS = 'ijklmnopqrstuvwxyz';

/** Whether a local holds a value during steps only. */
function isAlwaysAbsent(cell: number, { cells, initial, summands }: SequentialModel): boolean {
    if (cells[cell].kind !== 'local') {
        return false;
    }
    return (
        initial.every(entry => entry.cell !== cell || entry.value.kind === 'none') &&
        summands.every(({ participants }) => participants.every(participant => !leavesValue(participant, cell)))
    );
}

function leavesValue(participant: Participant, cell: number): boolean {
    const isCleared = participant.body.some(statement => statement.kind === 'clear' && statement.cell === cell);
    return !isCleared && cellsWrittenBy(participant).includes(cell);
}

/** Initial values that single out a member. */
function startRefused({ sequential, layout }: SizedInstance, carrier: Carrier): Problem[] {
    const problems: Problem[] = [];
    const values = new Map<string, string>();
    for (const { cell, value } of sequential.initial) {
        const { kind, domain, declaration } = sequential.cells[cell];
        if (kind === 'temporary' || value.kind === 'none' || value.kind === 'any') {
            const key = layout.keys[cell];
            if (kind !== 'temporary' && (values.get(key) ?? value.kind) !== value.kind) {
                problems.push(refusal('it begins in another way for some members', declaration));
            }
            values.set(key, value.kind);
            continue;
        }
        const expressions = value.kind === 'value' ? [value.expression] : value.expressions;
        const isConstant = expressions.every(expression => expression.kind === 'constant');
        if (!isConstant) {
            problems.push(refusal('its first value depends on other variables', value.range));
            continue;
        }
        if (memberBoundsOf(domain) !== undefined) {
            // The first value of the type stays the first one in every part that has it.
            const first = valueOfCode(baseOf(domain), 0);
            const isFirst = expressions.every(
                expression =>
                    expression.kind === 'constant' &&
                    (expression.value === first || expression.value === NONE || isFixed(carrier, expression.value)),
            );
            if (!isFirst) {
                problems.push(refusal('it begins with one of the members', value.range));
            }
        }
        const text = JSON.stringify(expressions.map(expression => (expression as { value: number }).value));
        const key = layout.keys[cell];
        if ((values.get(key) ?? text) !== text) {
            problems.push(refusal('it begins in another way for some members', value.range));
        }
        values.set(key, text);
    }
    return problems;
}

/** First values are known before a run: they ask for no members, whose number they would tell. */
function firstValuesRefused(around: MemberSurroundings): Problem[] {
    const { variables, processes } = around.model;
    const refusedOf = (declared: readonly Variable[], locals: readonly Variable[]): Problem[] =>
        declared.flatMap(({ initializer, nameRange }) => {
            const reasons: Problem[] = [];
            const witnesses = new Witnesses({ ...around, locals }, reasons);
            const needed = valuesOf(initializer).reduce((sum, values) => sum + witnesses.ofRows(values), 0);
            return needed === 0 ? [] : [refusal('its first value depends on members', nameRange)];
        });
    return [
        ...refusedOf(variables, []),
        ...processes.flatMap(each =>
            refusedOf(
                graphOf(each).headLocals.map(local => each.locals[local]),
                each.locals,
            ),
        ),
    ];
}

/** Whether there is an instance depends on its indices alone. */
function whereRefused({ where }: Process, around: MemberSurroundings): Problem[] {
    const reasons: Problem[] = [];
    const needed = where === undefined ? 0 : new Witnesses(around, reasons).ofValue(where);
    return where === undefined || needed === 0
        ? []
        : [refusal('whether there is this instance depends on other members', where.range)];
}

/**
 * The members that decide the tests of the control of processes, with the indices and locals that they name. A test that has a value before the run takes steps, and with them labels and events, away from its process.
 */
function decisiveMembers(around: MemberSurroundings, familyCount: number): number {
    const reasons: Problem[] = [];
    let most = 0;
    for (const { locals, body } of around.model.processes) {
        const witnesses = new Witnesses({ ...around, locals }, reasons);
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
    refuseIfAny(reasons);
    return most;
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

function membersOfStart(around: MemberSurroundings): number {
    const reasons: Problem[] = [];
    const witnesses = new Witnesses(around, reasons);
    const { initialConditions } = around.model;
    const members = initialConditions.reduce((sum, condition) => sum + witnesses.ofTruth(condition, true), 0);
    if (members > MOST_MEMBERS && members < Infinity) {
        const message = `an initial state may depend on ${members} members, and ${MOST_MEMBERS} are tried`;
        reasons.push(refusal(message, initialConditions[0].range));
    }
    refuseIfAny(reasons);
    return members;
}

/** Whether some joint step tests that its parts do not write the same cell. */
function mayRace({ summands }: SequentialModel): boolean {
    return summands.some(
        ({ participants }) => participants.length > 1 && JSON.stringify(participants).includes('"race"'),
    );
}
