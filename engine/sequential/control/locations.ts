/**
 * Unfolds control into locations and offers.
 *
 * The offers of a continuation are its paths: tests, initializations and labels, then a step and the continuation after
 * it, or the exit. A path that returns to a control point without a step is dropped: all tests of a path see one state,
 * so a second round changes nothing. A location is a class of continuations with the same offers, up to the classes of
 * the continuations after the steps: the coarsest such partition. Tests, labels and steps are equal if they stand at
 * the same place of the text.
 */
import { invariant, unreachable } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import type { Value } from '../../model/domain.js';
import type { ControlAction, ControlGraph, ControlPoint, DeclareSite, StepSite, TestSite } from './control-graph.js';
import type { UnfoldingBudget } from '../linearization-limits.js';

export type PathItem =
    | { readonly kind: 'test'; readonly site: TestSite; readonly outcome: boolean }
    /** `values` has the value of each cell after the choice is made (choices.ts). */
    | { readonly kind: 'declare'; readonly site: DeclareSite; readonly values?: readonly Value[] }
    | { readonly kind: 'label'; readonly label: string; readonly isEnd: boolean };

/** One path from a location to a step, or out of the body. */
export interface Offer {
    readonly path: readonly PathItem[];
    readonly step?: StepSite;
    /** The location after the step; -1 for an exit. */
    readonly target: number;
}

export interface ControlLocation {
    /** In the order of the text, without repetitions. */
    readonly offers: readonly Offer[];
}

/** Location 0 is the initial one; the others follow in the order of the text. */
export interface Locations {
    readonly locations: readonly ControlLocation[];
}

interface PointOffer {
    readonly path: readonly PathItem[];
    readonly step?: StepSite;
    /** Identifies the path and the step. */
    readonly key: string;
}

export function findLocations(graph: ControlGraph, processRange: SourceRange, budget: UnfoldingBudget): Locations {
    const offersOf = unfoldReachable(graph.initial, processRange, budget);
    const points = [...offersOf.keys()].sort((first, second) => first.order - second.order);
    const classOf = partition(points, offersOf);

    // The least point of a class, in the order of the text, stands for it.
    const representatives = new Map<number, ControlPoint>();
    for (const point of points) {
        const pointClass = classOf.get(point) ?? -1;
        if (!representatives.has(pointClass)) {
            representatives.set(pointClass, point);
        }
    }
    const initialClass = classOf.get(graph.initial) ?? -1;
    const classes = [...representatives.keys()].filter(other => other !== initialClass);
    classes.unshift(initialClass);
    const locationOfClass = new Map(classes.map((pointClass, location) => [pointClass, location]));
    const locationOf = (point: ControlPoint): number => {
        const location = locationOfClass.get(classOf.get(point) ?? -1);
        invariant(location !== undefined, 'every reachable continuation has a location');
        return location;
    };

    const locations = classes.map(pointClass => {
        const point = representatives.get(pointClass);
        invariant(point !== undefined, 'every class has a representative');
        const offers = (offersOf.get(point) ?? []).map((offer): Offer => {
            const { path, step } = offer;
            return step === undefined ? { path, target: -1 } : { path, step, target: locationOf(step.next) };
        });
        return { offers };
    });
    return { locations };
}

/** The offers of each continuation that steps can lead to. */
function unfoldReachable(
    initial: ControlPoint,
    processRange: SourceRange,
    budget: UnfoldingBudget,
): Map<ControlPoint, readonly PointOffer[]> {
    const offersOf = new Map<ControlPoint, readonly PointOffer[]>();
    const waiting = [initial];

    /** next(K), in the order of the text. */
    function unfold(start: ControlPoint): PointOffer[] {
        const offers = new Map<string, PointOffer>();
        const path: PathItem[] = [];
        const keys: string[] = [];
        const onPath = new Set<ControlPoint>();
        let depth = 0;

        function add(step: StepSite | undefined, range: SourceRange): void {
            const key = `${keys.join(' ')} > ${step === undefined ? 'exit' : step.id}`;
            if (offers.has(key)) {
                return;
            }
            offers.set(key, step === undefined ? { path: [...path], key } : { path: [...path], step, key });
            budget.addPaths(1, range);
        }

        function along(item: PathItem, key: string, next: ControlPoint): void {
            path.push(item);
            keys.push(key);
            visit(next);
            path.pop();
            keys.pop();
        }

        /** A row of jumps, such as empty rounds of a `for`, takes no depth. */
        function visit(entry: ControlPoint): void {
            const jumps: ControlPoint[] = [];
            let point = entry;
            while (point.action.kind === 'jump' && !onPath.has(point)) {
                budget.visit(depth, processRange);
                jumps.push(point);
                onPath.add(point);
                point = point.action.next;
            }
            if (!onPath.has(point)) {
                budget.visit(depth, processRange);
                depth++;
                onPath.add(point);
                leave(point.action);
                onPath.delete(point);
                depth--;
            }
            jumps.forEach(jump => onPath.delete(jump));
        }

        function leave(action: ControlAction): void {
            switch (action.kind) {
                case 'exit':
                    add(undefined, processRange);
                    return;
                case 'step':
                    add(action.site, action.site.step.range);
                    return;
                case 'test': {
                    const { site, whenTrue, whenFalse } = action;
                    along({ kind: 'test', site, outcome: true }, `+${site.id}`, whenTrue);
                    if (whenFalse !== undefined) {
                        along({ kind: 'test', site, outcome: false }, `-${site.id}`, whenFalse);
                    }
                    return;
                }
                case 'fork':
                    action.branches.forEach(visit);
                    return;
                case 'label':
                    along({ kind: 'label', label: action.label, isEnd: action.isEnd }, `:${action.label}`, action.next);
                    return;
                case 'declare': {
                    const { site } = action;
                    along({ kind: 'declare', site }, `=${site.id}`, action.next);
                    return;
                }
                case 'jump':
                    return invariant(false, 'jumps are followed before');
                default:
                    unreachable(action);
            }
        }

        visit(start);
        return [...offers.values()];
    }

    for (let point = waiting.pop(); point !== undefined; point = waiting.pop()) {
        if (offersOf.has(point)) {
            continue;
        }
        const offers = unfold(point);
        offersOf.set(point, offers);
        for (const offer of offers) {
            if (offer.step !== undefined && !offersOf.has(offer.step.next)) {
                waiting.push(offer.step.next);
            }
        }
    }
    return offersOf;
}

/** The class of each point, by Moore's refinement: points stay together while their offers agree up to classes. */
function partition(
    points: readonly ControlPoint[],
    offersOf: ReadonlyMap<ControlPoint, readonly PointOffer[]>,
): Map<ControlPoint, number> {
    let classOf = new Map(points.map(point => [point, 0]));
    let classCount = 1;
    for (;;) {
        const classOfSignature = new Map<string, number>();
        const refined = new Map<ControlPoint, number>();
        for (const point of points) {
            const signature = (offersOf.get(point) ?? [])
                .map(offer => `${offer.key} > ${offer.step === undefined ? '' : classOf.get(offer.step.next)}`)
                .sort()
                .join('\n');
            let pointClass = classOfSignature.get(signature);
            if (pointClass === undefined) {
                pointClass = classOfSignature.size;
                classOfSignature.set(signature, pointClass);
            }
            refined.set(point, pointClass);
        }
        // Offers name the step, and the step and the old classes decide the class after it: each round refines.
        classOf = refined;
        if (classOfSignature.size === classCount) {
            return classOf;
        }
        classCount = classOfSignature.size;
    }
}
