/** The violations of a text, found with all steps and with some of them. */
import { invariant } from '../../engine/common/assert.js';
import { keyOfRange } from '../../engine/common/source-range.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { RunningExploration } from '../../engine/explore/search.js';
import type { StoredExploration } from '../../engine/explore/snapshot.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import type { WorkerHost } from '../../engine/explore/worker-host.js';
import { PASSES, type PassName } from '../../engine/passes/pass-names.js';
import { findSymmetries, type ReducedExplorationOptions, startExploration } from '../../engine/pipeline.js';
import { loadModel } from '../../language-server/load-model.js';
import { exploreInPieces } from '../explore/in-pieces.js';

/** Texts with more steps are passed over: each way compares all of them with each other. */
const MOST_SUMMANDS = 200;

/** Texts with more states are passed over. */
const MOST_STATES = 3_000;

function waysWith(all: readonly PassName[]): readonly ReducedExplorationOptions[] {
    return (['shortest', 'fewest'] as const).flatMap(partialOrder =>
        (['none', 'unique'] as const).flatMap(reduction =>
            [[], all].map(passes => ({ partialOrder, reduction, passes })),
        ),
    );
}

type Execution = Pick<ReducedExplorationOptions, 'isInterpreted' | 'shards' | 'workers'> & {
    /** Stopped after so many slices, and continued from a snapshot, again and again. */
    readonly slices?: number;
};

/** With which other executions a choice is compared: the interpreted one and another, or one of the two in turn. */
type Others = 'two' | 'one';

/** The executions of a choice, which must be the same: one of those in several threads or pieces, all in turn. */
function executionsOf(workers: WorkerHost | undefined, turn: number, count: Others): readonly Execution[] {
    const one = { count: 1, fromStates: 1 };
    const two = { count: 2, fromStates: 1 };
    const threads = workers === undefined ? {} : { workers };
    const others: readonly Execution[] = [
        { shards: two },
        { shards: one, ...threads },
        { shards: two, ...threads, slices: 1 },
        { slices: 1 },
        { isInterpreted: true, slices: 3 },
        { shards: two, ...threads },
    ];
    const both = [{ isInterpreted: true }, ...others.filter((_, index) => index === turn % others.length)];
    return count === 'two' ? both : both.filter((_, index) => index === turn % 2);
}

interface Compared {
    readonly states: number;
    /** The states of each way, in their order. */
    readonly reduced: readonly number[];
    readonly violations: number;
    /** Kinds and names of violations, with the steps of a shortest run. */
    readonly found: string;
    /** What differs, a line for each way. */
    readonly differences: readonly string[];
}

/**
 * Undefined for a text with errors, or with too many states. `asked` is the same for all searches; half of those with some
 * steps are with the passes named there, or all. Threads are of `workers`.
 */
export async function compareViolations(
    text: string,
    { passes: named = PASSES, ...asked }: Pick<ReducedExplorationOptions, 'ignoresFaults' | 'passes'> = {},
    workers?: WorkerHost,
    others: Others = 'two',
): Promise<Compared | undefined> {
    const { model, problems } = await loadModel(text, 'file:///model.orbit', []);
    if (model === undefined || problems.some(({ severity }) => severity === 'error')) {
        return undefined;
    }
    const analysis = findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    if (analysis.sequential === undefined || analysis.sequential.summands.length > MOST_SUMMANDS) {
        return undefined;
    }
    const { invariants, allowsDeadlock, templates } = analysis.sequential;
    const properties = [...(allowsDeadlock ? [] : ['deadlock']), ...invariants.map(({ name }) => name)];
    const explore = ({ slices, ...options }: ReducedExplorationOptions & Execution): ExplorationReport | undefined => {
        const begin = (resumeFrom?: StoredExploration): RunningExploration => {
            const limits = { maxStates: MOST_STATES, maxInstances: 6, ...(resumeFrom && { resumeFrom }) };
            const given = { properties, continueAfterViolation: true, ...limits, ...asked, ...options };
            return startExploration(analysis, given, UNLIMITED).exploration;
        };
        // A snapshot of a search that has begun again with more slots belongs to its model, not to that of `analysis`.
        const isWhole = slices === undefined || templates !== undefined;
        const exploration = isWhole ? begin() : exploreInPieces(begin, slices, 4).exploration;
        while (!exploration.advance(UNLIMITED));
        exploration.close();
        return exploration.result().report;
    };
    const all = explore({ reduction: 'none', passes: [] });
    if (all === undefined || all.limit !== undefined) {
        return undefined;
    }
    const reduced: number[] = [];
    const differences: string[] = [];
    // Passes do not go with instances that are created.
    const ways = waysWith(named).filter(({ passes }) => templates === undefined || passes?.length === 0);
    for (const [turn, way] of ways.entries()) {
        const { partialOrder, reduction, passes } = way;
        const some = explore(way);
        invariant(some !== undefined, 'the model has initial states');
        const withPlaces = reduction === 'none';
        const withDepths = partialOrder === 'shortest' && passes?.length === 0;
        const expected = goalsOf(all, withPlaces, withDepths);
        const found = goalsOf(some, withPlaces, withDepths);
        reduced.push(some.states);
        const note = (difference: string): void => {
            differences.push(`${partialOrder} ${reduction} ${passes?.join()}: ${difference}`);
        };
        if (expected !== found || some.states > all.states) {
            note(`${found} for ${expected}, ${some.states} for ${all.states} states`);
        }
        for (const execution of executionsOf(workers, text.length + turn, others)) {
            const other = countsOf(explore({ ...way, ...execution }));
            if (countsOf(some) !== other) {
                const { workers: threads, ...named } = execution;
                note(`${countsOf(some)}, in another way ${JSON.stringify({ ...named, threads })} ${other}`);
            }
        }
    }
    return { states: all.states, reduced, violations: all.violations.length, found: summaryOf(all), differences };
}

/** The two choices among steps are the same. */
function countsOf(report: ExplorationReport | undefined): string {
    invariant(report !== undefined, 'the model has initial states');
    const { states, transitions, depth, deadlocks, por, outside } = report;
    return JSON.stringify({ states, transitions, depth, deadlocks, por, outside, found: goalsOf(report, true, true) });
}

/** Each violation once, with the steps of its shortest run; without places a symmetry may exchange them. */
function goalsOf({ violations }: ExplorationReport, withPlaces: boolean, withDepths: boolean): string {
    const depths = new Map<string, number>();
    for (const { kind, name, range, invariant: within, trace } of violations) {
        const place = withPlaces ? ` ${within ?? ''} ${range === undefined ? '' : keyOfRange(range)}` : '';
        const key = `${kind} ${kind === 'invariant' && !withPlaces ? '' : name}${place}`;
        depths.set(key, Math.min(trace.length, depths.get(key) ?? Infinity));
    }
    return [...depths]
        .map(([key, depth]) => (withDepths ? `${key} after ${depth - 1}` : key))
        .sort()
        .join('; ');
}

function summaryOf({ violations }: ExplorationReport): string {
    return violations
        .map(({ kind, name, trace }) => `${kind} ${name} ${trace.length - 1}`)
        .sort()
        .join('; ');
}
