/**
 * From processes to one list of guarded summands.
 *
 *     instances ── control graph ── locations ── cells ── live locals ── offers ── summands
 *
 * 1. Each family becomes its instances; the control of each instance a graph in which static tests are decided
 *    (instances.ts, control-graph.ts).
 * 2. The graph is unfolded into locations and offers (locations.ts). Now it is known which instances need a program
 *    counter, so cells get their numbers (cell-layout.ts).
 * 3. Expressions are specialized to the instance (instance-view.ts, specialize.ts), with calls unfolded
 *    (inline-call.ts) and `at` as an expression over program counters and tests (labels.ts).
 * 4. Locals that are not live hold no value (local-liveness.ts).
 * 5. Steps with the same event or channel meet (offers.ts, synchronize.ts, races.ts).
 *
 * The result is deterministic. Problems are returned; with an error among them there is no sequential model.
 */
import { invariant } from '../common/assert.js';
import type { Problem } from '../common/problem.js';
import type { Model } from '../model/model.js';
import { layOutShared } from './cell-layout.js';
import { initialLocals, initialShared } from './initial-cells.js';
import { InstanceView } from './instance-view.js';
import { familyOf, findInstances, placeInstances, toLocations } from './instances.js';
import { Labels } from './labels.js';
import { LIMITS, LinearizationStopped, NodeBudget } from './linearization-limits.js';
import { findLiveLocals, markAbsentLocals } from './local-liveness.js';
import { offersOf } from './offers.js';
import { localOfInstance, localsInProperties } from './property-locals.js';
import type { Cell, InitialCell, Instance, SequentialModel } from './sequential-model.js';
import { emptyScope, Specializer } from './specialize.js';
import type { ResolveAt, ResolveLocal } from './specialize.js';
import { synchronize } from './synchronize.js';
import { TemporaryCells } from './temporary-cells.js';

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

function linearizeWithinLimits(model: Model): Linearization {
    const budget = new NodeBudget(LIMITS.nodes);
    const shared = layOutShared(model);
    const { variables, channels } = shared;
    const cells: Cell[] = [...shared.cells];

    // Before the locations are known, nothing that asks for them is.
    const outline = new Specializer({
        model,
        variables,
        channels,
        budget: new NodeBudget(LIMITS.staticNodes),
        resolveAt: opaqueAt,
        resolveLocal: noProperty,
        temporaries: new TemporaryCells(cells),
        isStatic: true,
    });
    const outlines = findInstances(model, outline);
    const instances = placeInstances(model, cells, outlines, outline);
    const family = familyOf(model, outlines);

    // What a test before a label reads is evaluated only at the location that has the test, where it is live anyway.
    // So `at` makes nothing live, and stays opaque while liveness is computed.
    const opaque = new Specializer({
        model,
        variables,
        channels,
        budget: new NodeBudget(LIMITS.nodes),
        resolveAt: opaqueAt,
        resolveLocal: noProperty,
        temporaries: new TemporaryCells([...cells]),
    });
    const named = localsInProperties(model);
    const live = instances.map((instance, index) => {
        const view = new InstanceView(instance, index, opaque);
        const liveAtLocation = findLiveLocals(view, cells, index, named[instance.process]);
        markAbsentLocals(view, liveAtLocation, cells);
        return liveAtLocation;
    });

    const temporaries = new TemporaryCells(cells);
    const specializer: Specializer = new Specializer({
        model,
        variables,
        channels,
        budget,
        resolveAt: (process, indices, label, range) => labels.at(process, indices, label, range),
        resolveLocal: (process, instance, local, indices, range) =>
            localOfInstance(instances, family(process), instance, local, indices, budget, range),
        temporaries,
    });
    const views = instances.map((instance, index) => new InstanceView(instance, index, specializer));
    const labels: Labels = new Labels({
        cells,
        budget,
        instances: views.map(view => ({
            ways: view.instance.ways,
            counter: view.instance.counter,
            range: view.instance.declaration.nameRange,
            elements: item => view.elements(item),
        })),
        family,
    });

    const offers = views.map((view, index) => offersOf(view, index, live[index], cells));
    const sequentialInstances = instances.map((instance, index): Instance => ({
        name: instance.name,
        process: instance.process,
        indices: instance.indices,
        locations: toLocations(instance.locations, instance.declaration, model),
        counter: instance.counter,
        mayStop: labels.mayStop(index),
    }));
    const { summands, problems } = synchronize(
        { model, channels, cells, instances: sequentialInstances, budget, temporaries },
        offers,
    );
    if (problems.length > 0) {
        return { problems };
    }
    const locals = views.map((view, index) => initialLocals(view, live[index][0], cells, specializer, budget));
    const initial: InitialCell[] = [
        ...initialShared(model, shared, specializer),
        ...locals.flatMap(ofInstance => ofInstance.initial),
    ];
    const initialConditions = [
        ...locals.flatMap(ofInstance => ofInstance.conditions),
        ...model.initialConditions.map(condition => specializer.expression(condition, emptyScope())),
    ];
    const invariants = model.invariants.map(property => ({
        name: property.name,
        expression: specializer.expression(property.expression, emptyScope()),
        range: property.nameRange,
    }));
    cells.forEach(({ kind }, cell) => {
        if (kind === 'temporary') {
            initial.push({ cell, value: { kind: 'none' } });
        }
    });
    return {
        sequential: {
            name: model.name,
            cells,
            instances: sequentialInstances,
            summands,
            initial,
            initialConditions,
            invariants,
            allowsDeadlock: model.allowsDeadlock,
        },
        problems,
    };
}

/** Stands for every `at` where it does not matter what it means: a value that depends on the indices alone. */
const opaqueAt: ResolveAt = (_process, indices, _label, range) => ({
    kind: 'element',
    cells: [],
    indices,
    domains: [],
    range,
});

/** A local of another instance is named by properties only, which are specialized at the end. */
const noProperty: ResolveLocal = () => invariant(false, 'what steps do names no locals of instances') as never;
