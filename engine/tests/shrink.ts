/**
 * Shorter tests that fail, too: a shortest way to the transition at which a test fails, or to the state in which it takes a
 * step that is forbidden, and the test without its loops.
 * A loop leads from a state to one that is symmetric to it; what comes behind it is taken from the first of them, as the
 * symmetric steps. A shorter test counts only if it has been executed and has failed.
 */
import { createRandom } from '../common/random.js';
import { choiceOfAlike } from './forbidden.js';
import { imagesOfRuns } from './members.js';
import type { Passing } from './path-keys.js';
import { runOf, type Selection, type TestRun } from './select-tests.js';
import type { Conversation, Execution, Progress, Tester } from './tester.js';

const MOST_EXECUTIONS = 50;
/** Images of a shortest way: a defect may be that of one member. */
const MOST_IMAGES = 12;

/** A shortest failing test that was found. */
export function* shrink(
    tester: Tester,
    selection: Selection,
    failed: { readonly run: TestRun; readonly execution: Execution },
): Conversation<{ readonly run: TestRun; readonly execution: Execution }> {
    const progress: Progress = { covered: new Set(), missed: new Map() };
    let shortest = failed;
    let executions = 0;
    for (let hasShrunk = true; hasShrunk;) {
        hasShrunk = false;
        const { planned } = shortest.execution;
        if (planned === undefined) {
            break;
        }
        const { outcome, exchanges } = shortest.execution;
        const misfit = outcome.kind === 'failed' ? outcome.misfit : undefined;
        const isForbidden = misfit?.what === 'forbidden';
        const forbidden = isForbidden ? choiceOfAlike(misfit.said) : undefined;
        const options = { goesOn: false, ...(forbidden !== undefined && { forbidden }) };
        const last = { ...shortest.run, passings: planned };
        // The same without what it was asked for on the way.
        const same = shortest.execution.forbidden > 0 ? [runOf(selection.orbits, last.initial, planned)] : [];
        for (const run of [...shorterRuns(selection, last, isForbidden), ...same]) {
            if (executions++ >= MOST_EXECUTIONS) {
                return shortest;
            }
            const execution = yield* tester.execute(run, progress, options);
            if (execution.outcome.kind === 'adapter') {
                return shortest;
            }
            const isPlanned = execution.outcome.kind === 'failed' && execution.planned !== undefined;
            if (isPlanned && execution.exchanges.length < exchanges.length) {
                shortest = { run, execution };
                hasShrunk = true;
                break;
            }
        }
    }
    return shortest;
}

/** All shorter than the run, the shortest first: to its last step, or to its last state. */
function shorterRuns(selection: Selection, { initial, passings }: TestRun, isToState: boolean): readonly TestRun[] {
    const { orbits } = selection;
    const last = passings.at(-1);
    const lastOrbit = last && orbits.numberOf(last);
    if (last === undefined || lastOrbit === undefined) {
        return [];
    }
    const runs: TestRun[] = [];
    const { from, to } = orbits.transitions[lastOrbit];
    const first = orbits.wayFromStart(isToState ? to : from);
    const start = orbits.states[first.start].state;
    const way = runOf(orbits, start, orbits.passingsAlong(start, isToState ? first.way : [...first.way, lastOrbit]));
    const [images] = imagesOfRuns({ ...selection, runs: [way] }, MOST_IMAGES, createRandom(1));
    runs.push(...images);
    const states = [initial, ...passings.map(({ after }) => after)];
    const nodes = states.map(state => orbits.numberOfState(state));
    for (let from = 0; from < passings.length; from++) {
        for (let to = from + 1; to < passings.length; to++) {
            if (nodes[from] === nodes[to] && nodes[from] !== undefined) {
                const rest = symmetricSteps(selection, states[from], passings.slice(to));
                runs.push(runOf(orbits, initial, [...passings.slice(0, from), ...rest]));
            }
        }
    }
    return runs
        .filter(run => run.passings.length < passings.length)
        .sort((one, other) => one.passings.length - other.passings.length);
}

/** The same process and step where that is possible. */
function symmetricSteps(
    { orbits }: Selection,
    start: Readonly<Int32Array>,
    passings: readonly Passing[],
): readonly Passing[] {
    const steps: Passing[] = [];
    for (const passing of passings) {
        const orbit = orbits.numberOf(passing);
        if (orbit === undefined) {
            break;
        }
        const options = orbits.stepsOf(steps.at(-1)?.after ?? start, orbit);
        steps.push(options.find(({ summand }) => summand === passing.summand) ?? options[0]);
    }
    return steps;
}
