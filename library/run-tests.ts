/** Tests of a real system from a model: chosen, and executed against an adapter of the system. */
import type { Problem } from '../engine/common/problem.js';
import { createRandom } from '../engine/common/random.js';
import type { TextOfRange } from '../engine/common/source-text.js';
import { createTextOf } from '../engine/common/source-text.js';
import { createWorkLimit, UNLIMITED } from '../engine/common/work-limit.js';
import type { Model } from '../engine/model/model.js';
import { DEFAULT_MOST_CANDIDATES } from '../engine/options.js';
import { linearize } from '../engine/sequential/linearize.js';
import type { Message } from '../engine/tests/conversation.js';
import type { Cover } from '../engine/tests/cover-names.js';
import { namedImagesOf, type NamedRun } from '../engine/tests/members.js';
import { reportOf, runSuite, type SuiteReport } from '../engine/tests/run-suite.js';
import { PARTS_OF_TIME, selectTests, type Selection } from '../engine/tests/select-tests.js';
import { testOf, type Test } from '../engine/tests/suite.js';
import { Tester } from '../engine/tests/tester.js';
import { NO_MAPPING, parseMapping, type LogMapping } from '../logs/log-mapping.js';

/** How tests are chosen, and how the system's lines are read. */
export interface TestOptions {
    /** One of each orbit of these; `transitions` if absent. */
    readonly cover?: Cover;
    /** So many images of each test under symmetries; 1 if absent. The same seed gives the same ones. */
    readonly members?: number;
    readonly seed?: number;
    /** The most orbits of states; 200,000 if absent. */
    readonly maxStates?: number;
    readonly timeLimit?: { readonly milliseconds: number; readonly now: () => number };
    /** The text of a mapping, as `MODEL.log.json` has it: which steps are inputs, and how lines are read. */
    readonly mapping?: string;
    /** The text of the model, which reasons quote. */
    readonly text?: string;
    /** The system is also asked for steps that the model forbids, and must refuse them; no if absent. */
    readonly forbidden?: boolean;
}

/** Chosen tests, and how much of the model they take. */
export interface TestSuite {
    readonly tests: readonly Test[];
    /** How many orbits of transitions the tests take, and how many there are. */
    readonly covered: number;
    readonly transitionOrbits: number;
    /** Other tests are missing: not all states were looked at, or the tests would have too many steps. */
    readonly limit?: Selection['limit'];
    /** For `runTests`. */
    readonly parts: {
        readonly selection: Selection;
        readonly runs: readonly NamedRun[];
        readonly mapping: LogMapping;
        readonly asksForbidden: boolean;
        readonly parameters: Readonly<Record<string, unknown>>;
        readonly textOf: TextOfRange;
    };
}

type Said = Readonly<Record<string, unknown>>;
type Answered = Said | undefined | void;

/** The system under test. An answer that is absent is `{ ok: true }`; all may be promises. */
export interface TestAdapter {
    /** Begins anew, with these values of parameters and in this state. */
    reset(parameters: Said, initial: Said): Answered | Promise<Answered>;
    /** Does a step, whose process, name and choices are told: `{ ok, values, lines }` or `{ refused }`, both with `first`. */
    do(step: Said): Answered | Promise<Answered>;
    /** Says what the system does on its own: `{ lines }` or `{ quiet: true }`. Only with steps that are no inputs. */
    wait?(): Said | Promise<Said>;
    end?(): void | Promise<void>;
}

/** What came of the tests, and how much of the model the system has taken. */
export interface TestReport extends SuiteReport {
    /** How many orbits of transitions the system has taken. */
    readonly covered: number;
    readonly transitionOrbits: number;
}

/** Tests of a model, or what is wrong with it. Throws RangeError for a mapping that is none. */
export function createTests(
    model: Model,
    options: TestOptions = {},
): TestSuite | { readonly problems: readonly Problem[] } {
    const { cover = 'transitions', members = 1, seed = 1, maxStates = 200_000, timeLimit, text } = options;
    const mapping = options.mapping === undefined ? NO_MAPPING : parseMapping(options.mapping);
    if (typeof mapping === 'string') {
        throw new RangeError(mapping);
    }
    const { sequential, problems } = linearize(model);
    if (sequential === undefined) {
        return { problems };
    }
    const limit = (part: number) =>
        timeLimit === undefined
            ? UNLIMITED
            : createWorkLimit({ now: timeLimit.now, budgetMilliseconds: timeLimit.milliseconds * part });
    const selection = selectTests(model, sequential, {
        cover,
        maxStates,
        symmetryLimit: limit(PARTS_OF_TIME.symmetries),
        workLimit: limit(PARTS_OF_TIME.states),
        walkLimit: limit(PARTS_OF_TIME.walks),
        runLimit: limit(PARTS_OF_TIME.runs),
    });
    if (selection.kind === 'problem') {
        return { problems: [selection.problem] };
    }
    const { orbits } = selection;
    const runs = namedImagesOf(selection, members, createRandom(seed));
    return {
        tests: runs.map(({ run, name }) => testOf(orbits, run, name)),
        covered: new Set(selection.runs.flatMap(run => run.orbits)).size,
        transitionOrbits: orbits.transitions.length,
        ...(selection.limit !== undefined && { limit: selection.limit }),
        parts: {
            selection,
            runs,
            mapping,
            asksForbidden: options.forbidden ?? false,
            parameters: Object.fromEntries(model.parameters.map(({ name, value }) => [name, value])),
            textOf: createTextOf(uri => (uri === model.nameRange.uri ? text : undefined)),
        },
    };
}

/** Executes tests. Throws an Error if an answer of the adapter is none; what the adapter throws is passed on. */
export async function runTests({ parts }: TestSuite, adapter: TestAdapter): Promise<TestReport> {
    const { selection, runs, mapping, asksForbidden, parameters, textOf } = parts;
    const { settings, inputs } = mapping;
    const ofTester = { ...settings, maxCandidates: DEFAULT_MOST_CANDIDATES, ...(inputs !== undefined && { inputs }) };
    const tester = new Tester(selection, ofTester, parameters, textOf);
    const conversation = runSuite(tester, selection, runs, { asksForbidden });
    try {
        let next = conversation.next();
        while (next.done !== true) {
            next = conversation.next((await answerTo(next.value, adapter)) ?? { ok: true });
        }
        const { value } = next;
        for (const { execution } of value.tests) {
            if (execution.outcome.kind === 'adapter') {
                throw new Error(execution.outcome.message);
            }
        }
        return {
            ...reportOf(value),
            covered: value.covered.size,
            transitionOrbits: selection.orbits.transitions.length,
        };
    } finally {
        await adapter.end?.();
    }
}

function answerTo(message: Message, adapter: TestAdapter): Answered | Promise<Answered> {
    if ('reset' in message) {
        return adapter.reset(message.reset, message.initial);
    }
    if ('do' in message) {
        return adapter.do(message.do);
    }
    if (adapter.wait === undefined) {
        throw new Error('the adapter has no `wait`, though the system has steps of its own');
    }
    return adapter.wait();
}
