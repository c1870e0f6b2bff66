/** An exploration from its beginning to its end, in one call. Those that are to pause use `startExploration`. */
import type { Problem } from '../engine/common/problem.js';
import { createTextOf } from '../engine/common/source-text.js';
import { createWorkLimit, UNLIMITED } from '../engine/common/work-limit.js';
import type { ExplorationReport } from '../engine/explore/verdict.js';
import { propertyNames, type Model } from '../engine/model/model.js';
import { findSymmetries, startExploration, type ReducedExplorationOptions } from '../engine/pipeline.js';
import type { Reason } from '../engine/reasons/reason.js';
import { linearize } from '../engine/sequential/linearize.js';

/** The reduction and the limits. */
export interface ExploreOptions extends Partial<Omit<ReducedExplorationOptions, 'now'>> {
    /** The time after which an exploration ends undecided, and the clock in milliseconds that measures it. */
    readonly timeLimit?: { readonly milliseconds: number; readonly now: () => number };
    /** The text of the model, for reasons that quote it; without it they quote the model with its values. */
    readonly text?: string;
}

/** The verdict, with the counts and a run to each violation. */
export interface ExploreResult {
    /** Absent if a problem is an error. */
    readonly report?: ExplorationReport;
    readonly problems: readonly Problem[];
    /** Why each violation of the report is one, the most telling line first. */
    readonly reasons: readonly Reason[];
}

/** The share of the time that the search for symmetries may take. */
const DETECTION_PART = 0.5;

/**
 * Explores the states of a model under its symmetries, like `orbit explore`. A limit ends in `undecided`. Throws RangeError
 * if `properties` has a name that the model does not state.
 */
export function explore(model: Model, options: ExploreOptions = {}): ExploreResult {
    const { timeLimit, text, reduction = 'auto', ...others } = options;
    const unknown = others.properties?.find(name => name !== 'faults' && !propertyNames(model).includes(name));
    if (unknown !== undefined) {
        throw new RangeError(`the model states no property '${unknown}'`);
    }
    const now = timeLimit?.now ?? ((): number => 0);
    const start = now();
    const within = (part: number) => {
        const left = timeLimit && timeLimit.milliseconds - (now() - start);
        return left === undefined ? UNLIMITED : createWorkLimit({ now, budgetMilliseconds: Math.max(0, left * part) });
    };
    const analysis =
        reduction === 'none'
            ? { model, ...linearize(model) }
            : findSymmetries(model, { now, workLimit: within(DETECTION_PART) });
    const { sequential, problems } = analysis;
    if (sequential === undefined) {
        return { problems, reasons: [] };
    }
    const { exploration, reasonOf } = startExploration(
        { ...analysis, sequential },
        { ...others, reduction, ...(timeLimit && { now }) },
        within(DETECTION_PART),
    );
    try {
        if (!exploration.advance(within(1))) {
            exploration.stop({ kind: 'time', value: timeLimit?.milliseconds ?? 0 });
            exploration.advance(UNLIMITED);
        }
        const { report, problems: found } = exploration.result();
        const textOf = createTextOf(uri => (uri === model.nameRange.uri ? text : undefined));
        const reasons = (report?.violations ?? []).map(violation => reasonOf(violation, textOf));
        return { ...(report !== undefined && { report }), problems: [...problems, ...found], reasons };
    } finally {
        exploration.close();
    }
}
