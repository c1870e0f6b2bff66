/**
 * The least set of views that contains those of the initial states and is closed under steps. Repeats: take a view,
 * complete it in every way to a state of at most k + l others all of whose views are known, run the instance with so many
 * members from there, and add the views of the successors. If no such state violates a property, no state of any size
 * does. [AbdullaHazizaHolik2013, §3; what is kept for a step: narrow.ts]
 *
 * A state is met with the last of its views, so once. Views with one shared part are joined as in frequent item sets.
 */
import type { Successors } from '../engine/explore/successors.js';
import { InitialStates } from '../engine/explore/initial/initial-states.js';
import { Properties, type Finding } from '../engine/explore/properties.js';
import type { WorkLimit } from '../engine/common/work-limit.js';
import type { SequentialModel } from '../engine/sequential/sequential-model.js';
import type { SizedInstance } from './member-layout.js';
import type { Narrow } from './narrow.js';
import type { Refused } from './sized-instances.js';
import { startSizes, widthOf } from './sizes.js';
import { forEachSelection, Views, type Parts, type PlacedState } from './view.js';

export interface ViewSearchOptions {
    readonly viewSize: number;
    /** The names of the invariants to check; faults are always checked. */
    readonly invariants: readonly string[];
    readonly successorsOf: (model: SequentialModel) => Successors;
    readonly workLimit: WorkLimit;
    readonly maxConfigurations?: number | undefined;
    readonly maxBytes?: number | undefined;
}

export interface ViewSearchResult {
    readonly views: Views;
    /** Of the instances that initial views are from. */
    readonly initialStates: number;
    /** States of instances that were run. */
    readonly configurations: number;
    readonly steps: number;
    /** Why the search ended before the set was closed. */
    readonly end?:
        | { readonly kind: 'limit'; readonly limit: 'time' | 'states' | 'memory' }
        /** An instance cannot be used. */
        | ({ readonly kind: 'refused' } & Refused)
        /** What was found in a state that need not be reachable. */
        | { readonly kind: 'suspicion'; readonly finding: Finding };
}

/**
 * The least set of views that holds those of initial states and is closed under the steps of the instances that they
 * allow; it may also end at a limit or at a suspicion. Throws OperationCancelled.
 */
export function searchViews(narrow: Narrow, options: ViewSearchOptions): ViewSearchResult {
    return new ViewSearch(narrow, options).run();
}

/** An instance, ready to run. */
interface Running {
    readonly instance: SizedInstance;
    readonly placed: PlacedState;
    readonly successors: Successors;
    readonly properties: Properties;
}

class ViewSearch {
    private readonly narrow: Narrow;
    private readonly options: ViewSearchOptions;
    private readonly views: Views;
    /** The most others of a state that is run. */
    private readonly width: number;
    private readonly running = new Map<string, Running>();
    private initialStates = 0;
    private configurations = 0;
    private steps = 0;
    private end: ViewSearchResult['end'];
    /** The present view: only it and those before it count. */
    private present = 0;

    constructor(narrow: Narrow, options: ViewSearchOptions) {
        this.narrow = narrow;
        this.options = options;
        this.views = new Views(options.viewSize, narrow.largest.layout, narrow.fixedCount);
        this.width = widthOf(narrow, options.viewSize, options.invariants);
    }

    run(): ViewSearchResult {
        this.start();
        const { views } = this;
        for (; this.present < views.count && this.end === undefined; this.present++) {
            const others = views.othersOf(this.present);
            const shared = views.sharedOf(this.present);
            this.visit({ shared, others });
            if (others.length === views.size) {
                this.complete(shared, others, [], [...views.localsWith(shared)]);
            }
        }
        const { initialStates, configurations, steps, end } = this;
        return { views, initialStates, configurations, steps, ...(end !== undefined && { end }) };
    }

    /** The views of the initial states. */
    private start(): void {
        for (const sizes of startSizes(this.narrow, this.options.viewSize)) {
            const instance = this.narrow.instanceAt(sizes);
            if ('problems' in instance) {
                this.end = { kind: 'refused', ...instance };
                return;
            }
            const { sequential, layout } = instance;
            const initial = new InitialStates(sequential);
            const state = new Int32Array(sequential.cells.length);
            while (initial.nextInto(state, this.options.workLimit)) {
                if (this.isLimited()) {
                    return;
                }
                this.initialStates++;
                this.views.addViewsOf(state, layout);
            }
            if (initial.isPaused) {
                this.end = { kind: 'limit', limit: 'time' };
                return;
            }
            const { problem } = initial;
            if (problem !== undefined && problem.code !== 'model/no-initial-state') {
                this.suspect({ kind: 'fault', name: problem.code, range: problem.range });
            }
        }
    }

    /** Adds members to `others` in every way in which all views stay known; `added` are those added, ascending. */
    private complete(
        shared: number,
        others: readonly number[],
        added: readonly number[],
        candidates: readonly number[],
    ): void {
        if (others.length + added.length >= this.width) {
            return;
        }
        const last = added.at(-1) ?? -1;
        const possible = candidates.filter(local => local >= last && this.fits(shared, others, added, local));
        for (const local of possible) {
            if (this.end !== undefined) {
                return;
            }
            const more = [...added, local];
            this.visit({ shared, others: [...others, ...more].sort(ascending) });
            this.complete(shared, others, more, possible);
        }
    }

    /** Whether all views with the new member are known; those without the last one that was added were asked before. */
    private fits(shared: number, others: readonly number[], added: readonly number[], local: number): boolean {
        const { views, present } = this;
        const last = added.at(-1);
        const fixed = last === undefined ? [local] : [last, local];
        const rest = last === undefined ? others : [...others, ...added.slice(0, -1)].sort(ascending);
        if (fixed.length > views.size) {
            return true;
        }
        let fits = true;
        forEachSelection(rest, views.size - fixed.length, selection => {
            if (fits) {
                const view = views.find(shared, [...selection, ...fixed].sort(ascending));
                fits = view >= 0 && view <= present;
            }
        });
        return fits;
    }

    /** Runs the instance from one state. */
    private visit(parts: Parts): void {
        const sizes = this.views.namedSizes(parts.shared);
        for (const local of parts.others) {
            sizes[this.views.familyOf(local)]++;
        }
        const { families } = this.narrow.carrier;
        if (sizes.some((size, family) => size < this.narrow.least[family] || size > families[family].most)) {
            return;
        }
        if (this.isLimited()) {
            return;
        }
        const running = this.runningAt(sizes);
        if (running === undefined) {
            return;
        }
        const { instance, placed, successors, properties } = running;
        const { layout } = instance;
        this.configurations++;
        this.views.placeInto(placed, parts, layout);
        properties.checkState(placed.state, finding => {
            this.suspect(finding);
        });
        successors.forEachFiring(placed.state, {
            fired: (_, successor) => {
                this.steps++;
                this.views.addViewsOf(successor, layout, placed);
                return true;
            },
            faulted: (_, { kind, range }) => {
                if (kind === 'outside') {
                    return true;
                }
                this.steps++;
                this.suspect({ kind: 'fault', name: kind, range });
                return false;
            },
        });
    }

    private suspect(finding: Finding): void {
        this.end ??= { kind: 'suspicion', finding };
    }

    private isLimited(): boolean {
        const { workLimit, maxConfigurations = Infinity, maxBytes = Infinity } = this.options;
        const limit = workLimit.isExhausted()
            ? 'time'
            : this.initialStates + this.configurations >= maxConfigurations
              ? 'states'
              : this.views.bytes > maxBytes
                ? 'memory'
                : undefined;
        if (limit !== undefined) {
            this.end ??= { kind: 'limit', limit };
        }
        return limit !== undefined;
    }

    private runningAt(sizes: readonly number[]): Running | undefined {
        const key = sizes.join();
        let running = this.running.get(key);
        if (running === undefined) {
            const instance = this.narrow.instanceAt(sizes);
            if ('problems' in instance) {
                this.end ??= { kind: 'refused', ...instance };
                return undefined;
            }
            const { sequential, layout } = instance;
            running = {
                instance,
                placed: {
                    state: new Int32Array(sequential.cells.length),
                    locals: new Int32Array(layout.own.length),
                },
                successors: this.options.successorsOf(sequential),
                properties: new Properties(sequential, this.options.invariants),
            };
            this.running.set(key, running);
        }
        return running;
    }
}

function ascending(first: number, second: number): number {
    return first - second;
}
