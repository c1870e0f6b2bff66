/**
 * Steps that a run cannot put off for ever: all others together come to an end. Program counters, and cells whose changes
 * have no cycle, get ranks; a step that certainly raises one and lowers none is not sticky. [KurshanEtAl1998]
 */
import type { SequentialModel } from '../sequential/sequential-model.js';
import { addTo, emptySet, isIn, sizeOf, type SummandSet } from '../sequential/step-relations.js';
import type { StepEffects } from './step-effects.js';

/** A change of a cell by a step. */
interface Edge {
    readonly summand: number;
    readonly before: number;
    readonly after: number;
}

/**
 * Of a counter those moves go up that are not visible, first of steps that accord with most, as long as there is no cycle.
 * Visible steps are in no row and count as sticky.
 */
export function stickySteps(
    { cells, summands }: SequentialModel,
    { changes }: StepEffects,
    notAccording: readonly SummandSet[],
    visible: SummandSet,
): SummandSet {
    const sticky = emptySet(summands.length);
    const discord = notAccording.map(sizeOf);
    const raises = new Uint8Array(summands.length);
    cells.forEach(({ kind }, cell) => {
        const writers = changes.flatMap((known, summand) => (known.has(cell) ? [summand] : []));
        const free = writers.filter(summand => !isIn(visible, summand));
        const edges = free.flatMap(summand =>
            (changes[summand].get(cell)?.pairs ?? []).map(([before, after]): Edge => ({ summand, before, after })),
        );
        const isKnown = free.every(summand => changes[summand].get(cell) !== undefined);
        const upward = new Upward();
        if (kind === 'counter' && isKnown) {
            edges.sort((one, other) => discord[one.summand] - discord[other.summand]);
            edges.forEach(({ before, after }) => upward.add(before, after));
        } else if (!isKnown || !edges.every(({ before, after }) => upward.add(before, after))) {
            return;
        }
        for (const summand of free) {
            const change = changes[summand].get(cell);
            if (change?.pairs.every(([before, after]) => upward.has(before, after)) === true) {
                raises[summand] |= change.isCertain && change.pairs.length > 0 ? 1 : 0;
            } else {
                addTo(sticky, summand);
            }
        }
    });
    for (const summand of summands.keys()) {
        if (raises[summand] === 0) {
            addTo(sticky, summand);
        }
    }
    return sticky;
}

/** A relation without cycles, as far as it was asked for. */
class Upward {
    readonly #above = new Map<number, Set<number>>();

    /** Adds a pair, unless that closes a cycle; whether it is there. */
    add(low: number, high: number): boolean {
        if (this.has(low, high)) {
            return true;
        }
        if (low === high || this.#reaches(high, low)) {
            return false;
        }
        const above = this.#above.get(low) ?? new Set();
        this.#above.set(low, above.add(high));
        return true;
    }

    has(low: number, high: number): boolean {
        return this.#above.get(low)?.has(high) ?? false;
    }

    #reaches(from: number, to: number): boolean {
        const seen = new Set([from]);
        for (const code of seen) {
            this.#above.get(code)?.forEach(next => seen.add(next));
        }
        return seen.has(to);
    }
}
