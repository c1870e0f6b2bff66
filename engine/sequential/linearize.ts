/**
 * From processes to one list of guarded summands.
 *
 *     instances ── control graph ── locations ── cells ── live locals ── offers ── summands
 *
 * 1. Each family becomes its instances; the control of each instance a graph in which static tests are decided
 *    (control-graph.ts).
 * 2. The graph is unfolded into locations and offers (locations.ts). Now it is known which instances need a program
 *    counter, so cells get their numbers.
 * 3. Expressions are specialized to the instance (specialize.ts), with `at` as an expression over program counters and
 *    tests (labels.ts).
 * 4. Locals that are not live hold no value (liveness.ts).
 * 5. Steps with the same event meet (synchronize.ts).
 *
 * The result is deterministic. Problems are returned; with an error among them there is no sequential model.
 */
import { invariant, unreachable } from '../common/assert.js';
import type { Problem } from '../common/problem.js';
import type { SourceRange } from '../common/source-range.js';
import { domainSize, formatValue, valueOfCode } from '../model/domain.js';
import type { Domain, Value } from '../model/domain.js';
import type { Expression } from '../model/expression.js';
import type { Model, Process, Variable } from '../model/model.js';
import { buildControlGraph } from './control-graph.js';
import type { ControlGraph, TestSite } from './control-graph.js';
import { Labels } from './labels.js';
import { LIMITS, LinearizationStopped, NodeBudget, stop, UnfoldingBudget } from './linearization-limits.js';
import { forEachCellRead, liveLocals } from './liveness.js';
import type { Access, Locals } from './liveness.js';
import { findLocations } from './locations.js';
import type { Locations, Offer, PathItem } from './locations.js';
import type {
    Cell,
    InitialCell,
    InitialValue,
    Instance,
    Location,
    Participant,
    PathElement,
    SequentialExpression,
    SequentialModel,
    SequentialStatement,
} from './sequential-model.js';
import { binary, constant, isTrue, negation } from './simplify.js';
import { Specializer } from './specialize.js';
import type { ResolveAt, Scope, VariableCells } from './specialize.js';
import { staticValue } from './static-value.js';
import { inDomain, substitute } from './substitute.js';
import { synchronize } from './synchronize.js';
import type { InstanceOffer } from './synchronize.js';

export interface Linearization {
    /** Absent where a problem is an error. */
    readonly sequential?: SequentialModel;
    readonly problems: readonly Problem[];
}

export function linearize(model: Model): Linearization {
    try {
        return linearizeWithinLimits(model);
    } catch (error) {
        if (error instanceof LinearizationStopped) {
            return { problems: [error.problem] };
        }
        throw error;
    }
}

/** An instance before its locations are known. */
interface InstanceOutline {
    readonly process: number;
    readonly name: string;
    readonly indices: readonly Value[];
    readonly binders: ReadonlyMap<number, Value>;
    /** Position of the instance among the valuations of its family, row by row. */
    readonly position: number;
}

/** An instance with its locations and cells. */
interface PlacedInstance extends InstanceOutline {
    readonly declaration: Process;
    readonly graph: ControlGraph;
    readonly locations: Locations;
    readonly scope: Scope;
    readonly counter: number;
}

function linearizeWithinLimits(model: Model): Linearization {
    const budget = new NodeBudget(LIMITS.nodes);
    const shared = layOutShared(model);
    const staticBudget = new NodeBudget(LIMITS.staticNodes);
    const outlines = findInstances(model, staticBudget);
    const { cells, instances } = placeInstances(model, shared, outlines, staticBudget);
    const specializer: Specializer = new Specializer({
        variables: shared.variables,
        budget,
        resolveAt: (process, indices, label, range) => labels.at(process, indices, label, range),
    });
    const views = instances.map(instance => new InstanceView(instance, specializer));
    const labels: Labels = new Labels({
        cells,
        budget,
        instances: views.map(view => ({
            locations: view.instance.locations,
            counter: view.instance.counter,
            range: view.instance.declaration.nameRange,
            elements: item => view.elements(item),
        })),
        family: familyOf(model, outlines),
    });

    // What a test before a label reads is evaluated only at the location that has the test, where it is live anyway.
    // So `at` makes nothing live, and stays opaque while liveness is computed.
    const opaque = new Specializer({
        variables: shared.variables,
        budget: new NodeBudget(LIMITS.nodes),
        resolveAt: opaqueAt,
    });
    const live = instances.map((instance, index) => findLiveLocals(new InstanceView(instance, opaque), cells, index));
    views.forEach((view, index) => {
        markAbsentLocals(view.instance, live[index], cells);
    });

    const offers = views.map((view, index) => offersOf(view, index, live[index], cells));
    const sequentialInstances = views.map((view, index) => toInstance(view, labels.terminated(index), model.events));
    const { summands, problems } = synchronize(model.events, offers, cells, sequentialInstances);
    const initial = [
        ...initialShared(model, shared, specializer),
        ...views.flatMap((view, index) => initialLocals(view, live[index][0], cells, budget)),
    ];
    const noScope: Scope = { locals: [], binders: new Map() };
    const invariants = model.invariants.map(property => ({
        name: property.name,
        expression: specializer.expression(property.expression, noScope),
        range: property.nameRange,
    }));
    if (problems.length > 0) {
        return { problems };
    }
    return {
        sequential: {
            name: model.name,
            cells,
            instances: sequentialInstances,
            summands,
            initial,
            invariants,
            allowsDeadlock: model.allowsDeadlock,
        },
        problems,
    };
}

interface SharedLayout {
    readonly cells: readonly Cell[];
    readonly variables: readonly VariableCells[];
}

/** Shared variables in textual order, arrays row by row. */
function layOutShared(model: Model): SharedLayout {
    const cells: Cell[] = [];
    const variables: VariableCells[] = [];
    model.variables.forEach((variable, index) => {
        variables.push({ first: cells.length, indices: variable.indices });
        addCells(cells, variable, index, variable.name, -1);
    });
    return { cells, variables };
}

function addCells(cells: Cell[], variable: Variable, index: number, name: string, instance: number): void {
    checkVariable(variable);
    const { element, indices, nameRange } = variable;
    const sizes = indices.map(domainSize);
    const count = sizes.reduce((product, size) => product * size, 1);
    if (cells.length + count > LIMITS.cells) {
        tooManyCells(nameRange);
    }
    for (let position = 0; position < count; position++) {
        const values = valuation(indices, position);
        const suffix = indices.length === 0 ? '' : `[${formatValues(indices, values)}]`;
        cells.push({
            name: name + suffix,
            domain: element,
            kind: instance < 0 ? 'shared' : 'local',
            variable: index,
            instance,
            indices: values,
            mayBeAbsent: false,
            declaration: nameRange,
        });
    }
}

function checkVariable(variable: Variable): void {
    if (domainSize(variable.element) > LIMITS.domainSize) {
        stop(
            'limit/domain-size',
            `The type of '${variable.name}' has ${domainSize(variable.element).toLocaleString('en-US')} values; ` +
                `at most ${LIMITS.domainSize.toLocaleString('en-US')} can be explored`,
            variable.nameRange,
        );
    }
}

function tooManyCells(range: SourceRange): never {
    return stop(
        'limit/cells',
        `The state would have more than ${LIMITS.cells.toLocaleString('en-US')} variables, array elements counted singly`,
        range,
    );
}

/** The values at a position, row by row. */
function valuation(domains: readonly Domain[], position: number): Value[] {
    const values: Value[] = [];
    let rest = position;
    for (let dimension = domains.length - 1; dimension >= 0; dimension--) {
        const size = domainSize(domains[dimension]);
        values.unshift(valueOfCode(domains[dimension], rest % size));
        rest = Math.floor(rest / size);
    }
    return values;
}

function formatValues(domains: readonly Domain[], values: readonly Value[]): string {
    return values.map((value, dimension) => formatValue(domains[dimension], value)).join(', ');
}

/** One outline for each valuation of each family that satisfies its `where`. */
function findInstances(model: Model, budget: NodeBudget): InstanceOutline[] {
    const outlines: InstanceOutline[] = [];
    model.processes.forEach((process, processIndex) => {
        const domains = process.indices.map(binder => binder.domain);
        const count = domains.reduce((product, domain) => product * domainSize(domain), 1);
        if (count > LIMITS.valuations) {
            stop(
                'limit/instances',
                `The indices of '${process.name}' have ${count.toLocaleString('en-US')} values; ` +
                    `at most ${LIMITS.valuations.toLocaleString('en-US')} are looked at`,
                process.nameRange,
            );
        }
        for (let position = 0; position < count; position++) {
            const values = valuation(domains, position);
            const binders = new Map(process.indices.map((binder, dimension) => [binder.id, values[dimension]]));
            if (process.where !== undefined) {
                const where = staticValue(process.where, binders, budget);
                if (where === undefined) {
                    stop(
                        'process/where',
                        `The 'where' of '${process.name}' has no value before the run`,
                        process.where.range,
                    );
                }
                if (where === 0) {
                    continue;
                }
            }
            if (outlines.length >= LIMITS.instances) {
                stop(
                    'limit/instances',
                    `The model has more than ${LIMITS.instances.toLocaleString('en-US')} process instances`,
                    process.nameRange,
                );
            }
            const name = domains.length === 0 ? process.name : `${process.name}[${formatValues(domains, values)}]`;
            outlines.push({ process: processIndex, name, indices: values, binders, position });
        }
    });
    return outlines;
}

/** Stands for every `at` where it does not matter what it means: a value that depends on the indices alone. */
const opaqueAt: ResolveAt = (_process, indices, _label, range) => {
    return { kind: 'element', cells: [], indices, domains: [], range };
};

/** Unfolds the control of each instance and gives the cells of its locals and its counter their numbers. */
function placeInstances(
    model: Model,
    shared: SharedLayout,
    outlines: readonly InstanceOutline[],
    budget: NodeBudget,
): { cells: Cell[]; instances: PlacedInstance[] } {
    const cells = [...shared.cells];
    const unfolding = new UnfoldingBudget();
    const instances = outlines.map((outline, instance): PlacedInstance => {
        const declaration = model.processes[outline.process];
        const locals = declaration.locals.map((local, index): VariableCells => {
            const first = cells.length;
            addCells(cells, local, index, `${outline.name}.${local.name}`, instance);
            return { first, indices: local.indices };
        });
        const scope: Scope = { locals, binders: new Map(outline.binders) };
        const graph = buildControlGraph(declaration, condition => {
            const value = staticValue(condition, scope.binders, budget);
            return value === undefined ? undefined : value === 1;
        });
        const locations = findLocations(
            graph,
            site => choicesOfLocal(declaration.locals[site.local], site.range),
            declaration.nameRange,
            unfolding,
        );
        let counter = -1;
        if (locations.locations.length > 1) {
            counter = cells.length;
            if (cells.length >= LIMITS.cells) {
                tooManyCells(declaration.nameRange);
            }
            cells.push(counterCell(outline, declaration, locations, model.events, instance));
        }
        return { ...outline, declaration, graph, locations, scope, counter };
    });
    return { cells, instances };
}

/** What `any` may choose for a local that is not declared at the head: the values of its cells, for each choice. */
function choicesOfLocal(local: Variable, range: SourceRange): Value[][] | undefined {
    if (local.initializer.kind !== 'any') {
        return undefined;
    }
    const size = domainSize(local.element);
    const cellCount = local.indices.reduce((product, domain) => product * domainSize(domain), 1);
    if (size ** cellCount > LIMITS.paths) {
        stop(
            'limit/paths',
            `'${local.name}' has more than ${LIMITS.paths.toLocaleString('en-US')} possible values here`,
            range,
        );
    }
    const domains = Array.from({ length: cellCount }, () => local.element);
    return Array.from({ length: size ** cellCount }, (_, choice) => valuation(domains, choice));
}

function counterCell(
    outline: InstanceOutline,
    declaration: Process,
    locations: Locations,
    events: Model['events'],
    instance: number,
): Cell {
    return {
        name: `${outline.name}.at`,
        domain: {
            kind: 'enumeration',
            name: `${outline.name} location`,
            values: toLocations(locations, declaration, events).map(location => location.name),
        },
        kind: 'counter',
        variable: -1,
        instance,
        indices: [],
        mayBeAbsent: false,
        declaration: declaration.nameRange,
    };
}

/** Names and places for the locations of an instance: the label of the step, else its event; a repeated name gets a number. */
function toLocations(locations: Locations, declaration: Process, events: Model['events']): Location[] {
    const uses = new Map<string, number>();
    return locations.locations.map(({ offers }) => {
        const first = offers.find(offer => offer.step !== undefined);
        const range = first?.step?.step.range ?? declaration.nameRange;
        const event = events[first?.step?.step.event?.event ?? -1]?.name;
        const base = first === undefined ? 'end' : (lastLabel(first.path) ?? event ?? `line ${range.start.line + 1}`);
        const use = (uses.get(base) ?? 0) + 1;
        uses.set(base, use);
        return { name: use === 1 ? base : `${base} (${use})`, range };
    });
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

/** The instances of a family by position, for `P[e] at label`. */
function familyOf(
    model: Model,
    outlines: readonly InstanceOutline[],
): (process: number) => { domains: readonly Domain[]; instanceAt: (position: number) => number | undefined } {
    const byPosition = model.processes.map(() => new Map<number, number>());
    outlines.forEach((outline, instance) => byPosition[outline.process].set(outline.position, instance));
    return process => ({
        domains: model.processes[process].indices.map(binder => binder.domain),
        instanceAt: position => byPosition[process].get(position),
    });
}

/** The text of an instance, specialized: each test, guard, body once, shared by all offers that pass it. */
class InstanceView {
    readonly instance: PlacedInstance;
    readonly #specializer: Specializer;
    readonly #elements = new Map<string, readonly PathElement[]>();
    readonly #steps = new Map<number, SpecializedStep>();

    constructor(instance: PlacedInstance, specializer: Specializer) {
        this.instance = instance;
        this.#specializer = specializer;
    }

    expression(expression: Expression): SequentialExpression {
        return this.#specializer.expression(expression, this.instance.scope);
    }

    /** The tests and initializations that an item of a path stands for. */
    elements(item: PathItem): readonly PathElement[] {
        if (item.kind === 'label') {
            return [];
        }
        const key =
            item.kind === 'test'
                ? `${item.outcome ? '+' : '-'}${item.site.id}`
                : `=${item.site.id}#${item.values?.join(',') ?? ''}`;
        let elements = this.#elements.get(key);
        if (elements === undefined) {
            elements = item.kind === 'test' ? [this.#test(item.site, item.outcome)] : this.#initialization(item);
            this.#elements.set(key, elements);
        }
        return elements;
    }

    step(offer: Offer): SpecializedStep {
        const site = offer.step;
        invariant(site !== undefined, 'the offer has a step');
        let specialized = this.#steps.get(site.id);
        if (specialized === undefined) {
            const { guard, event, body } = site.step;
            specialized = {
                ...(guard === undefined ? {} : { guard: this.expression(guard) }),
                ...(event === undefined
                    ? {}
                    : {
                          event: {
                              event: event.event,
                              arguments: event.arguments.map(argument => this.expression(argument)),
                              range: event.range,
                          },
                      }),
                body: this.#specializer.statements(body, this.instance.scope),
            };
            this.#steps.set(site.id, specialized);
        }
        return specialized;
    }

    /** The cells of a local. */
    cellsOf(local: number): number[] {
        const { first, indices } = this.instance.scope.locals[local];
        const count = indices.reduce((product, domain) => product * domainSize(domain), 1);
        return Array.from({ length: count }, (_, position) => first + position);
    }

    #test(site: TestSite, outcome: boolean): PathElement {
        const key = `+${site.id}`;
        const positive = outcome ? undefined : this.elements({ kind: 'test', site, outcome: true })[0];
        if (positive?.kind === 'test') {
            return { kind: 'test', condition: negation(positive.condition, site.range) };
        }
        invariant(!this.#elements.has(key), 'a test is specialized once');
        return { kind: 'test', condition: this.expression(site.condition) };
    }

    #initialization(item: Extract<PathItem, { kind: 'declare' }>): PathElement[] {
        const { site, values } = item;
        const { initializer, element } = this.instance.declaration.locals[site.local];
        const value =
            initializer.kind === 'value' ? this.expression(initializer.expression) : constant(valueOfCode(element, 0));
        return this.cellsOf(site.local).map((cell, position) => ({
            kind: 'assign',
            cell,
            value: values === undefined ? value : constant(values[position]),
            range: site.range,
        }));
    }
}

interface SpecializedStep {
    readonly guard?: SequentialExpression;
    readonly event?: NonNullable<InstanceOffer['event']>;
    readonly body: readonly SequentialStatement[];
}

/** `result[location][local]` is 1 where the local is live. */
function findLiveLocals(view: InstanceView, cells: readonly Cell[], index: number): Uint8Array[] {
    const { scope, locations } = view.instance;
    const locals: Locals = {
        count: scope.locals.length,
        localOfCell: cell => {
            const { kind, instance, variable } = cells[cell];
            return kind === 'local' && instance === index ? variable : -1;
        },
        isScalar: local => scope.locals[local].indices.length === 0,
    };
    return liveLocals(
        locals,
        locations.locations.map(location =>
            location.offers.map(offer => ({ accesses: accessesOf(view, offer), target: offer.target })),
        ),
    );
}

/** What an offer reads and writes, in order: the path, the guard, the arguments, the body. */
function accessesOf(view: InstanceView, offer: Offer): Access[] {
    const accesses: Access[] = [];
    for (const item of offer.path) {
        for (const element of view.elements(item)) {
            accesses.push({
                kind: 'evaluate',
                expression: element.kind === 'test' ? element.condition : element.value,
            });
        }
        if (item.kind === 'declare') {
            accesses.push({ kind: 'assign', local: item.site.local });
        }
    }
    if (offer.step !== undefined) {
        const { guard, event, body } = view.step(offer);
        for (const expression of [...(guard === undefined ? [] : [guard]), ...(event?.arguments ?? [])]) {
            accesses.push({ kind: 'evaluate', expression });
        }
        accesses.push({ kind: 'run', body });
    }
    return accesses;
}

function markAbsentLocals(instance: PlacedInstance, live: readonly Uint8Array[], cells: Cell[]): void {
    instance.scope.locals.forEach(({ first, indices }, local) => {
        if (live.every(liveAtLocation => liveAtLocation[local] === 1)) {
            return;
        }
        const count = indices.reduce((product, domain) => product * domainSize(domain), 1);
        for (let cell = first; cell < first + count; cell++) {
            cells[cell] = { ...cells[cell], mayBeAbsent: true };
        }
    });
}

/** The steps of an instance in the order of its locations and of the text. */
function offersOf(
    view: InstanceView,
    instance: number,
    live: readonly Uint8Array[],
    cells: readonly Cell[],
): InstanceOffer[] {
    const { locations, counter, declaration } = view.instance;
    return locations.locations.flatMap(({ offers }, source) =>
        offers
            .filter(offer => offer.step !== undefined)
            .map((offer): InstanceOffer => {
                const { guard, event, body } = view.step(offer);
                const range = offer.step?.step.range ?? declaration.range;
                const path: PathElement[] = [];
                if (counter >= 0) {
                    const current: SequentialExpression = { kind: 'cell', cell: counter, range };
                    path.push({ kind: 'test', condition: binary('==', current, constant(source), range) });
                }
                const onTheWay = offer.path.flatMap(item => view.elements(item));
                if (guard !== undefined) {
                    onTheWay.push({ kind: 'test', condition: guard });
                }
                path.push(...onTheWay.filter(element => element.kind !== 'test' || !isTrue(element.condition)));

                const moves: SequentialStatement[] = [...body];
                if (counter >= 0 && offer.target !== source) {
                    const target = constant(offer.target);
                    moves.push({ kind: 'assign', target: { kind: 'cell', cell: counter }, value: target, range });
                }
                for (const cell of deadAfter(view, offer, live[source], live[offer.target], cells)) {
                    moves.push({ kind: 'clear', cell });
                }
                const last = offer.path.at(-1);
                const participant: Participant = {
                    instance,
                    source,
                    target: offer.target,
                    path,
                    body: moves,
                    ...(last?.kind === 'label' ? { label: last.label } : {}),
                    range,
                };
                return event === undefined ? { participant } : { participant, event };
            }),
    );
}

/** The cells that hold a value before or during the step and none after it. */
function deadAfter(
    view: InstanceView,
    offer: Offer,
    liveBefore: Uint8Array,
    liveAfter: Uint8Array,
    cells: readonly Cell[],
): number[] {
    const written = new Set<number>();
    for (const item of offer.path) {
        if (item.kind === 'declare') {
            written.add(item.site.local);
        }
    }
    addWrittenLocals(view.step(offer).body, cells, written);
    return view.instance.scope.locals.flatMap((_, local) =>
        liveAfter[local] === 0 && (liveBefore[local] === 1 || written.has(local)) ? view.cellsOf(local) : [],
    );
}

function addWrittenLocals(body: readonly SequentialStatement[], cells: readonly Cell[], written: Set<number>): void {
    for (const statement of body) {
        switch (statement.kind) {
            case 'assign': {
                const { target } = statement;
                const cell = cells[target.kind === 'cell' ? target.cell : target.cells[0]];
                if (cell?.kind === 'local') {
                    written.add(cell.variable);
                }
                break;
            }
            case 'if':
                addWrittenLocals(statement.then, cells, written);
                addWrittenLocals(statement.otherwise, cells, written);
                break;
            case 'assert':
            case 'clear':
                break;
            default:
                unreachable(statement);
        }
    }
}

function toInstance(view: InstanceView, terminated: SequentialExpression, events: Model['events']): Instance {
    const { name, process, indices, locations, counter, declaration } = view.instance;
    return { name, process, indices, locations: toLocations(locations, declaration, events), counter, terminated };
}

function initialShared(model: Model, shared: SharedLayout, specializer: Specializer): InitialCell[] {
    const scope: Scope = { locals: [], binders: new Map() };
    return model.variables.flatMap((variable, index) => {
        const { first, indices } = shared.variables[index];
        const count = indices.reduce((product, domain) => product * domainSize(domain), 1);
        const value = initialValue(variable, expression => specializer.expression(expression, scope));
        return Array.from({ length: count }, (_, position) => ({ cell: first + position, value }));
    });
}

/** A type without values leaves nothing to start with: `any` of no values. */
function initialValue(variable: Variable, specialize: (expression: Expression) => SequentialExpression): InitialValue {
    const { initializer, element, range } = variable;
    switch (initializer.kind) {
        case 'any':
            return { kind: 'any' };
        case 'default':
            return domainSize(element) === 0
                ? { kind: 'any' }
                : { kind: 'value', expression: constant(valueOfCode(element, 0)), range };
        case 'value':
            return {
                kind: 'value',
                expression: specialize(initializer.expression),
                range: initializer.expression.range,
            };
        default:
            return unreachable(initializer);
    }
}

/**
 * The locals of an instance and its counter. Only live locals start with a value. The initializer of one may read an
 * earlier local that is not live; then the initial value of that one stands in its place.
 */
function initialLocals(
    view: InstanceView,
    live: Uint8Array,
    cells: readonly Cell[],
    budget: NodeBudget,
): InitialCell[] {
    const { instance } = view;
    const values = new Map<number, InitialValue>();
    const replaced = new Map<number, SequentialExpression>();
    const unknown = new Set<number>();
    for (const local of instance.graph.headLocals) {
        const variable = instance.declaration.locals[local];
        const { domain } = cells[view.cellsOf(local)[0]] ?? { domain: variable.element };
        const value = initialValue(variable, expression => {
            const specialized = view.expression(expression);
            if (live[local] === 1) {
                forEachCellRead(specialized, cell => {
                    if (unknown.has(cell)) {
                        stop(
                            'local/unknown-initial-value',
                            `'${variable.name}' starts from '${cells[cell].name}', which may hold any value and is not ` +
                                'used afterwards',
                            expression.range,
                        );
                    }
                });
            }
            return substitute(specialized, replaced, budget);
        });
        for (const cell of view.cellsOf(local)) {
            values.set(cell, live[local] === 1 ? value : { kind: 'none' });
            if (live[local] === 1) {
                continue;
            }
            if (value.kind === 'value') {
                replaced.set(cell, inDomain(value.expression, domain, cells, value.range));
            } else {
                unknown.add(cell);
            }
        }
    }
    const initial: InitialCell[] = instance.declaration.locals.flatMap((_, local) =>
        view.cellsOf(local).map(cell => ({ cell, value: values.get(cell) ?? { kind: 'none' } })),
    );
    if (instance.counter >= 0) {
        const { range } = instance.declaration;
        initial.push({ cell: instance.counter, value: { kind: 'value', expression: constant(0), range } });
    }
    return initial;
}
