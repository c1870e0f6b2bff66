/**
 * A value that is asked of a state is written in the place of a run of one part; its type is any, and no run is looked for.
 */
import type { StatedRun } from '../generated/nodes.js';
import type { Shape } from '../representation/shape.js';

const shapes = new WeakMap<StatedRun, Shape | undefined>();

export function markAskedValue(run: StatedRun): void {
    shapes.set(run, undefined);
}

export function isAskedValue(run: StatedRun): boolean {
    return shapes.has(run);
}

/** Entered by the check of the model. */
export function setShapeOfAsked(run: StatedRun, shape: Shape): void {
    shapes.set(run, shape);
}

export function shapeOfAsked(run: StatedRun): Shape | undefined {
    return shapes.get(run);
}
