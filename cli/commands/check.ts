/** `orbit check`: read models and report every problem and every part without use. */
import { formatCount, formatNumberOf } from '../../engine/describe/words.js';
import { createWorkLimit } from '../../engine/common/work-limit.js';
import type { Problem } from '../../engine/common/problem.js';
import type { DocumentProblem } from '../../language-server/document-schema.js';
import { toDocumentProblem } from '../../language-server/documents.js';
import type { CheckInvocation } from '../options/invocation.js';
import { type Baseline, type BaselineEntry, nameInBaseline, readBaseline, writeBaseline } from '../baseline.js';
import { CallError } from '../call-error.js';
import { EXIT, type ExitCode, worstExitCode } from '../exit-code.js';
import type { CommandIo } from '../io.js';
import { type LoadedFile, filesOf, load, inOrderOfText } from '../load.js';
import { isForPrograms, styleFor, toCallProblem, writeJson, writeReport } from '../output.js';
import { suiteOfProblems } from '../report/report.js';
import { type TextOf, formatProblems } from '../text/problems.js';

/** Milliseconds for finding useless steps in one file. */
const FINDINGS_MILLISECONDS = 5000;

interface CheckedFile {
    readonly file: string;
    readonly problems: readonly DocumentProblem[];
    /** Against the baseline. */
    readonly symmetryProblems: readonly DocumentProblem[];
    /** For the baseline; absent if it is not known. */
    readonly entry?: BaselineEntry;
    readonly exitCode: ExitCode;
    /** The texts of the file and of its imports. */
    readonly textOf: TextOf;
    /** The file itself could not be read. */
    readonly isUnreadable: boolean;
}

export async function check(invocation: CheckInvocation, io: CommandIo): Promise<ExitCode> {
    const { baselineFile, updatesBaseline } = invocation;
    const files = await filesOf(invocation.files, baselineFile, io);
    const baseline = baselineFile === undefined ? undefined : await readBaseline(baselineFile, updatesBaseline, io);
    const checked: CheckedFile[] = [];
    for (const file of files) {
        checked.push(await checkFile(file, updatesBaseline ? undefined : baseline, invocation, io));
    }
    const exitCode = worstExitCode(checked.map(({ exitCode: own }) => own));
    const isUpdated =
        baselineFile !== undefined && baseline !== undefined && updatesBaseline && exitCode === EXIT.holds;
    if (isUpdated) {
        const entries = checked.flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
        await writeBaseline(baselineFile, baseline, entries, io);
    }
    await report(checked, exitCode, invocation, io);
    if (isUpdated && invocation.format === 'text' && !invocation.quiet) {
        io.stdout.write(`${baselineFile}: ${formatNumberOf(checked.length, 'model')} written\n`);
    }
    return exitCode;
}

async function checkFile(
    file: string,
    baseline: Baseline | undefined,
    invocation: CheckInvocation,
    io: CommandIo,
): Promise<CheckedFile> {
    let loaded: LoadedFile;
    try {
        loaded = await load(file, invocation.parameters, io);
    } catch (error) {
        // An unreadable file must not hide the problems of the others.
        if (error instanceof CallError && error.file !== '') {
            return {
                file,
                problems: [toCallProblem(error.code, error.message, file)],
                symmetryProblems: [],
                textOf: () => undefined,
                isUnreadable: true,
                exitCode: EXIT.wrong,
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
            const { withoutIgnored } = await import('../../language/problems/ignored.js');
            const limit = createWorkLimit({ now: io.now, budgetMilliseconds: FINDINGS_MILLISECONDS });
            const found = io.finish(() => findDeadSteps(model, sequential, limit), Infinity);
            problems.push(...withoutIgnored(found, uri => loaded.textOf(loaded.fileOf(uri))));
        }
    }
    const toDocument = (found: readonly Problem[]): DocumentProblem[] =>
        inOrderOfText(found.map(problem => toDocumentProblem(problem, loaded.fileOf)));
    const hasErrors = problems.some(problem => problem.severity === 'error');
    const checked = { file, problems: toDocument(problems), textOf: loaded.textOf, isUnreadable: false };
    const { baselineFile } = invocation;
    if (baselineFile === undefined || model === undefined || hasErrors) {
        return { ...checked, symmetryProblems: [], exitCode: hasErrors ? EXIT.wrong : EXIT.holds };
    }
    const { compareWithBaseline } = await import('../compare-baseline.js');
    const name = nameInBaseline(file, baselineFile, io);
    const {
        exitCode,
        problems: symmetryProblems,
        entry,
    } = await compareWithBaseline({ name, model, loaded }, baseline, io);
    return {
        ...checked,
        symmetryProblems: toDocument(symmetryProblems),
        exitCode,
        ...(entry !== undefined && { entry }),
    };
}

async function report(
    checked: readonly CheckedFile[],
    exitCode: ExitCode,
    invocation: CheckInvocation,
    io: CommandIo,
): Promise<void> {
    if (isForPrograms(invocation.format)) {
        const suites = checked.map(({ file, problems, symmetryProblems, isUnreadable }) =>
            suiteOfProblems(
                file,
                problems,
                isUnreadable,
                invocation.baselineFile === undefined ? undefined : symmetryProblems,
            ),
        );
        await writeReport(suites, exitCode, invocation.format, io);
        return;
    }
    // The problems of a file that several others import are found several times.
    const found = checked.flatMap(allProblems).map(problem => [JSON.stringify(problem), problem] as const);
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
    const all = allProblems(checked);
    const problems = invocation.quiet ? all.filter(problem => problem.severity === 'error') : all;
    io.stdout.write(formatProblems(problems, checked.textOf, style));
    if (!invocation.quiet) {
        io.stdout.write(`${style.colors.bold(checked.file)}: ${summarize(all)}\n`);
    }
}

function allProblems({ problems, symmetryProblems }: CheckedFile): readonly DocumentProblem[] {
    return [...problems, ...symmetryProblems];
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
