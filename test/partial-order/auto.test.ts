/** `auto` gives up at the end of the same level in every way in which a search can run, and goes on from there. */
// @module-tag thorough
import { expect, test } from 'vitest';
import { createWorkLimit, UNLIMITED } from '../../engine/common/work-limit.js';
import type { RunningExploration } from '../../engine/explore/search.js';
import type { StoredExploration } from '../../engine/explore/snapshot.js';
import { findSymmetries, type ReducedExplorationOptions, startExploration } from '../../engine/pipeline.js';
import { threadPool } from '../agreement/thread-pool.js';
import { stored } from '../explore/in-pieces.js';
import { modelOf } from '../model-of-text.js';

/** Steps of P do not accord, so all of them are taken before one of Q: more than a third of those that are possible. */
const COUNTERS = `
    model Counters
    type Id = 0 .. 7
    var n: 0 .. 2[Id] = 0
    var last: Id = 0
    process P[i: Id] { loop { up: when n[i] < 2 { n[i] := n[i] + 1; last := i } } }
    process Q[j: 0 .. 1] { a: skip; b: skip }
    invariant low = exists i in Id: n[i] < 2`;

const analysis = findSymmetries(await modelOf(COUNTERS), { now: () => 0, workLimit: UNLIMITED });
const NO_TIME = { now: () => 0, budgetMilliseconds: 0 };

type Execution = Pick<ReducedExplorationOptions, 'isInterpreted' | 'partialOrder' | 'shards' | 'workers'>;

/** After each but the last of these executions has stored so many states, the next one goes on from its snapshot. */
function reportOf(executions: readonly Execution[], states = 0) {
    let resumeFrom: StoredExploration | undefined;
    let exploration: RunningExploration | undefined;
    for (const [index, execution] of executions.entries()) {
        const options = { reduction: 'none', passes: [], partialOrder: 'auto', continueAfterViolation: true } as const;
        const given = { ...options, ...execution, ...(resumeFrom && { resumeFrom }) };
        ({ exploration } = startExploration(analysis, given, UNLIMITED));
        if (index < executions.length - 1) {
            while (exploration.progress().states < states) {
                exploration.advance(createWorkLimit(NO_TIME));
            }
            const snapshot = exploration.snapshot();
            resumeFrom = snapshot && stored(snapshot);
        } else {
            while (!exploration.advance(UNLIMITED));
        }
        exploration.close();
    }
    const { states: count, transitions, depth, deadlocks, por, violations } = exploration?.result().report ?? {};
    const found = violations?.map(({ kind, trace }) => `${kind} after ${trace.length - 1}`);
    return { states: count, transitions, depth, deadlocks, por, found };
}

const shards = { count: 2, fromStates: 1 };
const workers = threadPool(2);

test('steps are taken as before up to a level, and all of them from there on', () => {
    const some = reportOf([{ partialOrder: 'shortest' }]);
    const { states, por, ...given } = reportOf([{}]);
    expect(given).toEqual({ ...some, transitions: given.transitions, states: undefined, por: undefined });
    expect(states).toBeGreaterThan(some.states ?? Infinity);
    expect(por).toMatchObject({ mode: 'off', because: 'more than a third of the possible steps were taken' });
});

test.each<[string, readonly Execution[], number?]>([
    ['two parts', [{ shards }]],
    ['two threads', [{ shards, workers }]],
    ['the interpreter', [{ isInterpreted: true }]],
    ['a checkpoint before', [{}, {}], 5_000],
    ['a checkpoint after', [{}, {}], 30_000],
    ['a checkpoint before, then threads', [{}, { shards, workers }], 5_000],
    ['a checkpoint of threads after, then one', [{ shards, workers }, {}], 30_000],
    ['a checkpoint of the interpreter', [{ isInterpreted: true }, { isInterpreted: true }], 30_000],
])('%s', (_, executions, states) => {
    expect(reportOf(executions, states)).toEqual(reportOf([{}]));
});
