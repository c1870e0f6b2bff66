/** `orbit tests`: runs of a model that together take one of each orbit of its transitions, as tests of a real system. */
import { createRandom } from '../../engine/common/random.js';
import { createWorkLimit } from '../../engine/common/work-limit.js';
import type { Selection } from '../../engine/tests/select-tests.js';
import { titleOf } from '../../language-server/documents.js';
import type { TestsDocument } from '../../language-server/document-schema.js';
import { linearizeFile, reportProblems, type LinearizedModel } from '../analysis.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type CommandIo, TimeIsOver } from '../io.js';
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
    const exitCode = selection.limit === undefined ? EXIT.holds : EXIT.undecided;
    const { orbits, runs, cover, limit } = selection;
    const { imagesOfRuns } = await import('../../engine/tests/members.js');
    const { scriptOf, testOf } = await import('../../engine/tests/suite.js');
    const finish = <Result>(work: () => Result): Result => io.finish(work, Infinity);
    const images = finish(() =>
        imagesOfRuns(selection, invocation.members, createRandom(invocation.seed)).flatMap((ofRun, index) =>
            ofRun.map((run, image) => ({ run, name: image === 0 ? `${index + 1}` : `${index + 1}.${image + 1}` })),
        ),
    );
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
    };
    if (invocation.json) {
        writeJson(document, io);
    } else {
        const style = styleFor(io.stdout, invocation.color, io.environment);
        io.stdout.write(invocation.quiet ? formatTestsInALine(document, style) : formatTests(document, style));
    }
    return exitCode;
}

async function select(
    { loaded, model, sequential }: LinearizedModel,
    invocation: TestsInvocation,
    deadline: number,
    io: CommandIo,
): Promise<Selection | ExitCode> {
    const { selectTests } = await import('../../engine/tests/select-tests.js');
    const limit = (milliseconds: number): ReturnType<typeof createWorkLimit> =>
        createWorkLimit({ now: io.now, budgetMilliseconds: milliseconds });
    const left = deadline - io.now();
    const selection = io.finish(
        () =>
            selectTests(model, sequential, {
                cover: invocation.cover,
                maxStates: invocation.maxStates,
                workLimit: limit(left),
                symmetryLimit: limit(Math.min(DETECTION_SECONDS * 1000, left / 2)),
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
