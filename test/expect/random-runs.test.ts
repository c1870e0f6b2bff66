/**
 * Runs that are to exist in random models, against the reference: a run to a condition is as long as the way to the nearest
 * state that violates its negation, and one with two parts is found by a search that shares nothing with the engine.
 */
// @module-tag long
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { models, modelsWithAlikeInvariants } from '../arbitrary/models.js';
import { unevenModels } from '../arbitrary/uneven-models.js';
import { cases } from '../cases.js';
import { analysisOf } from '../model-of-text.js';
import { catchFault, interpret } from '../reference/interpreter.js';
import { parseModel } from '../reference/parse.js';
import { printModel } from '../reference/print.js';
import { specialize } from '../reference/specialize.js';
import { exploreAll, type StateSpace } from '../reference/state-space.js';
import { loadModel } from '../../language-server/load-model.js';
import { outcomesOf, resultOfAnalysis } from './stated-runs.js';

const STATE_LIMIT = 200;

const RUNS = cases(100);

test('a run is found where the reference has one, and is as short', { timeout: 480_000 }, async () => {
    let [compared, found, missing] = [0, 0, 0];
    await fc.assert(
        fc.asyncProperty(fc.oneof(models(), modelsWithAlikeInvariants()), async model => {
            const text = printModel(model);
            const space = spaceOf(text);
            const [first, second] = invariantsIn(text);
            if (space === undefined || first === undefined || (await hasErrors(text))) {
                return;
            }
            const expected = {
                first: nearest(space, [first.name]),
                ...(second !== undefined && {
                    both: nearest(space, [first.name, second.name]),
                    again: nearest(space, [second.name, first.name, second.name]),
                }),
            };
            const stated = withRuns(text, first, second);
            const analysis = await analysisOf(stated);
            for (const reduction of ['none', 'unique'] as const) {
                for (const isInterpreted of [true, false]) {
                    const options = { reduction, isInterpreted, continueAfterViolation: true };
                    const { report } = resultOfAnalysis(analysis, options);
                    expect(report && outcomesOf(report), `${reduction}\n${stated}`).toEqual(expected);
                }
            }
            compared++;
            Object.values(expected).forEach(outcome => (outcome === 'none' ? missing++ : found++));
        }),
        { numRuns: RUNS },
    );
    expect(compared, 'models that were compared').toBeGreaterThan(RUNS / 4);
    expect([found, missing].every(count => count > RUNS / 10)).toBe(true);
});

test('symmetries that move the start change no run', { timeout: 480_000 }, async () => {
    let compared = 0;
    await fc.assert(
        fc.asyncProperty(unevenModels(), async text => {
            const [first, second] = invariantsIn(text);
            if (first === undefined || (await hasErrors(text))) {
                return;
            }
            const stated = withRuns(text, first, second);
            const options = { continueAfterViolation: true, maxStates: 2_000 };
            const analysis = await analysisOf(stated);
            const { report: plain } = resultOfAnalysis(analysis, { ...options, reduction: 'none' });
            // Conditions may leave no initial state.
            if (plain === undefined || plain.limit !== undefined) {
                return;
            }
            const { report: reduced } = resultOfAnalysis(analysis, { ...options, reduction: 'unique' });
            const verdicts = (outcomes: Readonly<Record<string, number | string>>): readonly [string, boolean][] =>
                Object.entries(outcomes).map(([name, outcome]) => [name, outcome === 'none']);
            expect(reduced && verdicts(outcomesOf(reduced)), stated).toEqual(verdicts(outcomesOf(plain)));
            compared++;
        }),
        { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(RUNS / 4);
});

interface StatedInvariant {
    readonly name: string;
    readonly condition: string;
}

const INVARIANT = /^invariant (\w+) = (.*)$/gm;

function invariantsIn(text: string): readonly StatedInvariant[] {
    return [...text.matchAll(INVARIANT)].map(([, name = '', condition = '']) => ({ name, condition }));
}

/** The violations of invariants as runs that are to exist. */
function withRuns(text: string, first: StatedInvariant, second: StatedInvariant | undefined): string {
    const others = text.replaceAll(INVARIANT, '').replaceAll(/^(property|assume) .*$/gm, '');
    const is = ({ condition }: StatedInvariant): string => `!(${condition})`;
    return [
        others,
        `run first = ${is(first)}`,
        ...(second === undefined
            ? []
            : [
                  `run both = ${is(first)} then ${is(second)}`,
                  `run again = ${is(second)} then ${is(first)} then ${is(second)}`,
              ]),
    ].join('\n');
}

/** Undefined if it is too large, or an invariant faults somewhere. */
function spaceOf(text: string): StateSpace | undefined {
    const space = catchFault(() => exploreAll(interpret(specialize(parseModel(text), new Map())), STATE_LIMIT));
    if (typeof space === 'string' || space === undefined || space.isOpen || space.states.size === 0) {
        return undefined;
    }
    const isFaulty = [...space.states.values()].some(({ violated }) => [...violated].some(name => name.includes(':')));
    return isFaulty ? undefined : space;
}

async function hasErrors(text: string): Promise<boolean> {
    const { problems } = await loadModel(text, 'test:/model.orbit', []);
    return problems.some(({ severity }) => severity === 'error');
}

/** The steps to a state behind states that violate these, each at or behind the one before. */
function nearest(space: StateSpace, names: readonly string[]): number | 'none' {
    const advance = (key: string, met: number): number => {
        const violated = space.states.get(key)?.violated;
        let next = met;
        while (next < names.length && violated?.has(names[next] ?? '') === true) {
            next++;
        }
        return next;
    };
    let frontier = space.initial.map(key => ({ key, met: advance(key, 0) }));
    const seen = new Set<string>();
    for (let depth = 0; frontier.length > 0; depth++) {
        if (frontier.some(({ met }) => met === names.length)) {
            return depth;
        }
        const following: typeof frontier = [];
        for (const { key, met } of frontier) {
            for (const successor of space.states.get(key)?.successors ?? []) {
                const next = { key: successor, met: advance(successor, met) };
                const id = `${next.met} ${successor}`;
                if (!seen.has(id)) {
                    seen.add(id);
                    following.push(next);
                }
            }
        }
        frontier = following;
    }
    return 'none';
}
