/**
 * Unfolds control into locations and offers. The offers of a continuation are its paths: tests, initializations and
 * labels, then a step and the continuation after it, or the exit. A path that returns to a control point without a step
 * is dropped: all its tests see one state. A location is a class of continuations with the same offers, up to the
 * classes of the continuations after the steps: the coarsest such partition. Tests, labels and steps are equal if they
 * stand at the same place of the text.
 */
import { remembered } from '../../common/list-map.js';
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

/** By location its offers, in the order of the text, each once. Location 0 is the first; the others follow the text. */
export type Locations = readonly (readonly Offer[])[];

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

    return classes.map(pointClass => {
        const point = representatives.get(pointClass);
        invariant(point !== undefined, 'every class has a representative');
        return (offersOf.get(point) ?? []).map((offer): Offer => {
            const { path, step } = offer;
            return step === undefined ? { path, target: -1 } : { path, step, target: locationOf(step.next) };
        });
    });
}

/** The offers of each continuation that steps can lead to. */
function unfoldReachable(
    initial: ControlPoint,
    processRange: SourceRange,
    budget: UnfoldingBudget,
): Map<ControlPoint, readonly PointOffer[]> {
    const offersOf = new Map<ControlPoint, readonly PointOffer[]>();
    const waiting = [initial];
    for (let point = waiting.pop(); point !== undefined; point = waiting.pop()) {
        if (!offersOf.has(point)) {
            const offers = new Unfolding(processRange, budget).from(point);
            offersOf.set(point, offers);
            waiting.push(...offers.flatMap(({ step }) => step?.next ?? []));
        }
    }
    return offersOf;
}

/** Finds the offers of one control point, in the order of the text. */
class Unfolding {
    private readonly processRange: SourceRange;
    private readonly budget: UnfoldingBudget;
    private readonly offers = new Map<string, PointOffer>();
    private readonly path: PathItem[] = [];
    private readonly keys: string[] = [];
    private readonly onPath = new Set<ControlPoint>();
    private depth = 0;

    constructor(processRange: SourceRange, budget: UnfoldingBudget) {
        this.processRange = processRange;
        this.budget = budget;
    }

    from(start: ControlPoint): PointOffer[] {
        this.visit(start);
        return [...this.offers.values()];
    }

    /** A row of jumps, such as empty rounds of a `for`, takes no depth. */
    private visit(entry: ControlPoint): void {
        const jumps: ControlPoint[] = [];
        let point = entry;
        while (point.action.kind === 'jump' && !this.onPath.has(point)) {
            this.budget.visit(this.depth, this.processRange);
            jumps.push(point);
            this.onPath.add(point);
            point = point.action.next;
        }
        if (!this.onPath.has(point)) {
            this.budget.visit(this.depth, this.processRange);
            this.depth++;
            this.onPath.add(point);
            this.leave(point.action);
            this.onPath.delete(point);
            this.depth--;
        }
        jumps.forEach(jump => this.onPath.delete(jump));
    }

    private leave(action: ControlAction): void {
        switch (action.kind) {
            case 'exit':
                this.add({}, 'exit', this.processRange);
                return;
            case 'step':
                this.add({ step: action.site }, String(action.site.id), action.site.step.range);
                return;
            case 'test': {
                const { site, whenTrue, whenFalse } = action;
                this.along({ kind: 'test', site, outcome: true }, `+${site.id}`, whenTrue);
                if (whenFalse !== undefined) {
                    this.along({ kind: 'test', site, outcome: false }, `-${site.id}`, whenFalse);
                }
                return;
            }
            case 'fork':
                action.branches.forEach(branch => {
                    this.visit(branch);
                });
                return;
            case 'label': {
                const { kind, label, isEnd, next } = action;
                this.along({ kind, label, isEnd }, `:${label}`, next);
                return;
            }
            case 'declare':
                this.along({ kind: 'declare', site: action.site }, `=${action.site.id}`, action.next);
                return;
            case 'jump':
                return invariant(false, 'jumps are followed before');
            default:
                unreachable(action);
        }
    }

    private add(step: Pick<PointOffer, 'step'>, stepKey: string, range: SourceRange): void {
        const key = `${this.keys.join(' ')} > ${stepKey}`;
        if (!this.offers.has(key)) {
            this.offers.set(key, { path: [...this.path], ...step, key });
            this.budget.addPaths(1, range);
        }
    }

    private along(item: PathItem, key: string, next: ControlPoint): void {
        this.path.push(item);
        this.keys.push(key);
        this.visit(next);
        this.path.pop();
        this.keys.pop();
    }
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
            const pointClass = remembered(classOfSignature, signature, () => classOfSignature.size);
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
