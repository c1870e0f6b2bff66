/**
 * `orbit explore`: search the state space and check what the model states. An interrupted search, or one whose time is
 * over, reports the states so far; without a violation its verdict is undecided.
 */
import { asksForEveryStep } from '../../engine/expect/judge.js';
import { observedRuns } from '../../engine/verdict/asked.js';
import { propertyNames } from '../../engine/model/model.js';
import { isRun, REFUTED } from '../../engine/describe/words.js';
import { invariant } from '../../engine/common/assert.js';
import type { Problem } from '../../engine/common/problem.js';
import { OperationCancelled } from '../../engine/common/work-limit.js';
import { type EndedExploration, toExploreDocument } from '../../language-server/documents.js';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import type { ParameterRange } from '../../language-server/protocol.js';
import {
    checkPropertyNames,
    linearizeFile,
    reportProblems,
    searchFile,
    symmetriesAlone,
    tellWarnings,
} from '../analysis.js';
import type { ExploreInvocation } from '../options/invocation.js';
import { CallError } from '../call-error.js';
import { checkReplaceable } from '../checkpoint.js';
import { type AskedProperty, combined, questionsOf } from '../each-property.js';
import { asksForEverySize } from '../every-size.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { exploreEverySize } from './explore-every-size.js';
import { load } from '../load.js';
import { Interruption } from '../interruption.js';
import { type CommandIo, TimeIsOver, withRepeatableInput } from '../io.js';
import { type ExplorableModel, type Exploring, detectionMilliseconds, runExploration } from '../one-exploration.js';
import { checkOutput, checkOutputName, isForPrograms, styleFor, writeFile, writeJson, writeReport } from '../output.js';
import { refusedWithSlots } from '../refused-with-slots.js';
import { EVERY_STEP, suiteOfExploration, suiteOfLimit, type Suite } from '../report/report.js';
import { sweep, violationsOf, type Explored } from '../../language-server/analysis/sweep.js';
import { formatExploration, formatExplorationInALine } from '../text/exploration.js';
import { formatSweepEnd, formatSweepRow } from '../text/sweep.js';
import { PLAIN } from '../text/layout.js';
import { formatTrace, formatViolationLines } from '../text/traces.js';

export async function explore(invocation: ExploreInvocation, io: CommandIo): Promise<ExitCode> {
    const interruption = new Interruption(io);
    try {
        return await exploreUntil(interruption, invocation, io);
    } finally {
        interruption.release();
    }
}

async function exploreUntil(
    interruption: Interruption,
    invocation: ExploreInvocation,
    io: CommandIo,
): Promise<ExitCode> {
    const { file, traceFile, checkpointFile, resumeFile, timeoutSeconds } = invocation;
    const deadline = io.now() + (timeoutSeconds ?? Infinity) * 1000;
    if (traceFile !== undefined) {
        await checkOutput(traceFile, [file, checkpointFile, resumeFile], io);
    }
    if (checkpointFile !== undefined) {
        checkOutputName(checkpointFile, [file], io);
        await checkReplaceable(checkpointFile, io);
    }
    if (asksForEverySize(invocation)) {
        const exitCode = await exploreEverySize(invocation, deadline, withRepeatableInput(io));
        if (exitCode !== undefined) {
            return exitCode;
        }
    }
    if (invocation.viewSize !== undefined) {
        throw new CallError('call/every', '`--view-size` is about all values of a parameter: `--param NAME=all`');
    }
    if (invocation.sweep !== undefined) {
        return exploreSweep(invocation.sweep, { invocation, interruption, deadline }, io);
    }
    const explored = await exploreOnce({ invocation, interruption, deadline }, io);
    if (typeof explored === 'number') {
        return explored;
    }
    const exitCode = explored.end === 'interrupted' ? EXIT.interrupted : exitCodeOf(explored.document);
    await show(explored, exitCode, invocation, io);
    return exitCode;
}

interface Call {
    readonly invocation: ExploreInvocation;
    readonly interruption: Interruption;
    /** On the clock of the world. */
    readonly deadline: number;
}

interface CheckedExploration extends Explored {
    /** The properties that were checked, in the order of the model. */
    readonly checked: readonly string[];
    /** The properties that are checked on runs: all but those that say the same as an invariant. */
    readonly aboutRuns: readonly string[];
    /** The name of the run that was looked for, if one was. */
    readonly run?: string;
}

/** All questions about one model; the exit code if the model has errors, which are reported. */
async function exploreOnce(
    { invocation: given, interruption, deadline }: Call,
    io: CommandIo,
): Promise<CheckedExploration | ExitCode> {
    const analysis = await analyzeForExploration(given, deadline, io);
    if (typeof analysis === 'number') {
        return analysis;
    }
    const { loaded, model } = analysis;
    const invocation = loaded.run === undefined ? given : { ...given, properties: [loaded.run] };
    const { properties, timeoutSeconds } = invocation;
    checkPropertyNames(properties, model);
    checkOptionsOfRuns(analysis, invocation);
    checkOptionsOfTemplates(analysis, invocation);
    checkOptionsOfEveryStep(analysis, invocation);
    checkOptionsOfNumbers(analysis, invocation);
    const questions = invocation.isEach
        ? questionsOf(model, analysis.symmetry)
        : [
              {
                  name: properties?.join() ?? 'all',
                  ...(properties !== undefined && { properties }),
                  // A run is looked for, whatever else happens.
                  ignoresFaults: loaded.run !== undefined,
              },
          ];
    const { answers, problems, end } = await answer(questions, { analysis, deadline, interruption, invocation }, io);
    if (problems !== undefined) {
        await reportProblems(loaded, problems, EXIT.wrong, invocation, io);
        return EXIT.wrong;
    }
    const warnings = answers.flatMap(({ run }) => run.problems ?? []);
    tellWarnings(loaded, warnings, invocation, io);
    const documents = answers.map(({ question, run }) => ({
        question,
        document: toExploreDocument(run, loaded.fileOf),
    }));
    const [first] = documents;
    invariant(first !== undefined, 'there is something to explore for');
    const document = invocation.isEach
        ? combined(documents, questions.length, end === 'time' ? timeoutSeconds : undefined)
        : first.document;
    const checked = [
        ...propertyNames(model).filter(name => properties?.includes(name) ?? true),
        ...(asksForEveryStep(model, properties) && !invocation.isEach ? [EVERY_STEP] : []),
    ];
    const aboutRuns = analysis.sequential.properties.map(({ name }) => name);
    return { document, checked, aboutRuns, end, ...(loaded.run !== undefined && { run: loaded.run }) };
}

/** The search for runs compares whole states, and no file holds its graph. */
function checkOptionsOfRuns(
    { model, sequential }: ExplorableModel,
    { properties, states, checkpointFile, resumeFile, find }: ExploreInvocation,
): void {
    const followed = observedRuns(model, properties);
    const [checked] = [...sequential.properties.filter(({ name }) => properties?.includes(name) ?? true), ...followed];
    const refused = [
        ...(states === 'fingerprint' ? ['--states fingerprint'] : []),
        ...(checkpointFile === undefined ? [] : ['--checkpoint']),
        ...(resumeFile === undefined ? [] : ['--resume']),
    ];
    if (checked !== undefined && refused[0] !== undefined) {
        throw new CallError(
            'call/temporal',
            find === undefined
                ? `a property of runs needs exact states in memory: \`${refused[0]}\` cannot check '${checked.name}'; ` +
                      'with `--property` the others are checked alone'
                : `a run of several parts needs exact states in memory: \`${refused[0]}\` cannot look for it`,
        );
    }
}

/** A search may begin again with more instances, which is another model for what works on one model. */
function checkOptionsOfTemplates(
    { sequential: { templates = [] } }: ExplorableModel,
    options: ExploreInvocation,
): void {
    const [template] = templates;
    const refused = optionOfOneModel(options);
    if (template !== undefined && refused !== undefined) {
        throw refusedWithSlots(template, refused);
    }
}

/** The same for numbers without end, of which a search may keep more. */
function checkOptionsOfNumbers({ sequential: { numbers } }: ExplorableModel, options: ExploreInvocation): void {
    if (numbers === undefined && options.leastDistances !== undefined) {
        throw new CallError(
            'call/numbers',
            'the model has no numbers without end, of which `--distances` keeps distances',
        );
    }
    const isLocal = options.reduction === 'local';
    const refused = numbers && (isLocal ? '--reduction local' : optionOfOneModel(options));
    if (refused !== undefined) {
        const message = `the model has numbers without end: \`${refused}\` cannot be used yet; with a bound, \`0 .. 9\`, it can`;
        throw new CallError('call/numbers', message);
    }
}

/** An option that works on one model and its states as written. */
function optionOfOneModel({
    passes = [],
    countsCoverage,
    checkpointFile,
    resumeFile,
}: ExploreInvocation): string | undefined {
    return [
        ...(passes.length === 0 ? [] : ['--passes']),
        ...(countsCoverage ? ['--coverage'] : []),
        ...(checkpointFile === undefined ? [] : ['--checkpoint']),
        ...(resumeFile === undefined ? [] : ['--resume']),
    ][0];
}

/** Passes leave steps out, which are then not seen. */
function checkOptionsOfEveryStep(
    { model }: ExplorableModel,
    { properties, isEach, passes = [] }: ExploreInvocation,
): void {
    if (passes.length > 0 && !isEach && asksForEveryStep(model, properties)) {
        const message =
            'the model expects every step to be taken: `--passes` leaves steps out; with `--property` the others are checked alone';
        throw new CallError('call/passes', message);
    }
}

/** One value after the other, within one time limit. */
async function exploreSweep(range: ParameterRange, call: Call, io: CommandIo): Promise<ExitCode> {
    const { invocation } = call;
    const { json, quiet, format, traceFile, timeoutSeconds } = invocation;
    const suites: Suite[] = [];
    const style = styleFor(io.stdout, invocation.color, io.environment);
    const repeatable = withRepeatableInput(io);
    // A value that the type excludes is refused before hours are spent on those before it.
    const last = new Map([...invocation.parameters, [range.name, String(range.last)]]);
    const loaded = await load(invocation.file, last, repeatable, call.deadline);
    if (loaded.problems.some(({ code }) => code.startsWith('parameter/'))) {
        await reportProblems(loaded, loaded.problems, EXIT.wrong, invocation, io);
        return EXIT.wrong;
    }
    const swept = await sweep(range, {
        explore: async value => {
            const parameters = new Map([...invocation.parameters, [range.name, String(value)]]);
            const explored = await exploreOnce({ ...call, invocation: { ...invocation, parameters } }, repeatable);
            return typeof explored === 'number' ? { failure: explored } : explored;
        },
        isTimeOver: error => error instanceof TimeIsOver,
        onExplored: (explored, index) => {
            const { document } = explored;
            if (isForPrograms(format)) {
                suites.push(suiteOf(explored, invocation));
            } else if (format === 'text') {
                io.stdout.write(
                    quiet ? formatExplorationInALine(document) : formatSweepRow(range, document, index, style),
                );
            }
        },
        continueAfterViolation: invocation.continueAfterViolation,
        timeoutSeconds,
    });
    if ('failure' in swept) {
        return swept.failure;
    }
    const { document } = swept;
    if (traceFile !== undefined) {
        await writeFile(traceFile, toTraceText({ ...document, violations: violationsOf(document) }, traceFile), io);
    }
    const exitCode = swept.isInterrupted ? EXIT.interrupted : exitCodeOf(document);
    if (json) {
        writeJson(document, io);
    } else if (isForPrograms(format)) {
        const late = document.limit === undefined ? [] : [suiteOfLimit(invocation.file, document.limit)];
        await writeReport([...suites, ...late], exitCode, format, io);
    } else if (!quiet) {
        io.stdout.write(formatSweepEnd(document, style));
    }
    return exitCode;
}

/** On stdout, and in the file for traces. */
async function show(
    explored: CheckedExploration,
    exitCode: ExitCode,
    invocation: ExploreInvocation,
    io: CommandIo,
): Promise<void> {
    const { json, quiet, format, traceFile } = invocation;
    const { document, run } = explored;
    if (traceFile !== undefined) {
        await writeFile(traceFile, toTraceText(document, traceFile, run), io);
    }
    if (json) {
        writeJson(document, io);
    } else if (isForPrograms(format)) {
        await writeReport([suiteOf(explored, invocation)], exitCode, format, io);
    } else {
        const style = styleFor(io.stdout, invocation.color, io.environment);
        io.stdout.write(quiet ? formatExplorationInALine(document, run) : formatExploration(document, style, run));
    }
}

function suiteOf({ document, checked, aboutRuns, end }: CheckedExploration, invocation: ExploreInvocation): Suite {
    const { file, continueAfterViolation, maxViolations = Infinity } = invocation;
    const { verdict, violations, limit } = document;
    const stopsAtViolation = !continueAfterViolation || violations.length >= maxViolations;
    const isCut = limit !== undefined || end !== undefined || (verdict === 'violated' && stopsAtViolation);
    return suiteOfExploration({ file, document, checked, aboutRuns, isCut });
}

interface Answers {
    readonly answers: readonly { readonly question: AskedProperty; readonly run: EndedExploration }[];
    /** Errors of the model. */
    readonly problems?: readonly Problem[];
    /** Why the other questions were not answered. */
    readonly end?: 'time' | 'interrupted';
}

/** One exploration for each question. The first answers also count if the others are missing. */
async function answer(questions: readonly AskedProperty[], exploring: Exploring, io: CommandIo): Promise<Answers> {
    const answers: { readonly question: AskedProperty; readonly run: EndedExploration }[] = [];
    for (const question of questions) {
        try {
            const { run, problems } = await runExploration(question, exploring, io);
            if (run === undefined) {
                return { answers, problems };
            }
            answers.push({ question, run });
            if (run.isInterrupted === true) {
                return { answers, end: 'interrupted' };
            }
        } catch (error) {
            const isEnd = error instanceof TimeIsOver || error instanceof OperationCancelled;
            if (answers.length === 0 || !isEnd) {
                throw error;
            }
            return { answers, end: error instanceof TimeIsOver ? 'time' : 'interrupted' };
        }
    }
    return { answers };
}

/** The model, with its symmetries if they are used; the exit code if the model has errors. */
async function analyzeForExploration(
    invocation: ExploreInvocation,
    deadline: number,
    io: CommandIo,
): Promise<ExplorableModel | ExitCode> {
    const { file, reduction } = invocation;
    if (reduction === 'none') {
        return linearizeFile(file, invocation, io, deadline);
    }
    const detectionSeconds = detectionMilliseconds(deadline, io) / 1000;
    const analyzed = await searchFile(file, invocation, { detectionSeconds, deadline }, io, symmetriesAlone);
    if (typeof analyzed === 'number') {
        return analyzed;
    }
    if (analyzed.analysis.symmetry.refuted) {
        io.stderr.write(`${styleFor(io.stderr, invocation.color, io.environment).colors.red(REFUTED)}\n`);
    }
    return { loaded: analyzed.loaded, ...analyzed.analysis };
}

function exitCodeOf(document: Pick<ExploreDocument, 'verdict'>): ExitCode {
    switch (document.verdict) {
        case 'holds':
            return EXIT.holds;
        case 'violated':
            return EXIT.violated;
        case 'undecided':
            return EXIT.undecided;
    }
}

/** The traces alone, or the run that was looked for: as JSON if the file is named so, else as on the terminal. */
function toTraceText(
    document: Pick<ExploreDocument, 'schemaVersion' | 'model' | 'params' | 'violations' | 'properties'>,
    file: string,
    run?: string,
): string {
    const { schemaVersion, model, params, violations, properties = [] } = document;
    const runs = properties.filter(isRun).filter(({ name }) => name === run);
    if (file.endsWith('.json')) {
        const shown = { schemaVersion, model, params, violations, ...(run !== undefined && { properties: runs }) };
        return `${JSON.stringify(shown, undefined, 2)}\n`;
    }
    const traces = [
        ...violations.map(violation => formatViolationLines(violation, PLAIN)),
        ...runs.flatMap(({ trace }) => (trace === undefined ? [] : [formatTrace({ trace }, PLAIN)])),
    ];
    return traces.join('\n') || `no ${run === undefined ? 'violation' : 'run'} was found\n`;
}
