/** The steps of a process as its text has them: of any instance, with no test decided before the run. */
import type { Process } from '../engine/model/model.js';
import { buildControlGraph, type ControlGraph } from '../engine/sequential/control/control-graph.js';
import { findLocations, type Offer } from '../engine/sequential/control/locations.js';
import { UnfoldingBudget } from '../engine/sequential/linearization-limits.js';

/** Its control, and the locals at its head. */
export function graphOf(process: Process): ControlGraph {
    return buildControlGraph(process, new Map(), () => undefined);
}

const known = new WeakMap<Process, readonly Offer[]>();

/** All ways from a location to a step. May throw LinearizationStopped. */
export function offersOf(process: Process): readonly Offer[] {
    let offers = known.get(process);
    if (offers === undefined) {
        offers = findLocations(graphOf(process), process.nameRange, new UnfoldingBudget()).flat();
        known.set(process, offers);
    }
    return offers;
}
