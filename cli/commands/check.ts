/** `orbit check`: read models and report every problem and every part without use. */
import { formatCount } from '../../engine/describe/words.js';
import { createWorkLimit } from '../../engine/common/work-limit.js';
import type { DocumentProblem } from '../../language-server/protocol.js';
import { toDocumentProblem } from '../../language-server/documents.js';
import type { CheckInvocation } from '../options/invocation.js';
import { CallError } from '../call-error.js';
import { EXIT, type ExitCode, worstExitCode } from '../exit-code.js';
import type { CommandIo } from '../io.js';
import { type LoadedModel, load, sortProblems } from '../load.js';
import { isForPrograms, styleFor, toCallProblem, writeJson, writeReport } from '../output.js';
import { suiteOfProblems } from '../report/report.js';
import { type TextOf, formatProblems } from '../text/problems.js';

/** Milliseconds for finding useless steps in one file. */
const FINDINGS_MILLISECONDS = 5000;

interface CheckedFile {
    readonly file: string;
    readonly problems: readonly DocumentProblem[];
    /** The texts of the file and of its imports. */
    readonly textOf: TextOf;
    /** The file itself could not be read. */
    readonly isUnreadable: boolean;
}

export async function check(invocation: CheckInvocation, io: CommandIo): Promise<ExitCode> {
    if (invocation.files.filter(file => file === '-').length > 1) {
        throw new CallError('call/file', 'standard input can be read only once', '-');
    }
    const checked: CheckedFile[] = [];
    for (const file of invocation.files) {
        checked.push(await checkFile(file, invocation, io));
    }
    const exitCode = worstExitCode(
        checked.map(({ problems }) =>
            problems.some(problem => problem.severity === 'error') ? EXIT.wrong : EXIT.holds,
        ),
    );
    await report(checked, exitCode, invocation, io);
    return exitCode;
}

async function checkFile(file: string, invocation: CheckInvocation, io: CommandIo): Promise<CheckedFile> {
    let loaded: LoadedModel;
    try {
        loaded = await load(file, invocation.parameters, io);
    } catch (error) {
        // An unreadable file must not hide the problems of the others.
        if (error instanceof CallError && error.file !== '') {
            return {
                file,
                problems: [toCallProblem(error.code, error.message, file)],
                textOf: () => undefined,
                isUnreadable: true,
            };
        }
        throw error;
    }
    const problems = [...loaded.problems, ...loaded.advice];
    const { model } = loaded;
    if (model !== undefined) {
        const { linearize } = await import('../../engine/sequential/linearize.js');
        const { sequential, problems: behind } = io.finish(() => linearize(model), Infinity);
        problems.push(...behind);
        if (sequential !== undefined) {
            const { findDeadSteps } = await import('../../engine/constraints/dead-steps.js');
            const { withoutIgnored } = await import('../../language-server/validation/ignored.js');
            const limit = createWorkLimit({ now: io.now, budgetMilliseconds: FINDINGS_MILLISECONDS });
            const found = findDeadSteps(model, sequential, limit);
            problems.push(...withoutIgnored(found, uri => loaded.textOf(loaded.fileOf(uri))));
        }
    }
    return {
        file,
        problems: sortProblems(problems.map(problem => toDocumentProblem(problem, loaded.fileOf))),
        textOf: loaded.textOf,
        isUnreadable: false,
    };
}

async function report(
    checked: readonly CheckedFile[],
    exitCode: ExitCode,
    invocation: CheckInvocation,
    io: CommandIo,
): Promise<void> {
    if (isForPrograms(invocation.format)) {
        const suites = checked.map(({ file, problems, isUnreadable }) => suiteOfProblems(file, problems, isUnreadable));
        await writeReport(suites, exitCode, invocation.format, io);
        return;
    }
    // The problems of a file that several others import are found several times.
    const found = checked.flatMap(file => file.problems).map(problem => [JSON.stringify(problem), problem] as const);
    const problems = [...new Map(found).values()];
    if (invocation.json) {
        writeJson({ schemaVersion: 1, problems }, io);
        return;
    }
    for (const file of checked) {
        reportText(file, invocation, io);
    }
}

function reportText(checked: CheckedFile, invocation: CheckInvocation, io: CommandIo): void {
    const style = styleFor(io.stdout, invocation.color, io.environment);
    const problems = invocation.quiet
        ? checked.problems.filter(problem => problem.severity === 'error')
        : checked.problems;
    io.stdout.write(formatProblems(problems, checked.textOf, style));
    if (!invocation.quiet) {
        io.stdout.write(`${style.colors.bold(checked.file)}: ${summarize(checked.problems)}\n`);
    }
}

/** `2 errors, 1 warning` */
function summarize(problems: readonly DocumentProblem[]): string {
    const counts = (['error', 'warning', 'information'] as const).map(severity => {
        const count = problems.filter(problem => problem.severity === severity).length;
        const noun = severity === 'information' || count === 1 ? severity : `${severity}s`;
        return count === 0 ? '' : `${formatCount(count)} ${noun}`;
    });
    return counts.filter(text => text !== '').join(', ') || 'no problems';
}
