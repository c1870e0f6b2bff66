/** The violations of a text, found with all steps and with some of them. */
import { invariant } from '../../engine/common/assert.js';
import { keyOfRange } from '../../engine/common/source-range.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { findSymmetries, type ReducedExplorationOptions, startExploration } from '../../engine/pipeline.js';
import { loadModel } from '../../language-server/load-model.js';

/** Texts with more steps are passed over: each way compares all of them with each other. */
const MOST_SUMMANDS = 200;

/** Texts with more states are passed over. */
const MOST_STATES = 3_000;

const WAYS: readonly ReducedExplorationOptions[] = (['shortest', 'fewest'] as const).flatMap(partialOrder =>
    (['none', 'unique'] as const).flatMap(reduction =>
        ([[], ['cone', 'reset', 'merge', 'narrow']] as const).map(passes => ({ partialOrder, reduction, passes })),
    ),
);

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

/** Undefined for a text with errors, or with too many states. `asked` is the same for all searches. */
export async function compareViolations(
    text: string,
    asked: Pick<ReducedExplorationOptions, 'ignoresFaults'> = {},
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
    const explore = (options: ReducedExplorationOptions): ExplorationReport | undefined => {
        const { exploration } = startExploration(
            analysis,
            { properties, continueAfterViolation: true, maxStates: MOST_STATES, maxInstances: 6, ...asked, ...options },
            UNLIMITED,
        );
        while (!exploration.advance(UNLIMITED));
        return exploration.result().report;
    };
    const all = explore({ reduction: 'none', passes: [] });
    if (all === undefined || all.limit !== undefined) {
        return undefined;
    }
    const reduced: number[] = [];
    const differences: string[] = [];
    // Passes do not go with instances that are created.
    for (const way of WAYS.filter(({ passes }) => templates === undefined || passes?.length === 0)) {
        const { partialOrder, reduction, passes } = way;
        const some = explore(way);
        const interpreted = explore({ ...way, isInterpreted: true });
        invariant(some !== undefined && interpreted !== undefined, 'the model has initial states');
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
        if (countsOf(some) !== countsOf(interpreted)) {
            note(`compiled ${countsOf(some)}, interpreted ${countsOf(interpreted)}`);
        }
    }
    return { states: all.states, reduced, violations: all.violations.length, found: summaryOf(all), differences };
}

/** The two choices among steps are the same. */
function countsOf({ states, transitions, depth, deadlocks, por }: ExplorationReport): string {
    return JSON.stringify({ states, transitions, depth, deadlocks, por });
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
