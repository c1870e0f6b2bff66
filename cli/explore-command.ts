/**
 * `orbit explore`: search the state space and check what the model states.
 *
 * When the search is interrupted or its time is over, what was reached so far is printed and the answer is undecided,
 * unless a violation was found before. Before the search has begun there is nothing to print.
 */
import pc from 'picocolors';
import { invariant } from '../engine/common/assert.js';
import type { Problem } from '../engine/common/problem.js';
import { OperationCancelled, createWorkLimit } from '../engine/common/work-limit.js';
import type { FoundSymmetries, ReducedExplorationOptions } from '../engine/pipeline.js';
import { type ExplorationRun, toExploreDocument } from '../language-server/documents.js';
import { REFUTED } from '../language-server/lsp/wording.js';
import type { ExploreDocument } from '../language-server/protocol.js';
import {
    DETECTION_SECONDS,
    type LinearizedModel,
    checkPropertyName,
    linearizeFile,
    reportProblems,
    searchFile,
} from './analysis.js';
import { advanceToTheEnd } from './advance-exploration.js';
import type { ExploreInvocation } from './arguments.js';
import { type CheckpointSubject, checkSubject, checkWritable, openCheckpoint } from './checkpoint.js';
import { CheckpointSaver } from './checkpoint-saver.js';
import { type Question, combined, questionsOf } from './each-property.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { Interruption } from './interruption.js';
import { type CommandIo, TimeIsOver } from './io.js';
import { styleFor, writeFile, writeJson } from './output.js';
import { formatExploration, formatExplorationInALine } from './text/exploration.js';
import type { TextStyle } from './text/layout.js';
import { formatViolation } from './text/traces.js';

/** Of the time limit. */
const DETECTION_PART = 0.5;

/** For files. */
const PLAIN: TextStyle = { colors: pc.createColors(false), columns: 120 };

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
    const { traceFile, checkpointFile, timeoutSeconds } = invocation;
    const deadline = io.now() + (timeoutSeconds ?? Infinity) * 1000;
    // Better now than after an hour: a file that cannot be written is an error of the call.
    if (traceFile !== undefined) {
        await writeFile(traceFile, '', io);
    }
    if (checkpointFile !== undefined) {
        await checkWritable(checkpointFile, io);
    }
    const analysis = await analyzeForExploration(invocation, deadline, io);
    if (typeof analysis === 'number') {
        return analysis;
    }
    const { loaded, model } = analysis;
    const { property } = invocation;
    checkPropertyName(property, model);
    const questions = invocation.isEach
        ? questionsOf(model)
        : [{ name: property ?? 'all', ...(property !== undefined && { properties: [property] }) }];
    const { answers, problems, end } = await answer(questions, { analysis, deadline, interruption, invocation }, io);
    if (problems !== undefined) {
        reportProblems(loaded, problems, invocation, io);
        return EXIT.wrong;
    }
    const documents = answers.map(({ name, run }) => ({ name, document: toExploreDocument(run, loaded.fileOf) }));
    const [first] = documents;
    invariant(first !== undefined, 'there is something to explore for');
    const document = invocation.isEach
        ? combined(documents, questions.length, end === 'time' ? timeoutSeconds : undefined)
        : first.document;
    await show(document, invocation, io);
    return end === 'interrupted' ? EXIT.interrupted : exitCodeOf(document);
}

/** On stdout, and in the file for traces. */
async function show(document: ExploreDocument, invocation: ExploreInvocation, io: CommandIo): Promise<void> {
    const { json, quiet, traceFile } = invocation;
    if (traceFile !== undefined) {
        await writeFile(traceFile, toTraceText(document, traceFile), io);
    }
    if (json) {
        writeJson(document, io);
    } else {
        const style = styleFor(io.stdout, invocation.color, io.environment);
        io.stdout.write(quiet ? formatExplorationInALine(document) : formatExploration(document, style));
    }
}

/** What all explorations of a call have in common. */
interface Exploring {
    readonly analysis: ExplorableModel;
    /** On the clock of the world. */
    readonly deadline: number;
    readonly interruption: Interruption;
    readonly invocation: ExploreInvocation;
}

interface Answers {
    readonly answers: readonly { readonly name: string; readonly run: ExplorationRun }[];
    /** Errors of the model, which end everything. */
    readonly problems?: readonly Problem[];
    /** Why there are no answers to the other questions. */
    readonly end?: 'time' | 'interrupted';
}

/** One exploration for each question. What is known of the first ones counts, also where the others do not begin. */
async function answer(questions: readonly Question[], exploring: Exploring, io: CommandIo): Promise<Answers> {
    const answers: { readonly name: string; readonly run: ExplorationRun }[] = [];
    for (const question of questions) {
        try {
            const { run, problems } = await runExploration(question, exploring, io);
            if (run === undefined) {
                return { answers, problems };
            }
            answers.push({ name: question.name, run });
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

type ExplorableModel = LinearizedModel & { readonly symmetry?: FoundSymmetries };

/** The model, with its symmetries where some are used; the exit code where it has errors. */
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
    const analyzed = await searchFile(file, invocation, { detectionSeconds, deadline }, io);
    if (typeof analyzed === 'number') {
        return analyzed;
    }
    if (analyzed.analysis.symmetry.refuted) {
        io.stderr.write(`${styleFor(io.stderr, invocation.color, io.environment).colors.red(REFUTED)}\n`);
    }
    return { loaded: analyzed.loaded, ...analyzed.analysis };
}

/** A part of what is left: the rest is for the search. */
function detectionMilliseconds(deadline: number, io: CommandIo): number {
    return Math.min((deadline - io.now()) * DETECTION_PART, DETECTION_SECONDS * 1000);
}

function exitCodeOf(document: ExploreDocument): ExitCode {
    switch (document.verdict) {
        case 'holds':
            return EXIT.holds;
        case 'violated':
            return EXIT.violated;
        case 'undecided':
            return EXIT.undecided;
    }
}

interface ExplorationOutcome {
    /** Absent where the problems are errors. */
    readonly run?: ExplorationRun;
    readonly problems: readonly Problem[];
}

/** Throws TimeIsOver and OperationCancelled where that comes before it begins. */
async function runExploration(
    question: Question,
    { analysis, deadline, interruption, invocation }: Exploring,
    io: CommandIo,
): Promise<ExplorationOutcome> {
    const { startExploration } = await import('../engine/pipeline.js');
    const { structureOf } = await import('../engine/symmetry/factors.js');
    const { maxStates, maxViolations, countsCoverage, timeoutSeconds } = invocation;
    const { properties, ignoresFaults = false } = question;
    // Without a limit the system would end the process, and with it the answer.
    const maxMemoryBytes = invocation.maxMemoryBytes ?? Math.floor(io.memoryBytes / 2);
    const explorationStart = io.now();
    const workers = io.searchThreads(invocation.workers ?? io.processorCount);
    const { resumeFile, checkpointFile } = invocation;
    const finish = <Result>(work: () => Result): Result => io.finish(work, deadline - io.now());
    const stored = resumeFile === undefined ? undefined : finish(() => openCheckpoint(resumeFile, io));
    const options: ReducedExplorationOptions = {
        reduction: invocation.reduction,
        now: io.now,
        ...(stored !== undefined && { resumeFrom: stored.exploration }),
        endsWithSnapshot: checkpointFile !== undefined,
        storesFingerprints: invocation.storesFingerprints,
        ...(invocation.passes !== undefined && { passes: invocation.passes }),
        continueAfterViolation: invocation.continueAfterViolation,
        ...(properties !== undefined && { properties }),
        ignoresFaults,
        countsCoverage,
        ...(maxViolations !== undefined && { maxViolations }),
        ...(maxStates !== undefined && { maxStates }),
        maxMemoryBytes,
        ...(workers !== undefined && { workers }),
    };
    const budgetMilliseconds = detectionMilliseconds(deadline, io);
    const limit = createWorkLimit({ now: io.now, budgetMilliseconds });
    const started = finish(() => startExploration(analysis, options, limit));
    const { exploration, group, interpretedBecause } = started;
    const subject = (): CheckpointSubject => ({ model: analysis.model.name, identity: started.identity() });
    const saver =
        checkpointFile === undefined ? undefined : new CheckpointSaver(checkpointFile, subject, invocation, io);
    let isInterrupted: boolean;
    try {
        if (stored !== undefined) {
            checkSubject(stored, subject());
        }
        isInterrupted = await advanceToTheEnd(
            exploration,
            { deadline, timeoutSeconds, saver, interruption },
            invocation,
            io,
        );
    } finally {
        stored?.close();
    }
    const { report, problems } = exploration.result();
    if (report === undefined) {
        return { problems };
    }
    const checkpoint = await saver?.save(exploration);
    // What is said of the group besides is no part of the exploration.
    const seconds = (io.now() - explorationStart) / 1000;
    return {
        problems,
        run: {
            model: analysis.model,
            report,
            ...(group !== undefined && { group: { structure: structureOf(group), order: group.order } }),
            strategy: started.strategy,
            choice: started.choice,
            passes: started.passes,
            threadCount: exploration.threadCount,
            seconds,
            isInterrupted,
            interpretedBecause,
            checkpoint,
            unreached: started.unreached(),
            coverage: started.coverage?.(),
        },
    };
}

/** The traces alone: as JSON where the file's name says so, else as on the terminal. */
function toTraceText(document: ExploreDocument, file: string): string {
    const { schemaVersion, model, params, violations } = document;
    return file.endsWith('.json')
        ? `${JSON.stringify({ schemaVersion, model, params, violations }, undefined, 2)}\n`
        : violations.map(violation => formatViolation(violation, PLAIN)).join('\n') || 'no violation was found\n';
}
