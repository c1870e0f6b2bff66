/** Exploration under symmetry: fewer states, the same answers, and traces that are runs of the model as written. */
import { describe, expect, test } from 'vitest';
import { InvariantViolation } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import type { StateCanonicalizer } from '../../engine/explore/state-canonicalizer.js';
import { Exploration } from '../../engine/explore/search.js';
import type { ExplorationOptions } from '../../engine/explore/search.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { formatState } from '../../engine/describe/shown-state.js';
import type { ExplorationReport, TraceEntry } from '../../engine/explore/verdict.js';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import { sparsePermutation } from '../../engine/group/sparse-permutation.js';
import { domainSize } from '../../engine/model/domain.js';
import { analyze, startExploration, type Analysis } from '../../engine/pipeline.js';
import type { Model } from '../../engine/model/model.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { diningPhilosophers } from '../arbitrary/published-models.js';
import { modelOf } from '../model-of-text.js';
import { sequentialOf } from './explore-model.js';

/** The rotations of all cells whose name has an index: `Phil[0].at` goes to `Phil[1].at`. Codes stay. */
function rotations(sequential: SequentialModel, size: number): StateCanonicalizer {
    const { cells } = sequential;
    const firstLiteral = [0];
    for (const cell of cells) {
        firstLiteral.push((firstLiteral.at(-1) ?? 0) + domainSize(cell.domain));
    }
    const pairs = cells.flatMap((cell, index) => {
        const rotated = cell.name.replace(/\[(\d+)\]/, (_, digits: string) => `[${(Number(digits) + 1) % size}]`);
        const image = cells.findIndex(other => other.name === rotated);
        return Array.from({ length: domainSize(cell.domain) }, (_, code): [number, number] => [
            (firstLiteral[index] ?? 0) + code,
            (firstLiteral[image] ?? 0) + code,
        ]);
    });
    const group = { cellCount: cells.length, domainSizes: cells.map(cell => domainSize(cell.domain)) };
    return createCanonicalizer({ ...group, generators: [sparsePermutation(pairs)] });
}

function givingUp(canonicalizer: StateCanonicalizer): StateCanonicalizer {
    return {
        strategy: canonicalizer.strategy,
        canonicalizeInto: (target, state) =>
            state.reduce((sum, code, cell) => sum + code * (cell + 1), 0) % 3 !== 0 &&
            canonicalizer.canonicalizeInto(target, state),
        transformation: state => canonicalizer.transformation(state),
        imageInto: (target, state, permutation) => {
            canonicalizer.imageInto(target, state, permutation);
        },
    };
}

function explore(sequential: SequentialModel, options: ExplorationOptions): ExplorationReport {
    const exploration = new Exploration(sequential, { continueAfterViolation: true, ...options });
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    if (report === undefined) {
        throw new Error('no report');
    }
    return report;
}

/** Whether the trace is a run from an initial state, found anew by trying all firings of each state. */
function isRun(sequential: SequentialModel, trace: readonly TraceEntry[]): boolean {
    const state = new Int32Array(sequential.cells.length);
    const same = (code: Readonly<Int32Array>, entry: TraceEntry | undefined): boolean =>
        JSON.stringify(formatState(sequential, code)) === JSON.stringify(entry?.state);
    const initial = new InitialStates(sequential);
    let current: Int32Array | undefined;
    while (current === undefined && initial.nextInto(state)) {
        current = same(state, trace[0]) ? state.slice() : undefined;
    }
    const successors = interpretedSuccessors(sequential);
    return trace.slice(1).every(entry => {
        let next: Int32Array | undefined;
        successors.forEachFiring(current ?? state, {
            fired: (summand, successor) => {
                if (sequential.summands[summand]?.label === entry.step?.label && same(successor, entry)) {
                    next = successor.slice();
                }
                return true;
            },
            faulted: (_, { kind }) => {
                next = kind === entry.fault ? current : next;
                return true;
            },
        });
        current = next;
        return next !== undefined;
    });
}

/** Each process counts up its own cell; one that reaches 2 asserts that its neighbor has not. */
function neighbors(size: number): Promise<Model> {
    return modelOf(`
        type Index = 0 .. ${size - 1}
        var x: 0 .. 2[Index] = any
        process P[i: Index] { loop { when x[i] < 2 { x[i] := x[i] + 1; assert x[(i + 1) mod ${size}] != 2 } } }
        invariant someoneLow = x[0] + 0 <= 2`);
}

describe.each([
    ['dining philosophers', await diningPhilosophers(4), 4],
    ['neighbors', await neighbors(4), 4],
])('%s', (_, text, size) => {
    const sequential = sequentialOf(text);
    const full = explore(sequential, {});
    const canonicalizer = rotations(sequential, size);

    test('the states stored are the orbits', () => {
        const reduced = explore(sequential, { canonicalizer });
        // Orbits counted apart: the least of the rotations of each reachable state.
        const orbits = new Set<string>();
        const representative = new Int32Array(sequential.cells.length);
        forEachReachable(sequential, state => {
            canonicalizer.canonicalizeInto(representative, state);
            orbits.add(representative.join());
        });
        expect(reduced.states).toBe(orbits.size);
        expect(reduced.states).toBeLessThan(full.states);
        expect(reduced.reduction).toMatchObject({ unique: true });
        expect(reduced.depth).toBe(full.depth);
    });

    test('the violations are the same, and as near', () => {
        const summary = ({ violations }: ExplorationReport): unknown =>
            violations.map(({ kind, name, trace }) => [kind, name, trace.length]);
        const reduced = explore(sequential, { canonicalizer });
        expect(reduced.verdict).toBe('violated');
        expect(summary(reduced)).toEqual(summary(full));
    });

    test.each([
        ['unique representatives', canonicalizer],
        ['a search that is given up', givingUp(canonicalizer)],
    ])('every trace is a run of the model: %s', (_name, chosen) => {
        for (const { trace } of explore(sequential, { canonicalizer: chosen }).violations) {
            expect(isRun(sequential, trace)).toBe(true);
        }
    });

    test('states that are given up are stored as they are, and the report says so', () => {
        const reduced = explore(sequential, { canonicalizer: givingUp(canonicalizer) });
        expect(reduced.reduction).toMatchObject({ unique: false });
        expect(reduced.states).toBeLessThan(full.states);
        expect(reduced.states).toBeGreaterThan(explore(sequential, { canonicalizer }).states);
        expect(reduced.verdict).toBe(full.verdict);
    });

    test('a state that is given up ends an exploration that has to be exact, without an answer', () => {
        const canGiveUp = givingUp(canonicalizer);
        expect(explore(sequential, { canonicalizer: canGiveUp, exactWithin: 1000, properties: [] })).toMatchObject({
            verdict: 'undecided',
            limit: { kind: 'work', value: 1000 },
        });
    });
});

describe('what a process may do at its end', () => {
    // No step is possible, so steps let the cells be exchanged; only x[1] decides on the exit, or on the division by 0.
    // The values of x[0] are interchangeable, so the two deadlocks are one orbit; the two cells are not.
    const wayOuts = [
        ['a division by 0', 'if 1 div (1 - x[1]) == 0 { } else { }', { none: 0, unique: 0 }],
        ['a loop', 'while x[1] == 1 { when false { } }', { none: 2, unique: 1 }],
    ] as const;
    const analysisOf = async (wayOut: string, rest = ''): Promise<Analysis> => {
        const model = await modelOf(`var x: 0 .. 1[0 .. 1] = any process P { ${wayOut} } ${rest}`);
        return analyze(model, { now: () => 0, workLimit: UNLIMITED });
    };
    const reportOf = (analysis: Analysis, reduction: 'none' | 'unique'): ExplorationReport | undefined => {
        const options = { reduction, continueAfterViolation: true };
        const { exploration } = startExploration(analysis, options, UNLIMITED);
        exploration.advance(UNLIMITED);
        return exploration.result().report;
    };

    test.each(wayOuts)('is kept, so that deadlocks are counted alike: %s', async (_, wayOut, deadlocks) => {
        const analysis = await analysisOf(wayOut);
        for (const reduction of ['none', 'unique'] as const) {
            expect(reportOf(analysis, reduction)?.deadlocks).toBe(deadlocks[reduction]);
        }
    });

    test.each(wayOuts)('costs no symmetry where deadlocks are allowed: %s', async (_, wayOut, deadlocks) => {
        const analysis = await analysisOf(wayOut, 'allow deadlock');
        expect(analysis.symmetry?.explorationGroup.order).toBe(analysis.symmetry?.group.order);
        expect(reportOf(analysis, 'none')).toMatchObject({ violations: [], states: 4, deadlocks: deadlocks.none });
        // All four states are symmetric; the one that is stored may be a deadlock or not.
        expect(reportOf(analysis, 'unique')).toMatchObject({ violations: [], states: 1 });
    });
});

test('a symmetry that is none is noticed when a trace is built', async () => {
    // Only x[0] ever changes, so exchanging the two cells is no symmetry. It makes x[1] = 1 a stored state.
    const sequential = sequentialOf(
        await modelOf(`
            var x: 0 .. 1[0 .. 1] = 0
            process P { loop { x[0] := 1 } }
            invariant untouched = x[1] == 0`),
    );
    expect(explore(sequential, {}).verdict).toBe('holds');
    expect(() => explore(sequential, { canonicalizer: rotations(sequential, 2) })).toThrow(InvariantViolation);
});

function forEachReachable(sequential: SequentialModel, visit: (state: Readonly<Int32Array>) => void): void {
    const seen = new Map<string, Int32Array>();
    const state = new Int32Array(sequential.cells.length);
    const add = (found: Readonly<Int32Array>): void => {
        if (!seen.has(found.join())) {
            seen.set(found.join(), found.slice());
        }
    };
    const initial = new InitialStates(sequential);
    while (initial.nextInto(state)) {
        add(state);
    }
    const successors = interpretedSuccessors(sequential);
    // A map is walked through in the order of insertion, what is added on the way included.
    for (const found of seen.values()) {
        visit(found);
        successors.forEachFiring(found, {
            fired: (_summand, successor) => {
                add(successor);
                return true;
            },
            faulted: () => true,
        });
    }
}
