import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { parseScript } from '../../engine/explore/script.js';
import { follow } from '../../engine/explore/simulate.js';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED, withinQuestions } from '../../engine/common/work-limit.js';
import { imagesOfRuns } from '../../engine/tests/members.js';
import type { Selection } from '../../engine/tests/select-tests.js';
import { scriptOf, testOf } from '../../engine/tests/suite.js';
import { testsOf } from './tests-of-text.js';

/** Follows the scripts of all tests; fails if one is ambiguous, or ends elsewhere. */
function followAll({ orbits, sequential, runs }: Selection): void {
    runs.forEach((run, index) => {
        const script = parseScript(scriptOf(orbits, run, `test ${index + 1}`));
        invariant('steps' in script, 'a test is a script');
        const walk = follow(sequential, script);
        invariant(walk.kind === 'walk', `test ${index + 1}: ${JSON.stringify(walk)}`);
        const { steps } = testOf(orbits, run, '');
        expect(walk.trace.length - 1).toBe(steps.length);
        expect(walk.trace.slice(1).map(({ changed }) => changed)).toEqual(steps.map(({ changed }) => changed));
    });
}

const TWO_STARTS = `model M
type Id = 1 .. 2
var turn: Id in Id
var done: bool[Id] = false
process P[i: Id] { go: when turn == i { done[i] := true } }
`;

describe('tests as data and as scripts', () => {
    it.each(['peterson', 'two-phase-commit', 'sessions', 'requests', 'work-stealing', 'german-cache'])(
        'are runs that a walk by script takes again: %s',
        async name => {
            const parameters = name === 'german-cache' ? { N: 2 } : {};
            followAll(await testsOf(await readFile(`models/${name}.orbit`, 'utf8'), 'transitions', parameters));
        },
    );

    it('have their start, if there are several: an orbit of starts has one test', async () => {
        const selection = await testsOf(TWO_STARTS);
        const [test, ...others] = selection.runs.map((run, index) => testOf(selection.orbits, run, `${index}`));
        expect(others).toEqual([]);
        expect(test?.initial).toMatchObject({ turn: 1 });
        expect(test?.steps.map(({ process, label }) => `${process} ${label}`)).toEqual(['P[1] go']);
        followAll(selection);

        const uneven = await testsOf(TWO_STARTS.replace('var done', 'invariant own = turn == 1 || !done[2]\nvar done'));
        const starts = uneven.runs.map((run, index) => testOf(uneven.orbits, run, `${index}`).initial['turn']);
        expect(starts).toEqual([1, 2]);
    });

    it('are in pairs, too, if a run has one step', async () => {
        const selection = await testsOf('model M\nvar x: 0 .. 1 = 0\nprocess P { go: x := 1 }\n', 'pairs');
        expect(selection.runs.map(({ passings }) => passings.length)).toEqual([1]);
        const none = await testsOf('model M\nvar x: 0 .. 1 = 0\nprocess P { go: when x == 1 { x := 0 } }\n');
        expect([none.runs.length, none.itemCount]).toEqual([0, 0]);
    });

    it('never leave the constraint, and take no step that faults', async () => {
        const counter = await testsOf(
            'model M\nvar x: 0 .. 9 = 0\nconstraint x < 3\nprocess P { loop { up: x := x + 1 } }\n',
        );
        expect(counter.runs.map(({ passings }) => passings.length)).toEqual([2]);
        const fault = await testsOf('model M\nvar x: 0 .. 3 = 0\nprocess P { loop { up: x := x + 1 } }\n');
        expect(fault.runs.map(({ passings }) => passings.length)).toEqual([3]);
    });

    it('take each of two steps with one name and one effect, if steps are covered', async () => {
        const text =
            'model M\nvar x: bool = false\nprocess P { choose { a: x := true } or { when !x { x := true } } }\n';
        const twice = await testsOf(text.replace('{ when !x { x := true } }', '{ b: when !x { x := true } }'), 'steps');
        expect([twice.itemCount, twice.runs.length]).toEqual([2, 2]);
    });
});

describe('a limit of time', () => {
    it.each(['workLimit', 'walkLimit', 'runLimit'] as const)('of the %s leaves out tests', async name => {
        const text = await readFile('models/two-phase-commit.orbit', 'utf8');
        const { itemCount } = await testsOf(text, 'transitions', { N: 3 });
        const known = new Set<number>();
        for (const questions of [0, 1, 7, 20, 40]) {
            const limit = { [name]: withinQuestions(UNLIMITED, questions) };
            const selection = await testsOf(text, 'transitions', { N: 3 }, limit);
            const taken = new Set(selection.runs.flatMap(({ orbits }) => orbits));
            expect(selection.limit).toBe('time');
            expect(taken.size).toBeLessThan(itemCount);
            known.add(taken.size);
            followAll(selection);
        }
        // The later it is, the more is told, and something in any case.
        expect([...known]).toEqual([...known].sort((one, other) => one - other));
        expect(name === 'workLimit' || !known.has(0)).toBe(true);
        expect(known.size).toBeGreaterThan(3);
    });
});

describe('images of tests', () => {
    it('bring each member to each other one, and are runs', async () => {
        const text = await readFile('models/two-phase-commit.orbit', 'utf8');
        const selection = await testsOf(text, 'transitions', { N: 3 });
        const images = imagesOfRuns(selection, 3, createRandom(7));
        const members = (run: Selection['runs'][number]): string[] =>
            testOf(selection.orbits, run, '')
                .steps.filter(({ process }) => process.startsWith('Resource'))
                .map(({ process }) => process);
        for (const [first, ...others] of images) {
            invariant(first !== undefined, 'a run is an image of itself');
            members(first).forEach((process, step) => {
                const all = [process, ...others.map(run => members(run)[step])];
                // Where fewer images differ, what they move cannot be told apart.
                expect(new Set(all).size === 3 || others.length < 2).toBe(true);
            });
        }
        followAll({ ...selection, runs: images.flat() });
        expect(imagesOfRuns(selection, 3, createRandom(7))).toEqual(images);
    });

    it('are the test alone if nothing is symmetric, and as many as there are', async () => {
        const alone = await testsOf('model M\nvar x: 0 .. 1 = 0\nprocess P { go: x := 1 }\n');
        expect(imagesOfRuns(alone, 5, createRandom(1)).map(({ length }) => length)).toEqual([1]);
        const two = await testsOf(
            'model M\ntype Id = 1 .. 2\nvar x: bool[Id] = false\nprocess P[i: Id] { go: x[i] := true }\n',
        );
        expect(imagesOfRuns(two, 5, createRandom(1)).map(({ length }) => length)).toEqual([2]);
    });

    it('of created instances keep their names', async () => {
        const text = await readFile('models/sessions.orbit', 'utf8');
        const selection = await testsOf(text);
        followAll({ ...selection, runs: imagesOfRuns(selection, 2, createRandom(3)).flat() });
    });
});
