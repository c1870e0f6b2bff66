/** `orbit tests`: runs of a model that together take one of each orbit of its transitions, as tests of a real system. */
import { createTextOf } from '../../engine/common/source-text.js';
import { createRandom } from '../../engine/common/random.js';
import { createWorkLimit, OperationCancelled } from '../../engine/common/work-limit.js';
import type { Selection } from '../../engine/tests/select-tests.js';
import type { NamedRun } from '../../engine/tests/members.js';
import type { SuiteResult } from '../../engine/tests/run-suite.js';
import type { Outcome } from '../../engine/tests/tester.js';
import { titleOf, toDocumentParameters } from '../../language-server/documents.js';
import { stepsOf } from '../../language-server/judge-log.js';
import { parseObject } from '../../logs/log-mapping.js';
import type { TestsDocument } from '../../language-server/document-schema.js';
import { linearizeFile, reportProblems, type LinearizedModel } from '../analysis.js';
import { CallError } from '../call-error.js';
import { EXIT, type ExitCode, worstExitCode } from '../exit-code.js';
import { type CommandIo, TimeIsOver } from '../io.js';
import { readMapping, withHidden } from '../mapping-of-model.js';
import type { TestsInvocation } from '../options/invocation.js';
import { styleFor, writeFile, writeJson } from '../output.js';
import { formatTests, formatTestsInALine } from '../text/tests.js';

/** The time for the search for symmetries, without which each state is its own orbit. */
const DETECTION_SECONDS = 20;

/** Ends with 3 if a limit has left out tests. Throws TimeIsOver if there are none before the end of the time. */
export async function testModel(invocation: TestsInvocation, io: CommandIo): Promise<ExitCode> {
    const deadline = io.now() + (invocation.timeoutSeconds ?? Infinity) * 1000;
    const linearized = await linearizeFile(invocation.file, invocation, io, deadline);
    if (typeof linearized === 'number') {
        return linearized;
    }
    const selection = await select(linearized, invocation, deadline, io);
    if (typeof selection === 'number') {
        return selection;
    }
    const { orbits, runs, cover } = selection;
    const { namedImagesOf } = await import('../../engine/tests/members.js');
    const { reportOf } = await import('../../engine/tests/run-suite.js');
    const { scriptOf, testOf } = await import('../../engine/tests/suite.js');
    const finish = <Result>(work: () => Result): Result => io.finish(work, Infinity);
    const images = finish(() => namedImagesOf(selection, invocation.members, createRandom(invocation.seed)));
    const result =
        invocation.adapter === undefined
            ? undefined
            : await execute(invocation.adapter, selection, images, { linearized, invocation, deadline }, io);
    const limit = selection.limit ?? (result?.isCut === true ? 'time' : undefined);
    const exitCode = limit === undefined ? EXIT.holds : EXIT.undecided;
    if (invocation.form === 'scripts') {
        for (const { run, name } of images) {
            const script = finish(() => scriptOf(orbits, run, `test ${name}`));
            if (invocation.outputFolder === undefined) {
                io.stdout.write(script);
            } else {
                await writeFile(`${invocation.outputFolder}/test-${name}.script`, script, io);
            }
        }
        return exitCode;
    }
    const tests = finish(() => images.map(({ run, name }) => testOf(orbits, run, name)));
    const document: TestsDocument = {
        ...titleOf(selection.model),
        cover,
        symmetries: String(orbits.keys.order),
        tests,
        covered: new Set(runs.flatMap(run => run.orbits)).size,
        transitionOrbits: orbits.transitions.length,
        ...(limit !== undefined && { limit }),
        ...(result !== undefined && { covered: result.covered.size, executed: reportOf(result) }),
    };
    if (invocation.json) {
        writeJson(document, io);
    } else {
        const style = styleFor(io.stdout, invocation.color, io.environment);
        io.stdout.write(invocation.quiet ? formatTestsInALine(document, style) : formatTests(document, style));
    }
    return worstExitCode([
        exitCode,
        ...(result?.tests ?? []).map(({ execution }) => EXIT_CODES[execution.outcome.kind]),
    ]);
}

const EXIT_CODES = {
    passed: EXIT.holds,
    failed: EXIT.violated,
    adapter: EXIT.wrong,
    undecided: EXIT.undecided,
    unfinished: EXIT.undecided,
} as const satisfies Record<Outcome['kind'], ExitCode>;

interface OfCall {
    readonly linearized: LinearizedModel;
    readonly invocation: TestsInvocation;
    readonly deadline: number;
}

/** Starts the adapter, and ends it whatever happens. Throws a CallError if it speaks no answers. */
async function execute(
    command: string,
    selection: Selection,
    runs: readonly NamedRun[],
    { linearized: { loaded, model, sequential }, invocation, deadline }: OfCall,
    io: CommandIo,
): Promise<SuiteResult> {
    const { Tester } = await import('../../engine/tests/tester.js');
    const { runSuite } = await import('../../engine/tests/run-suite.js');
    const given = await readMapping(invocation.file, invocation, io);
    const mapping = withHidden(given, stepsOf(model, sequential), { model }, invocation);
    const textOf = createTextOf(uri => loaded.textOf(loaded.fileOf(uri)));
    const { settings, inputs } = mapping;
    const ofTester = { ...settings, maxCandidates: invocation.maxCandidates, ...(inputs !== undefined && { inputs }) };
    const tester = new Tester(selection, ofTester, toDocumentParameters(model), textOf);
    const conversation = runSuite(tester, selection, runs, {
        asksForbidden: invocation.asksForbidden,
        isOver: () => io.now() >= deadline,
    });
    const adapter = io.startAdapter(command);
    let isInterrupted = false;
    const release = io.onInterrupt(() => {
        isInterrupted = true;
        void adapter.end(JSON.stringify({ end: true }));
    });
    const failed = (reason: string): CallError => {
        const errors = adapter.errors === '' ? '' : `\n${adapter.errors}`;
        return new CallError('tests/adapter', `the adapter \`${command}\`: ${reason}${errors}`);
    };
    try {
        let next = io.finish(() => conversation.next(), Infinity);
        while (next.done !== true) {
            const left = deadline - io.now();
            const written =
                left <= 0
                    ? undefined
                    : await adapter
                          .ask(JSON.stringify(next.value), Math.min(left, invocation.answerSeconds * 1000))
                          .catch((error: unknown) => {
                              if (isInterrupted) {
                                  throw new OperationCancelled();
                              }
                              if (io.now() < deadline) {
                                  throw failed(error instanceof Error ? error.message : '');
                              }
                          });
            if (written === undefined) {
                next = io.finish(() => conversation.next(undefined), Infinity);
                continue;
            }
            const answer = parseObject(written);
            if (answer === undefined) {
                throw failed(`an answer is one JSON object in a line, not \`${written.slice(0, LONGEST_SHOWN)}\``);
            }
            next = io.finish(() => conversation.next(answer), Infinity);
        }
        const wrong = next.value.tests.map(({ execution }) => execution.outcome).find(({ kind }) => kind === 'adapter');
        if (wrong?.kind === 'adapter') {
            throw failed(wrong.message);
        }
        return next.value;
    } finally {
        release();
        await adapter.end(JSON.stringify({ end: true }));
    }
}

const LONGEST_SHOWN = 200;

async function select(
    { loaded, model, sequential }: LinearizedModel,
    invocation: TestsInvocation,
    deadline: number,
    io: CommandIo,
): Promise<Selection | ExitCode> {
    const { selectTests, PARTS_OF_TIME } = await import('../../engine/tests/select-tests.js');
    const limit = (milliseconds: number): ReturnType<typeof createWorkLimit> =>
        createWorkLimit({ now: io.now, budgetMilliseconds: milliseconds });
    const left = deadline - io.now();
    const selection = io.finish(
        () =>
            selectTests(model, sequential, {
                cover: invocation.cover,
                maxStates: invocation.maxStates,
                symmetryLimit: limit(Math.min(DETECTION_SECONDS * 1000, left * PARTS_OF_TIME.symmetries)),
                workLimit: limit(left * PARTS_OF_TIME.states),
                walkLimit: limit(left * PARTS_OF_TIME.walks),
                runLimit: limit(left * PARTS_OF_TIME.runs),
            }),
        Infinity,
    );
    if (selection.kind === 'problem') {
        const exitCode = selection.problem.code.startsWith('limit/') ? EXIT.undecided : EXIT.wrong;
        await reportProblems(loaded, [selection.problem], exitCode, invocation, io);
        return exitCode;
    }
    if (selection.runs.length === 0 && selection.limit === 'time') {
        throw new TimeIsOver();
    }
    return selection;
}
