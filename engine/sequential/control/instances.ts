/** The instances of the processes, one for each valuation that satisfies the `where`, with control and cells. */
import { invariant, unreachable } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import { codeOfValue, domainSize, valuesOfDomain } from '../../model/domain.js';
import type { Domain, Value } from '../../model/domain.js';
import type { Expression, Place } from '../../model/expression.js';
import type { Initializer, Model, Process, Variable } from '../../model/model.js';
import { formatChannel, formatExpression } from '../../model/print.js';
import { forEachStatement, stepsIn, targetsOf } from '../../model/walk-model.js';
import { checkCount, formatCellValues, layOutVariables, sizeOfArray, valuation, withinAt } from '../cell-layout.js';
import { hasPart } from '../absent-fields.js';
import { withChoices } from './choices.js';
import type { ChoiceFacts, Chosen } from './choices.js';
import { buildControlGraph } from './control-graph.js';
import type { Binding, ControlGraph, DeclareSite } from './control-graph.js';
import { LIMITS, stop } from '../linearization-limits.js';
import type { UnfoldingBudget } from '../linearization-limits.js';
import { findLocations } from './locations.js';
import type { Locations, Offer, PathItem } from './locations.js';
import type { Cell, Location } from '../sequential-model.js';
import type { Specializer } from '../expression/specialize.js';
import { emptyScope, type Scope, type VariableCells } from '../expression/scope.js';

/** An instance before its locations are known. */
export interface InstanceOutline {
    /** Index into `Model.processes`. */
    readonly process: number;
    readonly name: string;
    readonly indices: readonly Value[];
    readonly binding: Binding;
    /** Position of the instance among the valuations of its family, row by row. */
    readonly position: number;
}

/** An instance with its locations and cells. */
export interface PlacedInstance extends InstanceOutline {
    readonly declaration: Process;
    readonly graph: ControlGraph;
    readonly locations: Locations;
    /** By location what it is called. */
    readonly places: readonly Location[];
    /** By location its ways with their choices made. */
    readonly ways: readonly (readonly Offer[])[];
    /** By the index in `Process.locals`. */
    readonly locals: readonly VariableCells[];
    /** The locals that only their declarations assign. */
    readonly unassigned: ReadonlySet<number>;
    /** The cell of the program counter, or -1. */
    readonly counter: number;
    /** Of the instance of a template: the location of one that does not live. It is not the first one. */
    readonly ended?: number;
}

/** One outline for each valuation of each family that satisfies its `where`. */
export function findInstances(model: Model, specializer: Specializer): InstanceOutline[] {
    const outlines: InstanceOutline[] = [];
    model.processes.forEach((process, processIndex) => {
        const domains = process.indices.map(binder => binder.domain);
        const count = sizeOfArray(domains);
        if (count > LIMITS.valuations) {
            stop(
                'limit/instances',
                `the indices of \`${process.name}\` have ${count.toLocaleString('en-US')} values; ` +
                    `at most ${LIMITS.valuations.toLocaleString('en-US')} are looked at`,
                process.nameRange,
            );
        }
        for (let position = 0; position < count; position++) {
            const values = valuation(domains, position);
            const binding = new Map(process.indices.map((binder, dimension) => [binder.id, values[dimension]]));
            if (process.where !== undefined) {
                const where = specializer.decided(process.where, { ...emptyScope(), binders: new Map(binding) });
                if (where === undefined) {
                    stop(
                        'process/where',
                        `the \`where\` of \`${process.name}\` has no value before the run`,
                        process.where.range,
                    );
                }
                if (!where) {
                    continue;
                }
            }
            if (outlines.length >= LIMITS.instances) {
                stop(
                    'limit/instances',
                    `the model has more than ${LIMITS.instances.toLocaleString('en-US')} process instances`,
                    process.nameRange,
                );
            }
            const indices = formatCellValues(domains, values);
            const name =
                process.template !== undefined
                    ? indices
                    : domains.length === 0
                      ? process.name
                      : `${process.name}[${indices}]`;
            outlines.push({ process: processIndex, name, indices: values, binding, position });
        }
    });
    return outlines;
}

/** Unfolds the control of instances and appends the cells of their locals and their counters. */
export function instancePlacer(
    model: Model,
    cells: Cell[],
    specializer: Specializer,
    unfolding: UnfoldingBudget,
): (outline: InstanceOutline, instance: number) => PlacedInstance {
    const unassigned: ReadonlySet<number>[] = [];
    return (outline, instance) => {
        const declaration = model.processes[outline.process];
        const locals = layOutVariables(cells, declaration.locals, `${outline.name}.`, instance);
        const fixed = (unassigned[outline.process] ??= unassignedLocals(declaration));
        const scopeOf = (binding: Binding, chosen?: Chosen): Scope => ({
            locals,
            binders: new Map(binding),
            temporaries: new Map(),
            ...(chosen === undefined ? {} : { chosen: withinSet(chosen, fixed) }),
        });
        const graph = buildControlGraph(declaration, outline.binding, (condition, binding) =>
            specializer.decided(condition, scopeOf(binding)),
        );
        const found = findLocations(graph, declaration.nameRange, unfolding);
        const isTemplate = declaration.template !== undefined;
        const { locations, ended } = isTemplate ? withEnd(found) : { locations: found };
        const choices = new Map<number, readonly (readonly Value[])[]>();
        const initializerOf = (site: DeclareSite): Initializer => declaration.locals[site.local].initializer;
        const facts: ChoiceFacts = {
            isChoice: site => ['any', 'oneOf'].includes(initializerOf(site).kind),
            choicesOf: (site, chosen) => {
                const local = declaration.locals[site.local];
                // The choices of the path hold until the step, whatever is assigned later.
                const scope = { ...scopeOf(site.binding), chosen };
                const known = choices.get(site.id) ?? choicesOfLocal(local, scope, specializer, site.range);
                if (local.initializer.kind === 'any' && local.within === undefined) {
                    choices.set(site.id, known);
                }
                return known;
            },
            decide: (site, chosen) => {
                const scope = scopeOf(site.binding, chosen);
                const known = specializer.decided(site.condition, scope);
                return known === undefined && specializer.isNeverTrue(site.condition, scope) ? false : known;
            },
        };
        const ways = locations.map(offers => withChoices(offers, facts, declaration.nameRange, unfolding));
        const places = toLocations(locations, declaration, model, (expression, binding) =>
            specializer.known(expression, scopeOf(binding)),
        );
        let counter = -1;
        if (locations.length > 1 || isTemplate) {
            counter = cells.length;
            checkCount(cells.length + 1, declaration.nameRange);
            const counted = counterCell(outline, declaration, places, instance);
            cells.push(ended === undefined ? counted : { ...counted, ended });
        }
        const end = ended === undefined ? {} : { ended };
        return { ...outline, declaration, graph, locations, places, ways, locals, unassigned: fixed, counter, ...end };
    };
}

/** With a location where control can only leave the body, without a test: a step that leads there ends the instance. */
function withEnd(locations: Locations): { readonly locations: Locations; readonly ended: number } {
    const ended = locations.findIndex((offers, location) => location > 0 && isEnd(offers));
    if (ended < 0) {
        return { locations: [...locations, [{ path: [], target: -1 }]], ended: locations.length };
    }
    // Ends that differ in their labels are one.
    const isOtherEnd = (location: number): boolean => location > ended && isEnd(locations[location]);
    const united = locations.map((offers, location) =>
        isOtherEnd(location)
            ? []
            : offers.map(offer => (isOtherEnd(offer.target) ? { ...offer, target: ended } : offer)),
    );
    return { locations: united, ended };
}

/** Whether control can only leave the body, without a test; of the first location: the text is empty. */
export function isEnd(offers: readonly Offer[]): boolean {
    return (
        offers.length > 0 &&
        offers.every(({ path, step }) => step === undefined && path.every(({ kind }) => kind !== 'test'))
    );
}

/** The choices that later writes leave as they are. */
export function withinSet(chosen: Chosen, locals: ReadonlySet<number>): Chosen {
    let kept: Map<number, readonly Value[]> | undefined;
    chosen.forEach((_, local) => {
        if (!locals.has(local)) {
            kept ??= new Map(chosen);
            kept.delete(local);
        }
    });
    return kept ?? chosen;
}

/** The values that a declaration in a body may choose for the cells of a local. */
function choicesOfLocal(local: Variable, scope: Scope, specializer: Specializer, range: SourceRange): Value[][] {
    const cellCount = sizeOfArray(local.indices);
    const lists = valuesToChoose(local, scope, specializer);
    const { within } = local;
    const chosen = within && scope.chosen?.get(within.of);
    /** Whether the case or the length that has been chosen has this part; else there is nothing to choose. */
    const isThere = (cell: number): boolean =>
        within === undefined ||
        chosen === undefined ||
        hasPart(
            withinAt(within, within.of, valuation(local.indices, cell), scope.locals[within.of]),
            chosen[Math.floor((cell * chosen.length) / cellCount)],
        );
    const listOf = (cell: number): readonly Value[] => {
        const list = lists[lists.length === 1 ? 0 : cell];
        return isThere(cell) ? list : list.slice(0, 1);
    };
    let count = 1;
    for (let cell = 0; cell < cellCount; cell++) {
        count *= listOf(cell).length;
        if (count > LIMITS.paths) {
            stop(
                'limit/paths',
                `\`${local.name}\` has more than ${LIMITS.paths.toLocaleString('en-US')} possible values here`,
                range,
            );
        }
    }
    return Array.from({ length: count }, (_, choice) => {
        let rest = choice;
        const chosen: Value[] = [];
        for (let cell = cellCount - 1; cell >= 0; cell--) {
            const list = listOf(cell);
            chosen.unshift(list[rest % list.length]);
            rest = Math.floor(rest / list.length);
        }
        return chosen;
    });
}

/** The values for each cell, or one list for all cells. */
function valuesToChoose(
    { initializer, element }: Variable,
    scope: Scope,
    specializer: Specializer,
): readonly (readonly Value[])[] {
    switch (initializer.kind) {
        case 'any':
            // A list longer than the limit is not built; the check that follows reports it.
            return [
                domainSize(element) > LIMITS.paths
                    ? Array.from({ length: LIMITS.paths + 1 }, () => 0)
                    : valuesOfDomain(element),
            ];
        case 'oneOf':
            return initializer.choices.map(expressions => {
                const values = new Set<Value>();
                for (const expression of expressions) {
                    const value = specializer.known(expression, scope);
                    if (value === undefined || codeOfValue(element, value) < 0) {
                        stop(
                            'local/set',
                            'the values to choose from must be known before the run and lie in the type of the variable',
                            expression.range,
                        );
                    }
                    values.add(value);
                }
                return [...values].sort((a, b) => codeOfValue(element, a) - codeOfValue(element, b));
            });
        case 'default':
        case 'value':
            return invariant(false, 'the declaration has a choice') as never;
        default:
            return unreachable(initializer);
    }
}

function counterCell(
    outline: InstanceOutline,
    declaration: Process,
    places: readonly Location[],
    instance: number,
): Cell {
    return {
        name: `${outline.name}.at`,
        domain: {
            kind: 'enumeration',
            name: `${outline.name} location`,
            values: places.map(({ name }) => name),
        },
        kind: 'counter',
        variable: -1,
        instance,
        indices: [],
        mayBeAbsent: false,
        declaration: declaration.nameRange,
    };
}

/** The value of an expression before the run; undefined if it depends on the state. */
type KnownValue = (expression: Expression, binding: Binding) => Value | undefined;

/**
 * Names and places of locations: the label of the step, else its event or channel. Of a name that several would have each
 * says more, `get[0, 1]` with the values of the instance; what is still repeated gets a number.
 */
function toLocations(locations: Locations, declaration: Process, model: Model, known: KnownValue): Location[] {
    const firsts = locations.map(offers => offers.find(offer => offer.step !== undefined));
    const shortNames = firsts.map(first => nameOf(first, declaration, communicationOf(first, model)));
    const uses = new Map<string, number>();
    return firsts.map((first, location) => {
        const isRepeated = shortNames.filter(name => name === shortNames[location]).length > 1;
        const name = isRepeated
            ? nameOf(first, declaration, wholeCommunicationOf(first, declaration, model, known))
            : shortNames[location];
        const use = (uses.get(name) ?? 0) + 1;
        uses.set(name, use);
        const range = first?.step?.step.range ?? declaration.nameRange;
        return { name: use === 1 ? name : `${name} (${use})`, range };
    });
}

function nameOf(first: Offer | undefined, declaration: Process, communication: string | undefined): string {
    if (first === undefined) {
        return 'end';
    }
    const { start } = first.step?.step.range ?? declaration.nameRange;
    return lastLabel(first.path) ?? communication ?? `line ${start.line + 1}`;
}

/** `get[0, 1]`, `send link[2]`: the event or the channel, an index that depends on the state as the text has it. */
function wholeCommunicationOf(
    offer: Offer | undefined,
    declaration: Process,
    model: Model,
    known: KnownValue,
): string | undefined {
    const { step: { communication } = {}, binding } = offer?.step ?? {};
    if (communication === undefined || binding === undefined) {
        return undefined;
    }
    const withValues = (indices: readonly Expression[], domains: readonly Domain[]): Expression[] =>
        indices.map((index, at) => {
            const value = known(index, binding);
            return value === undefined ? index : { kind: 'constant', value, domain: domains[at], range: index.range };
        });
    if (communication.kind === 'event') {
        const { name, arguments: domains } = model.events[communication.event];
        const indices = withValues(communication.arguments, domains).map(index =>
            formatExpression(model, declaration, index),
        );
        return indices.length === 0 ? name : `${name}[${indices.join(', ')}]`;
    }
    const { channel, kind } = communication;
    const place =
        channel.kind === 'value'
            ? channel
            : { ...channel, indices: withValues(channel.indices, model.channels[channel.channel].indices) };
    return `${kind} ${formatChannel(model, declaration, place)}`;
}

function communicationOf(offer: Offer | undefined, model: Model): string | undefined {
    const communication = offer?.step?.step.communication;
    if (communication?.kind === 'event') {
        return model.events[communication.event].name;
    }
    if (communication?.channel.kind !== 'declared') {
        return undefined;
    }
    const { name } = model.channels[communication.channel.channel];
    return `${communication.kind} ${name}`;
}

function lastLabel(path: readonly PathItem[]): string | undefined {
    for (let index = path.length - 1; index >= 0; index--) {
        const item = path[index];
        if (item.kind === 'label') {
            return item.label;
        }
    }
    return undefined;
}

/** The locals of a process that its steps do not assign: they keep the values of their declarations. */
function unassignedLocals(process: Process): Set<number> {
    const unassigned = new Set(process.locals.keys());
    const exclude = (target: Place): void => {
        if (target.kind === 'local') {
            unassigned.delete(target.local);
        }
    };
    for (const { body, communication } of stepsIn(process.body)) {
        (communication?.kind === 'receive' ? communication.bindings : []).forEach(({ target }) => {
            exclude(target);
        });
        forEachStatement(body, statement => {
            targetsOf(statement).forEach(exclude);
        });
    }
    return unassigned;
}

/** The instances of a process by their indices. */
export interface Family {
    /** Of the indices. */
    readonly domains: readonly Domain[];
    /** The instance at a position, row by row; undefined if the `where` excludes it. */
    readonly instanceAt: (position: number) => number | undefined;
}

/** The instances of a family by position, for `P[e] at label`. */
export function familyOf(model: Model, outlines: readonly InstanceOutline[]): (process: number) => Family {
    const byPosition = model.processes.map(() => new Map<number, number>());
    outlines.forEach((outline, instance) => {
        const positions = byPosition[outline.process];
        invariant(!positions.has(outline.position), 'each valuation has one instance');
        positions.set(outline.position, instance);
    });
    return process => ({
        domains: model.processes[process].indices.map(binder => binder.domain),
        instanceAt: position => byPosition[process].get(position),
    });
}
