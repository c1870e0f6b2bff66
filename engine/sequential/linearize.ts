/**
 * From processes to one list of guarded summands:
 *
 *     instances ── control graph ── locations ── cells ── live locals ── offers ── summands
 *
 * The ring of three agents has three instances of `Link` with one location each, hence no program counter, and two
 * offers each, hence six summands. Expressions are specialized to their instance. Steps with the same event or channel
 * meet in `synchronize`. The result is deterministic; it has no sequential model if a problem is an error.
 */
import type { Problem } from '../common/problem.js';
import { withKnownElements } from '../common/same-data.js';
import { isNumber } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { conditionsIn } from '../model/temporal.js';
import { layOutShared, type SharedLayout } from './cell-layout.js';
import { computedStart } from './computed-start.js';
import { Creation, slotsOfTemplates } from './templates/creation.js';
import { initialLocals, initialShared } from './initial-cells.js';
import { InstanceView } from './control/instance-view.js';
import { familyOf, findInstances, instancePlacer } from './control/instances.js';
import type { Family, PlacedInstance } from './control/instances.js';
import { KnownProcesses, MOST_SHARE } from './known-processes.js';
import type { KnownInstance, KnownModel, Linearization, LinearizationMemory } from './known-processes.js';
import { Labels } from './control/labels.js';
import { cellOfCount, isAboutOneState, observe } from './runs/observed-run.js';
import { temporalOf, treesOfRun } from './runs/linearize-temporal.js';
import { numberFacts } from './numbers/number-facts.js';
import { withStatedInvariants } from './runs/stated-invariants.js';
import { LIMITS, LinearizationStopped, NodeBudget, UnfoldingBudget } from './linearization-limits.js';
import { findLiveLocals, markAbsentLocals } from './control/local-liveness.js';
import { offersOf } from './control/offers.js';
import { localOfInstance, localsInProperties } from './runs/property-locals.js';
import type {
    Cell,
    InitialCell,
    NumberFacts,
    SequentialInvariant,
    SequentialModel,
    TemplateSlots,
} from './sequential-model.js';
import { conjunction, negation } from './expression/simplify.js';
import { Specializer } from './expression/specialize.js';
import { synchronize } from './synchronize.js';
import { TemporaryCells } from './expression/temporary-cells.js';
import { emptyScope } from './expression/scope.js';

export type { Linearization } from './known-processes.js';

/** The memory saves work only; the result is the same. */
export function linearize(model: Model, memory?: LinearizationMemory): Linearization {
    const latest = memory?.resultFor(model);
    if (latest !== undefined) {
        return latest;
    }
    // What creates an instance depends on the whole of its template.
    const hasTemplates = model.processes.some(({ template }) => template !== undefined);
    const known = hasTemplates ? undefined : memory?.knownFor(model);
    const { linearized, ...result } = (known && fromKnown(model, known)) ?? anew(model);
    memory?.remember(model, result, hasTemplates ? undefined : linearized);
    return result;
}

interface Linearized extends Linearization {
    /** For the next linearization; absent if there is no sequential model. */
    readonly linearized?: KnownModel;
}

function anew(model: Model): Linearized {
    try {
        return linearizeWithinLimits(model);
    } catch (error) {
        if (error instanceof LinearizationStopped) {
            return { problems: [error.problem] };
        }
        throw error;
    }
}

/** Undefined if a limit may be near, since the use of the known parts is not counted exactly. */
function fromKnown(model: Model, known: KnownModel): Linearized | undefined {
    if (known.share > MOST_SHARE) {
        return undefined;
    }
    try {
        const result = linearizeWithinLimits(model, known);
        return result.linearized === undefined || result.linearized.share <= MOST_SHARE ? result : undefined;
    } catch (error) {
        if (error instanceof LinearizationStopped) {
            return undefined;
        }
        throw error;
    }
}

/** The input that all stages share. */
interface Common {
    readonly model: Model;
    readonly shared: SharedLayout;
    /** Those of all stages so far. */
    readonly cells: Cell[];
    /** By process, its locals that properties name. */
    readonly named: readonly ReadonlySet<number>[];
    readonly budgets: Budgets;
}

interface Budgets {
    readonly outline: NodeBudget;
    readonly opaque: NodeBudget;
    readonly nodes: NodeBudget;
    readonly unfolding: UnfoldingBudget;
}

/** Instances whose control is unfolded and whose cells have numbers. */
interface Placement {
    readonly instances: readonly PlacedInstance[];
    /** `firstCells[instance]` is the first of its cells. */
    readonly firstCells: readonly number[];
    readonly family: (process: number) => Family;
    /** The processes known from an earlier version. */
    readonly processes: KnownProcesses;
}

/** `live[instance][location][local]` is 1 where the local is live. */
type Liveness = readonly (readonly Uint8Array[])[];

/** Instances with their specialized steps, and the tools that made them. */
interface Specialization {
    readonly specialized: readonly KnownInstance[];
    readonly views: readonly InstanceView[];
    readonly specializer: Specializer;
    readonly temporaries: TemporaryCells;
    readonly family: (process: number) => Family;
    /** By process. */
    readonly slots: readonly (TemplateSlots | undefined)[];
}

function linearizeWithinLimits(model: Model, known?: KnownModel): Linearized {
    const shared = layOutShared(model);
    const sharedCells = known === undefined ? shared.cells : withKnownElements(known.shared, shared.cells);
    const common: Common = {
        model,
        shared,
        cells: [...sharedCells],
        named: localsInProperties(model),
        budgets: {
            outline: new NodeBudget(LIMITS.staticNodes),
            opaque: new NodeBudget(LIMITS.nodes),
            nodes: new NodeBudget(LIMITS.nodes),
            unfolding: new UnfoldingBudget(),
        },
    };
    const placement = placeInstances(common, known);
    const specialization = specializeInstances(common, placement, findLiveness(common, placement));
    const { sequential, problems } = assemble(common, specialization);
    if (sequential === undefined) {
        return { problems };
    }
    const { processes } = placement;
    const linearized: KnownModel = {
        model,
        shared: sharedCells,
        named: common.named,
        processes: processes.all(specialization.specialized),
        share: shareOf(common.budgets) + (known?.share ?? 0),
    };
    return { sequential, problems, linearized };
}

/** The sum of the used shares of all limits. */
function shareOf({ outline, opaque, nodes, unfolding }: Budgets): number {
    return outline.share + opaque.share + nodes.share + unfolding.share;
}

function placeInstances({ model, shared, cells, named, budgets }: Common, known: KnownModel | undefined): Placement {
    // Nothing may depend on locations before they are known.
    const outline = new Specializer({
        model,
        shared,
        budget: budgets.outline,
        temporaries: new TemporaryCells(cells),
        isStatic: true,
    });
    const outlines = findInstances(model, outline);
    const processes = new KnownProcesses(model, named, outlines, known);
    const place = instancePlacer(model, cells, outline, budgets.unfolding);
    const firstCells: number[] = [];
    const instances = outlines.map((instance, index) => {
        firstCells.push(cells.length);
        const placed = processes.placed(index, cells.length);
        cells.push(...(placed?.cells ?? []));
        return placed?.placed ?? place(instance, index);
    });
    return { instances, firstCells, family: familyOf(model, outlines), processes };
}

/** `at` makes no local live: a test before a label is evaluated only at the location with the test. */
function findLiveness(
    { model, shared, cells, named, budgets }: Common,
    { instances, firstCells, processes }: Placement,
): Liveness {
    const opaque = new Specializer({
        model,
        shared,
        budget: budgets.opaque,
        temporaries: new TemporaryCells([...cells]),
    });
    return instances.map((instance, index) => {
        const placed = processes.placed(index, firstCells[index]);
        if (placed !== undefined) {
            return placed.live;
        }
        const view = new InstanceView(instance, index, opaque);
        const liveAtLocation = findLiveLocals(view, cells, index, named[instance.process]);
        markAbsentLocals(view, liveAtLocation, cells);
        return liveAtLocation;
    });
}

function specializeInstances(
    { model, shared, cells, budgets }: Common,
    { instances, firstCells, family, processes }: Placement,
    live: Liveness,
): Specialization {
    const budget = budgets.nodes;
    const temporaries = new TemporaryCells(cells);
    const slots = slotsOfTemplates(model, instances, cells);
    const creation = new Creation({ model, shared, cells, instances, live, templates: slots });
    const specializer: Specializer = new Specializer({
        model,
        shared,
        budget,
        resolveAt: (process, indices, label, range) => labels.at(process, indices, label, range),
        resolveLocal: (process, instance, local, indices, range) =>
            localOfInstance(instances, family(process), instance, local, indices, budget, range),
        templates: {
            slots,
            create: (statement, slot, scope) => creation.statements(statement, slot, scope, specializer),
        },
        temporaries,
    });
    const views = instances.map((instance, index) => new InstanceView(instance, index, specializer));
    const labels: Labels = new Labels({ cells, budget, views, family });
    const firstTemporary = cells.length;
    const specialized = views.map((view, index): KnownInstance => {
        const found = processes.specialized(index, cells.length);
        if (found !== undefined) {
            cells.push(...found.temporaries);
            return found;
        }
        const before = cells.length;
        const { process, position, ended } = view.instance;
        const released = ended === undefined ? [] : creation.released(process, position, specializer);
        const offers = offersOf(view, index, live[index], released);
        return {
            placed: view.instance,
            firstCell: firstCells[index],
            cells: cells.slice(firstCells[index], firstCells[index + 1] ?? firstTemporary),
            live: live[index],
            offers,
            firstTemporary: before,
            temporaries: cells.slice(before),
            instance: {
                name: view.instance.name,
                process: view.instance.process,
                indices: view.instance.indices,
                locations: view.instance.places,
                counter: view.instance.counter,
                mayStop: labels.mayStop(index),
            },
            initial: initialLocals(view, live[index][0], cells, specializer, budget),
        };
    });
    return { specialized, views, specializer, temporaries, family, slots };
}

/** Lets steps meet, and adds initial values and properties. */
function assemble(
    { model, shared, cells, budgets }: Common,
    { specialized, views, specializer, temporaries, family, slots }: Specialization,
): Linearization {
    const instances = specialized.map(({ instance }) => instance);
    const { summands, problems } = synchronize(
        {
            model,
            channels: shared.channels,
            cells,
            instances,
            views,
            budget: budgets.nodes,
            temporaries,
            templates: slots,
        },
        specialized.map(({ offers }) => offers),
    );
    if (problems.length > 0) {
        return { problems };
    }
    const start = computedStart(model, initialShared(model, shared, specializer), shared, cells, budgets.nodes);
    const initial: InitialCell[] = [...start.initial, ...specialized.flatMap(instance => instance.initial.initial)];
    const constraint = constraintOf(model, specializer);
    const initialConditions = [
        ...(start.list === undefined ? [] : [start.list.condition]),
        ...specialized.flatMap(instance => instance.initial.conditions),
        ...model.initialConditions.map(condition => specializer.expression(condition, emptyScope())),
        ...(constraint === undefined ? [] : [constraint.expression]),
    ];
    const stated = withStatedInvariants(model);
    const runs = model.runs.filter(isAboutOneState).map(({ name, parts: [part], nameRange }): SequentialInvariant => {
        const [condition] = conditionsIn(part);
        const isReached = specializer.expression(condition, emptyScope());
        return { name, expression: negation(isReached, nameRange), range: nameRange, kind: 'run' };
    });
    const invariants = stated.invariants.map((property): SequentialInvariant => ({
        name: property.name,
        kind: 'invariant',
        expression: specializer.expression(property.expression, emptyScope()),
        range: property.nameRange,
    }));
    const asked = model.asked?.map(({ format, scalars }) => ({
        format,
        scalars: scalars.map(({ expression, domain }) => ({
            expression: specializer.expression(expression, emptyScope()),
            domain,
        })),
    }));
    const linearized = { specializer, instances, summands, family };
    const { properties, fairness } = temporalOf(stated, linearized);
    const { observed } = model;
    const observing =
        observed && observe(observed, treesOfRun(model, observed, linearized), cellOfCount(shared.cells), summands);
    cells.forEach(({ kind }, cell) => {
        if (kind === 'temporary') {
            initial.push({ cell, value: { kind: 'none' } });
        }
    });
    const { name, allowsDeadlock } = model;
    const templates = slots.filter(template => template !== undefined);
    const createsProcesses = templates.some(({ named }) => named === undefined);
    if (createsProcesses && properties.length > 0) {
        const message =
            'properties of runs are not checked yet in a model that creates processes; ' +
            'what is to hold in every state is an `invariant`';
        return { problems: [{ severity: 'error', code: 'property/instances', message, range: properties[0].range }] };
    }
    const numbers = numbersOf(model, {
        cells,
        instances,
        summands: observing?.summands ?? summands,
        initial,
        initialConditions,
        invariants: observing === undefined ? [...invariants, ...runs] : [observing.invariant],
        ...(constraint !== undefined && { constraint }),
        markers: [...fairness, ...properties.flatMap(({ members }) => members)],
    });
    if (numbers !== undefined && 'code' in numbers) {
        return { problems: [numbers] };
    }
    return {
        sequential: {
            name,
            cells,
            instances,
            summands: observing?.summands ?? summands,
            initial,
            initialConditions,
            ...(constraint !== undefined && { constraint }),
            ...(start.list !== undefined && { startList: start.list }),
            invariants: observing === undefined ? invariants : [observing.invariant],
            runs,
            ...(asked !== undefined && { asked }),
            properties,
            // It matters to properties of runs only.
            fairness: createsProcesses ? [] : fairness,
            allowsDeadlock,
            assertionTexts: model.assertionTexts,
            ...(templates.length > 0 && { templates }),
            ...(numbers !== undefined && { numbers }),
        },
        problems,
    };
}

/** Of a model with numbers without end what it asks of them, or what is not possible. */
function numbersOf(given: Model, model: Parameters<typeof numberFacts>[0]): NumberFacts | Problem | undefined {
    const number = model.cells.find(({ domain }) => isNumber(domain));
    return number && (notYetWith(number.name, given) ?? numberFacts(model));
}

/** At the place of what is not checked together with numbers without end. */
function notYetWith(number: string, model: Model): Problem | undefined {
    const { initialBodies, expectations } = model;
    const [notYet] = [
        ...initialBodies.map(({ nameRange }) => ['initial states that statements compute', nameRange] as const),
        ...expectations.flatMap(({ kind, range }) => (kind === 'every-step' ? [['`every step`', range] as const] : [])),
    ];
    if (notYet === undefined) {
        return undefined;
    }
    const [what, range] = notYet;
    const message = `${what} and numbers without end are not checked together yet; give '${number}' a bound, \`0 .. 9\``;
    return { severity: 'error', code: 'number/later', message, range };
}

function constraintOf({ constraints }: Model, specializer: Specializer): SequentialModel['constraint'] {
    const [first] = constraints;
    if (first === undefined) {
        return undefined;
    }
    const operands = constraints.map(expression => specializer.expression(expression, emptyScope()));
    return { expression: conjunction(operands, first.range), range: first.range };
}
