/** The steps of a process as its text has them: of any instance, with no test decided before the run. */
import { remembered } from '../engine/common/list-map.js';
import type { Problem } from '../engine/common/problem.js';
import type { Process } from '../engine/model/model.js';
import { buildControlGraph, type ControlGraph } from '../engine/sequential/control/control-graph.js';
import { findLocations, type Offer } from '../engine/sequential/control/locations.js';
import { LinearizationStopped, UnfoldingBudget } from '../engine/sequential/linearization-limits.js';

/** Its control, and the locals at its head. */
export function graphOf(process: Process): ControlGraph {
    return buildControlGraph(process, new Map(), () => undefined);
}

/** All ways from a location to a step, or a limit that they exceed. */
type Offers = readonly Offer[] | { readonly problem: Problem };

const known = new WeakMap<Process, Offers>();

export function offersOf(process: Process): Offers {
    return remembered(known, process, () => {
        try {
            return findLocations(graphOf(process), process.nameRange, new UnfoldingBudget()).flat();
        } catch (error) {
            if (error instanceof LinearizationStopped) {
                return { problem: error.problem };
            }
            throw error;
        }
    });
}
