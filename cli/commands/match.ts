/** `orbit match`: logs of a real system against a model, each judged alone. */
import { createWorkLimit } from '../../engine/common/work-limit.js';
import { createTextOf } from '../../engine/common/source-text.js';
import { LogCheck, type FoldingOf } from '../../engine/match/log-check.js';
import type { Observation } from '../../engine/match/observation.js';
import { foldingOf } from '../../engine/match/symmetries.js';
import { titleOf, toDocumentTrace } from '../../language-server/documents.js';
import type { DocumentProblem, LogDocument, MatchDocument } from '../../language-server/document-schema.js';
import { NO_MAPPING, parseMapping, type LogMapping } from '../../logs/log-mapping.js';
import { linesOf, readLine, type LogLine } from '../../logs/read-lines.js';
import { linearizeFile, reportProblems, type LinearizedModel } from '../analysis.js';
import { CallError } from '../call-error.js';
import { EXIT, worstExitCode, type ExitCode } from '../exit-code.js';
import type { CommandIo } from '../io.js';
import type { MatchInvocation } from '../options/invocation.js';
import { readFile, readFileIfThere, styleFor, writeJson } from '../output.js';
import { formatProblems } from '../text/problems.js';
import { formatLog, formatUnshown } from '../text/matching.js';

/** The last states of a run that are shown. */
const MOST_ENTRIES = 1_000;
/** For longer logs no run is shown. */
const MOST_REPLAYED = 20_000;
/** The search for a run to show ends after this time, and then none is shown. */
const RUN_SECONDS = 20;
const DETECTION_SECONDS = 20;
const REPAIR_SECONDS = 2;
/** Lines behind a misfit that show whether a repair lets them fit. */
const MOST_FOLLOWING = 100;

/** Ends with the worst result: 1 if a log does not fit, 2 if one is wrong, 3 if it is not decided. */
export async function matchLogs(invocation: MatchInvocation, io: CommandIo): Promise<ExitCode> {
    const [file = '', ...named] = invocation.files;
    const mapping = await readMapping(file, invocation, io);
    const logs = named.length > 0 ? named : mapping.logs;
    if (logs.length === 0) {
        throw new CallError('call/option', 'a call names a model and its logs: orbit match MODEL LOG…');
    }
    if (logs.filter(log => log === '-').length + (file === '-' ? 1 : 0) > 1) {
        throw new CallError('call/option', 'standard input is read once: only one of the files is -');
    }
    const linearized = await linearizeFile(file, invocation, io);
    if (typeof linearized === 'number') {
        return linearized;
    }
    const known = new Set([
        ...linearized.sequential.summands.flatMap(({ participants }) =>
            participants.flatMap(({ label }) => label ?? []),
        ),
        ...linearized.model.events.map(({ name }) => name),
    ]);
    const unknown = hiddenBy(invocation).find(name => !known.has(name));
    if (unknown !== undefined) {
        throw new CallError('call/option', `no step or event is called '${unknown}'`);
    }
    const documents: LogDocument[] = [];
    const codes: ExitCode[] = [];
    const shown = new Set<string>();
    let steps: ReadonlySet<string> = new Set();
    const folding = foldingOf(() => createWorkLimit({ now: io.now, budgetMilliseconds: DETECTION_SECONDS * 1000 }));
    for (const log of logs) {
        const judged = await judge(log, linearized, mapping, folding, invocation, io);
        if (typeof judged === 'number') {
            return judged;
        }
        const { check, document, code } = judged;
        documents.push(document);
        codes.push(code);
        check.observations.slice(0, document.lines).forEach(({ step }) => step !== undefined && shown.add(step));
        ({ steps } = check.reader);
        if (!invocation.json) {
            const style = styleFor(io.stdout, invocation.color, io.environment);
            io.stdout.write(formatLog(document, invocation.quiet, style));
        }
    }
    const unshown = [...steps].filter(step => !shown.has(step));
    if (invocation.json) {
        const coverage = invocation.countsCoverage ? { unshown } : {};
        const document: MatchDocument = { ...titleOf(linearized.model), logs: documents, ...coverage };
        writeJson(document, io);
    } else if (invocation.countsCoverage) {
        io.stdout.write(formatUnshown(unshown));
    }
    return worstExitCode(codes);
}

async function readMapping(file: string, invocation: MatchInvocation, io: CommandIo): Promise<LogMapping> {
    const { mapFile } = invocation;
    const path = mapFile ?? `${file.replace(/\.orbit$/, '')}.log.json`;
    const bytes = await (mapFile === undefined ? readFileIfThere(path, io) : readFile(path, io));
    const mapping = bytes === undefined ? NO_MAPPING : parseMapping(new TextDecoder().decode(bytes));
    if (typeof mapping === 'string') {
        throw new CallError('log/syntax', `'${path}': ${mapping}`, path);
    }
    const { settings } = mapping;
    return { ...mapping, settings: { ...settings, hides: new Set([...settings.hides, ...hiddenBy(invocation)]) } };
}

/** Names are separated by commas, too. */
function hiddenBy({ hidden = [] }: MatchInvocation): readonly string[] {
    return hidden.flatMap(names => names.split(',')).map(name => name.trim());
}

interface Judged {
    readonly check: LogCheck;
    readonly document: LogDocument;
    readonly code: ExitCode;
}

/** The exit code, once it is told, of a log that is wrong. */
async function judge(
    log: string,
    { loaded, model, sequential }: LinearizedModel,
    mapping: LogMapping,
    folding: FoldingOf,
    invocation: MatchInvocation,
    io: CommandIo,
): Promise<Judged | ExitCode> {
    const settings = { ...mapping.settings, maxCandidates: invocation.maxCandidates };
    const textOf = createTextOf(uri => loaded.textOf(loaded.fileOf(uri)));
    const limit = (seconds: number): ReturnType<typeof createWorkLimit> =>
        createWorkLimit({ now: io.now, budgetMilliseconds: seconds * 1000 });
    const check = io.finish(() => new LogCheck(model, sequential, settings, folding, textOf), Infinity);
    let problem: Pick<DocumentProblem, 'code' | 'line' | 'message'> | undefined;
    /** Lines behind one that fits nothing. */
    const following: Observation[] = [];
    const isOver = (): boolean => check.state.kind === 'misfit';
    const take = (read: LogLine): boolean => {
        if ('entry' in read) {
            if (!isOver()) {
                return check.take(read.line, read.entry) || isOver();
            }
            const observation = check.reader.read(read.line, read.entry);
            if (observation !== undefined && !('code' in observation)) {
                following.push(observation);
            }
            return following.length < MOST_FOLLOWING;
        }
        if ('isHalf' in read) {
            io.stderr.write(`${log}:${read.line}: the last line has no end and is left out\n`);
            return true;
        }
        if (check.state.kind === 'fits') {
            problem = { code: 'log/syntax', line: read.line, message: read.reason };
        }
        return false;
    };
    if (log === '-') {
        let number = 0;
        for await (const written of io.standardInputLines(new AbortController().signal)) {
            const read = readLine(written, ++number, mapping.form);
            if (read !== undefined && (!io.finish(() => take(read), Infinity) || isOver())) {
                break;
            }
        }
    } else {
        const text = new TextDecoder().decode(await readFile(log, io));
        io.finish(() => {
            for (const read of linesOf(text, mapping.form)) {
                if (!take(read)) {
                    break;
                }
            }
        }, Infinity);
    }
    const { state } = check;
    if (state.kind === 'problem') {
        const code = state.problem.code.startsWith('limit/') ? EXIT.undecided : EXIT.wrong;
        await reportProblems(loaded, [state.problem], code, invocation, io);
        return code;
    }
    problem ??= state.kind === 'wrong' ? state.problem : undefined;
    if (problem !== undefined) {
        reportLogProblem(problem, log, invocation, io);
        return EXIT.wrong;
    }
    const document = io.finish(() => {
        const judged = documentOf(log, check, invocation, loaded.fileOf, limit(RUN_SECONDS));
        return withRepairs(judged, check, following, limit(REPAIR_SECONDS));
    }, Infinity);
    return { check, document, code: EXIT_CODES[document.verdict] };
}

const EXIT_CODES = {
    fits: EXIT.holds,
    misfit: EXIT.violated,
    violated: EXIT.violated,
    undecided: EXIT.undecided,
} as const satisfies Record<LogDocument['verdict'], ExitCode>;

function documentOf(
    file: string,
    check: LogCheck,
    { isComplete }: MatchInvocation,
    fileOf: Parameters<typeof toDocumentTrace>[1],
    limit: ReturnType<typeof createWorkLimit>,
): LogDocument {
    const { state, matcher } = check;
    const invariants = check.invariants();
    const isOpen = isComplete && state.kind === 'fits' ? matcher.mayBeComplete() : true;
    const run = check.observations.length > MOST_REPLAYED ? undefined : check.run(MOST_ENTRIES, limit);
    const incomplete = isOpen === false;
    return {
        file,
        verdict: verdictOf(check, isOpen, invariants),
        fits: state.kind === 'fits' && !incomplete,
        lines: matcher.trails.length - 1,
        symmetries: String(check.order),
        mostCandidates: matcher.mostCandidates,
        ...(state.kind === 'misfit' && { misfit: { ...state.misfit, repairs: [], hide: [] } }),
        ...(state.kind === 'limit' && {
            limit: {
                line: state.line,
                ...(state.label !== undefined && { hidden: state.label }),
                ...(state.template !== undefined && { template: state.template }),
            },
        }),
        ...(incomplete && { incomplete: true }),
        names: (run?.meanings ?? []).flatMap(({ name: { text, type, code }, value }) =>
            code === undefined ? [{ name: text, type, value }] : [],
        ),
        trace: toDocumentTrace(run?.trace ?? [], fileOf),
        // What a constraint has cut off may have passed no violation.
        invariants: matcher.isCutOff ? invariants.map(({ name }) => ({ name, verdict: 'possible' })) : invariants,
        ignoredKeys: [...check.reader.unknownKeys],
    };
}

function withRepairs(
    document: LogDocument,
    check: LogCheck,
    following: readonly Observation[],
    limit: ReturnType<typeof createWorkLimit>,
): LogDocument {
    if (document.misfit === undefined) {
        return document;
    }
    // What costs less comes first.
    const hide = check.mendingHidden(following, limit);
    const { best } = check.repairs(following, limit);
    const lastLine = following.at(-1)?.line ?? document.misfit.line;
    return { ...document, misfit: { ...document.misfit, repairs: best, hide, lastLine } };
}

function verdictOf(
    { state, matcher }: LogCheck,
    isComplete: boolean | undefined,
    invariants: LogDocument['invariants'],
): LogDocument['verdict'] {
    if (state.kind === 'misfit') {
        return matcher.isCutOff ? 'undecided' : 'misfit';
    }
    if (invariants.some(({ verdict }) => verdict === 'violated')) {
        return matcher.isCutOff ? 'undecided' : 'violated';
    }
    return state.kind === 'limit' || isComplete === undefined ? 'undecided' : isComplete ? 'fits' : 'misfit';
}

function reportLogProblem(
    { code, line, message }: Pick<DocumentProblem, 'code' | 'line' | 'message'>,
    file: string,
    { json, color }: MatchInvocation,
    io: CommandIo,
): void {
    const problem: DocumentProblem = {
        severity: 'error',
        code,
        message,
        file,
        line,
        column: 1,
        endLine: line,
        endColumn: 1,
    };
    if (json) {
        writeJson({ schemaVersion: 1, problems: [problem] }, io);
    } else {
        io.stderr.write(formatProblems([problem], () => undefined, styleFor(io.stderr, color, io.environment)));
    }
}
