/**
 * Many random walks, and how much of what further walks meet would be new. An orbit that exactly one walk has met is as
 * likely to be missed as to be met: their number for each walk is about what the next one meets for the first time
 * [Good1953]; nothing follows for the whole space.
 */
import type { SymmetryAnalysis } from '../analysis.js';
import { invariant } from '../common/assert.js';
import type { Problem } from '../common/problem.js';
import { keyOfRange } from '../common/source-range.js';
import type { Random } from '../common/random.js';
import { simulate, type Simulation } from '../explore/simulate.js';
import type { Finding } from '../explore/properties.js';
import type { TraceEntry } from '../explore/verdict.js';
import type { Model } from '../model/model.js';
import { createCanonicalizer } from '../representative/representative.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { literalGroup } from '../symmetry/model-symmetry.js';
import { walkGrowing } from './enough-slots.js';
import { REPRESENTATIVES } from './symmetry-reduction.js';

export interface Walks {
    readonly runs: number;
    /** Of all walks together. */
    readonly steps: number;
    /** Orbits that were met; states if `isUpToSymmetry` is false. */
    readonly orbits: number;
    /** Those that exactly one walk has met. */
    readonly onlyOnce: number;
    /** How many new orbits the next walk meets, on average. */
    readonly newExpected: number;
    /** The share of the walks that have met an orbit which no other one has: about that of further walks with a new one. */
    readonly runsWithNew: number;
    readonly isUpToSymmetry: boolean;
    /** The most orbits that are kept were met before the last walk. */
    readonly limit?: number;
    /** By what is violated and where, with a shortest walk to it, in the order in which they were met. */
    readonly violations: readonly WalkViolation[];
}

interface WalkViolation {
    readonly finding: Finding;
    readonly runs: number;
    readonly trace: readonly TraceEntry[];
}

export interface WalkOptions {
    /** A new source of the same random numbers: walks begin again where the model has too few instances. */
    readonly createRandom: () => Random;
    readonly runs: number;
    /** The most steps of each walk. */
    readonly steps: number;
    /** Asked now and then; the walk that goes on then is not counted. */
    readonly isOver: () => boolean;
}

/** So many different states are kept at most. */
const MOST_ORBITS = 4_000_000;
/** States between two looks at the clock. */
const STATES_OF_SLICE = 256;

/** Time and memory grow with the states that are met. Without symmetries every state counts by itself. */
export function walkManyTimes(
    model: Model,
    sequential: SequentialModel,
    symmetry: SymmetryAnalysis<unknown> | undefined,
    options: WalkOptions,
): Walks | Problem {
    const result = walkGrowing(model, sequential, enough =>
        // Its symmetries are those of a model with these instances.
        walkAll(enough, enough === sequential ? symmetry : undefined, options),
    );
    return result.kind === 'problem' ? result.problem : result.walks;
}

/** Why there are no more walks: a state whose representative is hard to find, the time, or the orbits that are kept. */
type End = 'hard' | 'over' | 'full';

type AllWalks =
    { readonly kind: 'walks'; readonly walks: Walks } | Extract<Simulation, { readonly kind: 'problem' | 'slots' }>;

function walkAll(
    model: SequentialModel,
    symmetry: SymmetryAnalysis<unknown> | undefined,
    { createRandom, runs, steps, isOver }: WalkOptions,
): AllWalks {
    const random = createRandom();
    const group = model.templates === undefined && model.numbers === undefined ? symmetry?.explorationGroup : undefined;
    const canonicalizer = group && createCanonicalizer(literalGroup(group), REPRESENTATIVES.unique.canonicalizer);
    const isUpToSymmetry = canonicalizer?.strategy.unique === true;
    /** By orbit the only walk that has met it; -1 for several. */
    const walkOf = new Map<string, number>();
    const violations = new Map<string, WalkViolation>();
    const representative = new Int32Array(model.cells.length);
    let [done, taken, met, end] = [0, 0, 0, undefined as End | undefined];
    for (; done < runs; done++) {
        const meet = (state: Readonly<Int32Array>): 'go on' | 'stop' => {
            if (isUpToSymmetry && canonicalizer.canonicalizeInto(representative, state) !== true) {
                end = 'hard';
            }
            const key = (isUpToSymmetry ? representative : state).join();
            const before = walkOf.get(key);
            walkOf.set(key, before === undefined || before === done ? done : -1);
            if (++met % STATES_OF_SLICE === 0 && isOver()) {
                end = 'over';
            }
            end ??= walkOf.size >= MOST_ORBITS ? 'full' : undefined;
            return end === undefined ? 'go on' : 'stop';
        };
        const walk = simulate(model, { random, steps, meet });
        invariant(walk.kind !== 'script-problem', 'a random walk has no script');
        if (walk.kind !== 'walk') {
            return walk;
        }
        if (end === 'hard') {
            // Without symmetry from the beginning: a representative and a state are not compared.
            return walkAll(model, undefined, { createRandom, runs, steps, isOver });
        }
        if (end !== undefined) {
            break;
        }
        const { trace, end: last } = walk;
        taken += trace.length - 1;
        if (last.kind === 'violated') {
            const { kind, name, range, invariant: within = '' } = last.finding;
            const key = [kind, name, within, range === undefined ? '' : keyOfRange(range)].join(' ');
            const known = violations.get(key);
            const isShorter = known === undefined || trace.length < known.trace.length;
            violations.set(key, {
                finding: isShorter ? last.finding : known.finding,
                runs: (known?.runs ?? 0) + 1,
                trace: isShorter ? trace : known.trace,
            });
        }
    }
    const alone = [...walkOf.values()].filter(walk => walk >= 0);
    return {
        kind: 'walks',
        walks: {
            runs: done,
            steps: taken,
            orbits: walkOf.size,
            onlyOnce: alone.length,
            newExpected: alone.length / Math.max(1, done),
            runsWithNew: new Set(alone).size / Math.max(1, done),
            isUpToSymmetry,
            ...(end === 'full' && { limit: MOST_ORBITS }),
            violations: [...violations.values()],
        },
    };
}
