/** The toy in the documentation is the algorithm: it comes to the numbers of the engine. */
import { expect, test } from 'vitest';
import { check, type State, type System } from '../../docs/toy-model-checker.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { invariant } from '../../engine/common/assert.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import type { Model } from '../../engine/model/model.js';
import { analyze, startExploration, type Reduction } from '../../engine/pipeline.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { diningPhilosophers, tokenRing } from '../arbitrary/published-models.js';
import { sequentialOf } from '../explore/explore-model.js';

/** The steps of a model of ours, in the terms of the toy; nothing is said to be wrong in any state. */
function systemOf(model: SequentialModel, symmetries: System['symmetries']): System {
    const successors = interpretedSuccessors(model);
    const initial: State[] = [];
    const cursor = new InitialStates(model);
    const state = new Int32Array(model.cells.length);
    while (cursor.nextInto(state)) {
        initial.push([...state]);
    }
    return {
        initial,
        successors: from => {
            const found: { label: string; state: State }[] = [];
            successors.forEachFiring(Int32Array.from(from), {
                fired: (summand, to) => found.push({ label: String(summand), state: [...to] }) > 0,
                faulted: () => true,
            });
            return found;
        },
        invariant: () => true,
        symmetries,
    };
}

function explore(model: Model, reduction: Reduction): ExplorationReport {
    const analysis = analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false });
    const options = { reduction, properties: ['deadlock'], continueAfterViolation: true };
    const { exploration } = startExploration(analysis, options, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    invariant(report !== undefined, 'an exploration without limits has a report');
    return report;
}

const counts = ({ states, transitions, depth, deadlocks }: ReturnType<typeof check> | ExplorationReport): unknown => ({
    states,
    transitions,
    depth,
    deadlocks,
});

/** Rotations of a table for `size`, where the state has one value for each seat, and then once more one for each seat. */
function rotations(size: number): System['symmetries'] {
    return Array.from(
        { length: size },
        (_, distance) => (state: State) =>
            state.map((_value, cell) => state[cell - (cell % size) + ((cell + distance) % size)] ?? 0),
    );
}

test.each([
    ['dining philosophers', await diningPhilosophers(5)],
    ['token ring', await tokenRing(3)],
])('it counts what the engine counts: %s', (_name, model) => {
    const report = check(systemOf(sequentialOf(model), [state => state]));
    expect(counts(report)).toEqual(counts(explore(model, 'none')));
});

test('with the rotations of the table it counts orbits, and its trace is a run to a deadlock', async () => {
    const model = await diningPhilosophers(5);
    const system = systemOf(sequentialOf(model), rotations(5));
    const report = check(system);
    const expected = explore(model, 'unique');
    expect(counts(report)).toEqual(counts(expected));
    const trace = report.trace ?? [];
    expect(trace.length).toBe(expected.violations[0]?.trace.length);
    trace.slice(1).forEach(({ label, state }, index) => {
        expect(system.successors(trace[index]?.state ?? [])).toContainEqual({ label, state });
    });
    expect(system.successors(trace.at(-1)?.state ?? [])).toEqual([]);
});
