/** `orbit match`: logs of a real system against a model, each judged alone. */
import { createWorkLimit, OperationCancelled, type WorkLimit } from '../../engine/common/work-limit.js';
import { createTextOf } from '../../engine/common/source-text.js';
import { LogCheck, type FoldingOf } from '../../engine/match/log-check.js';
import { foldingOf } from '../../engine/match/symmetries.js';
import { titleOf } from '../../language-server/documents.js';
import type { DocumentProblem, LogDocument, MatchDocument } from '../../language-server/document-schema.js';
import { LogReading, stepsOf } from '../../language-server/judge-log.js';
import type { LogMapping } from '../../logs/log-mapping.js';
import { linesOf, readLine, type LogLine } from '../../logs/read-lines.js';
import { linearizeFile, reportProblems, type LinearizedModel } from '../analysis.js';
import { CallError } from '../call-error.js';
import { EXIT, worstExitCode, type ExitCode } from '../exit-code.js';
import { type CommandIo, TimeIsOver } from '../io.js';
import { logsOf, readMapping, withHidden } from '../mapping-of-model.js';
import type { MatchInvocation } from '../options/invocation.js';
import { readFile, styleFor, toCallProblem, writeJson } from '../output.js';
import { formatProblems } from '../text/problems.js';
import { formatLog, formatUnshown } from '../text/matching.js';

const DETECTION_SECONDS = 20;

/**
 * Ends with the worst result: 1 if a log does not fit, 2 if one is wrong, 3 if it is not decided. What the logs before the
 * end of the time, or before Ctrl+C, have come to is told.
 */
export async function matchLogs(invocation: MatchInvocation, io: CommandIo): Promise<ExitCode> {
    const [file = '', ...named] = invocation.files;
    if (invocation.files.filter(each => each === '-').length > 1) {
        throw new CallError('call/option', 'standard input is read once: only one of the files is -');
    }
    const deadline = io.now() + (invocation.timeoutSeconds ?? Infinity) * 1000;
    const given = await readMapping(file, invocation, io);
    const logs = named.length > 0 ? named : await logsOf(given, io);
    const linearized = await linearizeFile(file, invocation, io, deadline);
    if (typeof linearized === 'number') {
        return linearized;
    }
    const { model, sequential } = linearized;
    const steps = stepsOf(model, sequential);
    const mapping = withHidden(given, steps, linearized, invocation);
    const within: Within = {
        deadline,
        limit: seconds =>
            createWorkLimit({
                now: io.now,
                // What comes behind has time, too.
                budgetMilliseconds: Math.min(seconds * 1000, (deadline - io.now()) / 2),
            }),
    };
    const documents: LogDocument[] = [];
    const problems: DocumentProblem[] = [];
    const codes: ExitCode[] = [];
    const shown = new Set<string>();
    const folding = foldingOf(() => within.limit(DETECTION_SECONDS));
    const style = styleFor(io.stdout, invocation.color, io.environment);
    for (const log of logs) {
        const judged = await judge(log, linearized, mapping, folding, invocation, within, io).catch((error: unknown) =>
            problemOf(error, log),
        );
        if (typeof judged === 'number') {
            return judged;
        }
        codes.push(judged.code);
        if (judged.document !== undefined) {
            documents.push(judged.document);
            judged.shown.forEach(step => shown.add(step));
            if (!invocation.json) {
                io.stdout.write(formatLog(judged.document, invocation.quiet, style));
            }
        }
        if (judged.problem !== undefined) {
            problems.push(judged.problem);
            if (!invocation.json) {
                const styleOfError = styleFor(io.stderr, invocation.color, io.environment);
                io.stderr.write(formatProblems([judged.problem], () => undefined, styleOfError));
            }
        }
        if (judged.isLast === true) {
            break;
        }
    }
    const unshown = [...steps].filter(step => !shown.has(step));
    if (invocation.json) {
        const document: MatchDocument = {
            ...titleOf(model),
            logs: documents,
            ...(problems.length > 0 && { problems }),
            ...(invocation.countsCoverage && { unshown }),
        };
        writeJson(document, io);
    } else if (invocation.countsCoverage) {
        io.stdout.write(formatUnshown(unshown));
    }
    return worstExitCode(codes);
}

/** The time of a call, and the part of it that something may take. */
interface Within {
    readonly deadline: number;
    readonly limit: (seconds: number) => WorkLimit;
}

interface Judged {
    readonly code: ExitCode;
    readonly document?: LogDocument;
    readonly problem?: DocumentProblem;
    /** The steps of the lines that fit. */
    readonly shown: readonly string[];
    /** No more logs are judged. */
    readonly isLast?: true;
}

/** A log that cannot be read, and one at which the time is over or Ctrl+C comes. Throws all other errors. */
function problemOf(error: unknown, log: string): Judged {
    if (error instanceof CallError) {
        return { code: EXIT.wrong, problem: toCallProblem(error.code, error.message, error.file), shown: [] };
    }
    const problem = endOf(error, log);
    if (problem === undefined) {
        throw error;
    }
    return { code: error instanceof TimeIsOver ? EXIT.undecided : EXIT.interrupted, problem, shown: [], isLast: true };
}

function endOf(error: unknown, log: string): DocumentProblem | undefined {
    if (error instanceof TimeIsOver) {
        return toCallProblem('limit/time', 'the time was over before the end of the log', log);
    }
    return error instanceof OperationCancelled
        ? toCallProblem('call/interrupted', 'interrupted before the end of the log', log)
        : undefined;
}

/** The exit code, once it is told, of a model without a start. Throws TimeIsOver and OperationCancelled. */
async function judge(
    log: string,
    { loaded, model, sequential }: LinearizedModel,
    mapping: LogMapping,
    folding: FoldingOf,
    invocation: MatchInvocation,
    { deadline, limit }: Within,
    io: CommandIo,
): Promise<Judged | ExitCode> {
    const settings = { ...mapping.settings, maxCandidates: invocation.maxCandidates };
    const textOf = createTextOf(uri => loaded.textOf(loaded.fileOf(uri)));
    const finish = <Result>(work: () => Result): Result => io.finish(work, deadline - io.now());
    const check = finish(() => new LogCheck(model, sequential, settings, folding, textOf));
    const reading = new LogReading(check);
    const take = (read: LogLine): boolean => {
        if ('isHalf' in read) {
            io.stderr.write(`${log}:${read.line}: the last line has no end and is left out\n`);
        }
        return reading.take(read);
    };
    let end: Error | undefined;
    if (log === '-') {
        let number = 0;
        const ending = new AbortController();
        const release = io.onInterrupt(() => {
            ending.abort(new OperationCancelled());
        });
        const signal = AbortSignal.any([ending.signal, ...timeSignal(deadline - io.now())]);
        try {
            for await (const written of io.standardInputLines(signal)) {
                const read = readLine(written, ++number, mapping.form);
                if (read !== undefined && (!finish(() => take(read)) || reading.isOver)) {
                    break;
                }
            }
        } finally {
            release();
        }
        if (signal.aborted) {
            end = signal.reason instanceof OperationCancelled ? signal.reason : new TimeIsOver();
        }
    } else {
        const text = new TextDecoder().decode(await readFile(log, io));
        finish(() => {
            for (const read of linesOf(text, mapping.form)) {
                if (!take(read)) {
                    break;
                }
            }
        });
    }
    const { state } = check;
    if (state.kind === 'problem') {
        const code = state.problem.code.startsWith('limit/') ? EXIT.undecided : EXIT.wrong;
        await reportProblems(loaded, [state.problem], code, invocation, io);
        return code;
    }
    const { problem } = reading;
    if (problem !== undefined) {
        const { code, line, message } = problem;
        const place = { line, column: 1, endLine: line, endColumn: 1 };
        return { code: EXIT.wrong, problem: { ...toCallProblem(code, message, log), ...place }, shown: [] };
    }
    // The lines that have come before the end are told.
    const timeLeft = end === undefined ? deadline - io.now() : Infinity;
    const document = io.finish(() => reading.document(log, invocation.isComplete, loaded.fileOf, limit), timeLeft);
    const shown = reading.shown(document);
    const code = EXIT_CODES[document.verdict];
    if (end === undefined || reading.isOver) {
        return { code, document, shown };
    }
    const told = problemOf(end, log);
    return { ...told, code: worstExitCode([code, told.code]), document, shown };
}

/** More milliseconds than a signal counts. */
const MOST_MILLISECONDS = 2 ** 31 - 1;

function timeSignal(milliseconds: number): readonly AbortSignal[] {
    return milliseconds > MOST_MILLISECONDS ? [] : [AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)))];
}

const EXIT_CODES = {
    fits: EXIT.holds,
    misfit: EXIT.violated,
    violated: EXIT.violated,
    undecided: EXIT.undecided,
} as const satisfies Record<LogDocument['verdict'], ExitCode>;
