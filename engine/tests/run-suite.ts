/**
 * Executes tests one after the other, each from a start of its own, and after them further ones to what the system has
 * not let them cover. Failing tests are made shorter.
 */
import { AskedRequests, kindOf } from './forbidden.js';
import type { NamedRun } from './members.js';
import { runOf, type Selection, type TestRun } from './select-tests.js';
import { shrink } from './shrink.js';
import {
    MOST_MISSED,
    type Conversation,
    type Exchange,
    type Execution,
    type Progress,
    type Tester,
    type TestMisfit,
} from './tester.js';

export interface SuiteResult {
    readonly tests: readonly (NamedRun & { readonly execution: Execution })[];
    /** Shorter ones of the first failing tests, by their names. */
    readonly shrunk: ReadonlyMap<string, { readonly run: TestRun; readonly execution: Execution }>;
    /** Numbers of orbits of transitions that the system has taken. */
    readonly covered: ReadonlySet<number>;
    readonly asksForbidden: boolean;
    /** The time was over before all tests were executed. */
    readonly isCut: boolean;
}

/** What came of the tests, as plain data. */
export interface SuiteReport {
    /** Those of the suite, and further ones to what the system has not let them cover. */
    readonly tests: number;
    readonly passed: number;
    readonly failed: number;
    /** How many steps that the model forbids the system was asked for, if it was. */
    readonly forbidden?: number;
    readonly failures: readonly {
        readonly test: string;
        /** Of the shortest one that was found to fail. */
        readonly exchanges: readonly Exchange[];
        readonly misfit: TestMisfit;
    }[];
    readonly undecided: readonly { readonly test: string; readonly why: 'candidates' | 'instances' | 'constraint' }[];
    /** Keys of answers that say nothing of the model. */
    readonly ignoredKeys?: readonly string[];
    /** The system was quiet where hidden steps can go on without end. */
    readonly isEndless?: true;
}

/** So many failing tests are made shorter. */
const MOST_SHRUNK = 3;
/** So many further tests are tried for what is not covered. */
const MOST_FURTHER = 1_000;

export interface SuiteOptions {
    /** The system is also asked for steps that the model forbids. */
    readonly asksForbidden: boolean;
    /** Asked before each test. */
    readonly isOver?: () => boolean;
}

/** Ends early if the adapter speaks no answer. */
export function* runSuite(
    tester: Tester,
    selection: Selection,
    runs: readonly NamedRun[],
    { asksForbidden, isOver = () => false }: SuiteOptions,
): Conversation<SuiteResult> {
    const progress: Progress = { covered: new Set(), missed: new Map() };
    const tests: (NamedRun & { readonly execution: Execution })[] = [];
    const shrunk = new Map<string, { readonly run: TestRun; readonly execution: Execution }>();
    const seen = new Set<string>();
    const asked = asksForbidden ? new AskedRequests(selection.orbits.keys) : undefined;
    const resultWith = (isCut: boolean): SuiteResult => ({
        tests,
        shrunk,
        covered: progress.covered,
        asksForbidden,
        isCut,
    });
    /** False if there is no use in going on. */
    function* one(named: NamedRun): Conversation<boolean> {
        const forbidden = asked?.choiceOf(named.image);
        const options = { goesOn: true, ...(forbidden !== undefined && { forbidden }) };
        const execution = yield* tester.execute(named.run, progress, options);
        if (execution.outcome.kind === 'unfinished') {
            return false;
        }
        tests.push({ ...named, execution });
        const { outcome } = execution;
        if (outcome.kind === 'failed') {
            const { what, said } = outcome.misfit;
            if (what === 'forbidden') {
                asked?.noteFailure(said);
            }
            const kind = `${what} ${kindOf(said)}`;
            if (!seen.has(kind) && shrunk.size < MOST_SHRUNK) {
                seen.add(kind);
                shrunk.set(named.name, yield* shrink(tester, selection, { run: named.run, execution }));
            }
        }
        return outcome.kind !== 'adapter' && !isOver();
    }
    const { orbits } = selection;
    const isGoal = (orbit: number): boolean =>
        !progress.covered.has(orbit) && (progress.missed.get(orbit) ?? 0) < MOST_MISSED;
    /** -1 if no further test is needed. What is behind a failure fails, too. */
    const nextGoal = (): number =>
        tests.some(({ execution }) => execution.outcome.kind === 'failed')
            ? -1
            : orbits.transitions.findIndex((_, orbit) => isGoal(orbit));
    for (const named of runs) {
        if (!(yield* one(named))) {
            return resultWith(tests.length < runs.length || nextGoal() >= 0);
        }
    }
    for (let further = 1; further <= MOST_FURTHER; further++) {
        const goal = nextGoal();
        if (goal < 0) {
            break;
        }
        // A start that leads there; how, the execution finds.
        const { start, way } = orbits.wayFromStart(orbits.transitions[goal].from);
        const { state } = orbits.states[start];
        const run = runOf(orbits, state, orbits.passingsAlong(state, [...way, goal]));
        if (!(yield* one({ name: `+${further}`, run, image: 0 }))) {
            return resultWith(true);
        }
        if (!progress.covered.has(goal)) {
            progress.missed.set(goal, (progress.missed.get(goal) ?? 0) + 1);
        }
    }
    return resultWith(false);
}

export function reportOf({ tests, shrunk, asksForbidden }: SuiteResult): SuiteReport {
    const failures = tests.flatMap(({ name, execution }) => {
        const { outcome, exchanges } = shrunk.get(name)?.execution ?? execution;
        return outcome.kind === 'failed' ? [{ test: name, exchanges, misfit: outcome.misfit }] : [];
    });
    const undecided = tests.flatMap(({ name, execution: { outcome } }) =>
        outcome.kind === 'undecided' ? [{ test: name, why: outcome.why }] : [],
    );
    const ignoredKeys = [...new Set(tests.flatMap(({ execution }) => [...execution.ignoredKeys]))];
    return {
        tests: tests.length,
        passed: tests.filter(({ execution }) => execution.outcome.kind === 'passed').length,
        failed: failures.length,
        ...(asksForbidden && { forbidden: tests.reduce((sum, { execution }) => sum + execution.forbidden, 0) }),
        failures,
        undecided,
        ...(ignoredKeys.length > 0 && { ignoredKeys }),
        ...(tests.some(({ execution }) => execution.isEndless) && { isEndless: true as const }),
    };
}
