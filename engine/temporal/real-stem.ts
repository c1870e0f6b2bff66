/**
 * A way through the product that a run with real numbers goes: to some of its nodes, from which a loop of exact steps needs
 * no certain numbers. Real states follow the stored ones with which they agree, in the order of the steps taken and those
 * still needed [HartEtAl1968]; they may go round a loop of the product until their numbers are those that a step needs.
 */
import { appendTo, remembered } from '../common/list-map.js';
import { sameNumbers } from '../common/same-data.js';
import type { WorkLimit } from '../common/work-limit.js';
import { successorsWithAllSlots } from '../explore/all-slots-successors.js';
import { InitialStates } from '../explore/initial/initial-states.js';
import type { NumberOrder } from '../explore/number-order.js';
import { composeSparse, inverseSparse, type SparsePermutation } from '../group/sparse-permutation.js';
import { withRealNumbers } from '../sequential/numbers/real-numbers.js';
import { imageOf, imagesOfStep, type LassoContext, type ProductStep, type Stem, stepsFrom } from './lasso.js';
import { REST } from './marked-firings.js';
import type { Product } from './product.js';

/** With more steps the search ends. */
const MOST_STEPS = 50_000;

/** So many steps more than the product needs are tried. */
const MOST_STAYS = 256;

interface Reached {
    readonly node: number;
    /** With real numbers. */
    readonly state: Int32Array;
    /** Takes the stored state to that of the run. */
    readonly toRun: SparsePermutation;
    readonly steps: number;
    readonly before?: { readonly reached: Reached; readonly step: ProductStep };
}

/** Undefined if none was found. Yields now and then. */
export function* realStem(
    isWanted: (node: number) => boolean,
    order: NumberOrder,
    context: LassoContext,
    limit: WorkLimit,
): Generator<undefined, Stem | undefined> {
    const { product } = context;
    const real = withRealNumbers(context.model);
    const successors = successorsWithAllSlots(real);
    const left = distancesTo(isWanted, product);
    const form = new Int32Array(real.cells.length);
    const agrees = (state: Readonly<Int32Array>, stored: Readonly<Int32Array>): boolean => {
        form.set(state);
        return order.normalize(form) && sameNumbers(form, stored);
    };
    /** Many real states are at one node. */
    const stepsAt = new Map<number, readonly ProductStep[]>();
    const waiting: Reached[][] = [];
    const seen = new Set<string>();
    let most = Infinity;
    const add = (reached: Reached): void => {
        const sum = reached.steps + (left.get(reached.node) ?? Infinity);
        const key = `${reached.node} ${reached.state.join()}`;
        if (sum <= most && sum < Infinity && !seen.has(key)) {
            seen.add(key);
            most = Math.min(most, sum + MOST_STAYS);
            (waiting[sum] ??= []).push(reached);
        }
    };
    for (const node of product.initial.filter(each => left.has(each))) {
        const { toRun } = yield* context.rootOf(node);
        const stored = product.graph.emptyState();
        product.graph.stateInto(stored, Math.floor(node / product.width));
        const first = imageOf(stored, toRun, context);
        const initial = new InitialStates(real);
        const state = new Int32Array(real.cells.length);
        do {
            while (initial.nextInto(state, limit)) {
                if (agrees(state, first)) {
                    add({ node, state: state.slice(), toRun, steps: 0 });
                }
            }
            yield;
        } while (initial.isPaused);
    }
    let stepsLeft = MOST_STEPS;
    for (let sum = 0; sum < waiting.length && stepsLeft > 0;) {
        const reached = waiting[sum]?.pop();
        if (reached === undefined) {
            sum++;
            continue;
        }
        if (isWanted(reached.node)) {
            return stemOf(reached);
        }
        const firings: { readonly summand: number; readonly next: Int32Array }[] = [];
        successors.forEachFiring(reached.state, {
            fired: (summand, next) => firings.push({ summand, next: next.slice() }) > 0,
            faulted: () => true,
        });
        const steps = remembered(stepsAt, reached.node, () => stepsFrom(reached.node, context, next => left.has(next)));
        for (const step of steps) {
            const { summand, successor, symmetry } = step.firing;
            const isImage = imagesOfStep(summand, reached.toRun, context);
            const expected = imageOf(successor, reached.toRun, context);
            const toRun = composeSparse(inverseSparse(symmetry), reached.toRun);
            const taken = summand === REST ? [{ summand, next: reached.state }] : firings;
            for (const firing of taken) {
                stepsLeft--;
                if ((summand === REST || isImage(firing.summand)) && agrees(firing.next, expected)) {
                    const before = { reached, step };
                    add({ node: step.next, state: firing.next, toRun, steps: reached.steps + 1, before });
                }
            }
        }
        yield;
    }
    return undefined;
}

function stemOf(end: Reached): Stem {
    const steps: ProductStep[] = [];
    let at = end;
    for (let before = at.before; before !== undefined; before = at.before) {
        steps.push(before.step);
        at = before.reached;
    }
    return { start: at.node, steps: steps.reverse() };
}

/** The nodes that a run may be at. */
export function nodesReached(product: Product): readonly number[] {
    const nodes = new Set(product.initial);
    // The iteration includes nodes that are added during it.
    for (const node of nodes) {
        product.forEachEdge(node, target => nodes.add(target));
    }
    return [...nodes];
}

/** By node from which a wanted one can be reached, how many steps that takes. */
function distancesTo(isWanted: (node: number) => boolean, product: Product): ReadonlyMap<number, number> {
    const nodes = nodesReached(product);
    const before = new Map<number, number[]>();
    nodes.forEach(node => {
        product.forEachEdge(node, target => {
            appendTo(before, target, node);
        });
    });
    const distances = new Map(nodes.filter(isWanted).map(node => [node, 0]));
    for (const [node, distance] of distances) {
        for (const source of before.get(node) ?? []) {
            if (!distances.has(source)) {
                distances.set(source, distance + 1);
            }
        }
    }
    return distances;
}
