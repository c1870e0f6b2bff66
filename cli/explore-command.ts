/**
 * `orbit explore`: search the state space and check what the model states.
 *
 * The exploration is driven in slices, so that Ctrl+C and progress get their turn; when it is interrupted, what was
 * reached so far is printed and the answer is undecided, unless a violation was found before.
 */
import pc from 'picocolors';
import { invariant } from '../engine/common/assert.js';
import type { Problem } from '../engine/common/problem.js';
import { createWorkLimit } from '../engine/common/work-limit.js';
import type { Exploration } from '../engine/explore/search.js';
import type { Model } from '../engine/model/model.js';
import type { SymmetryAnalysis } from '../engine/pipeline.js';
import { type ExplorationRun, toExploreDocument } from '../language-server/documents.js';
import { REFUTED } from '../language-server/lsp/wording.js';
import type { ExploreDocument } from '../language-server/protocol.js';
import {
    DETECTION_SECONDS,
    type LinearizedModel,
    analyzeFile,
    checkPropertyName,
    linearizeFile,
    reportProblems,
} from './analysis.js';
import type { ExploreInvocation } from './arguments.js';
import { checkSubject, openCheckpoint, writeCheckpoint } from './checkpoint.js';
import { EXIT, type ExitCode } from './exit-code.js';
import type { CommandIo } from './io.js';
import { styleFor, writeFile, writeJson } from './output.js';
import { createProgressLine } from './progress.js';
import {
    type TextStyle,
    formatBytes,
    formatCount,
    formatExploration,
    formatExplorationInALine,
    formatViolation,
} from './report-text.js';

/** Ctrl+C is answered after at most this long and the state that is being expanded, or once a checkpoint is written. */
const SLICE_MILLISECONDS = 40;

/** For files. */
const PLAIN: TextStyle = { colors: pc.createColors(false), columns: 120 };

export async function explore(invocation: ExploreInvocation, io: CommandIo): Promise<ExitCode> {
    const { json, quiet, traceFile } = invocation;
    const start = io.now();
    if (traceFile !== undefined) {
        // Better now than after an hour: a file that cannot be written is an error of the call.
        await writeFile(traceFile, '', io);
    }
    const analyzed = await analyzeForExploration(invocation, io);
    if (typeof analyzed === 'number') {
        return analyzed;
    }
    const { loaded, model } = analyzed;
    checkPropertyName(invocation.property, model);
    const { property } = invocation;
    const questions = invocation.isEach
        ? questionsOf(model)
        : [{ name: property ?? 'all', ...(property !== undefined && { properties: [property] }) }];
    const outcomes: { readonly name: string; readonly run: ExplorationRun }[] = [];
    for (const question of questions) {
        const outcome = await runExploration(analyzed, question, invocation, start, io);
        if (outcome.run === undefined) {
            reportProblems(loaded, outcome.problems, invocation, io);
            return EXIT.wrong;
        }
        outcomes.push({ name: question.name, run: outcome.run });
        if (outcome.run.isInterrupted === true) {
            break;
        }
    }
    const documents = outcomes.map(({ name, run }) => ({ name, document: toExploreDocument(run, loaded.fileOf) }));
    const [first] = documents;
    invariant(first !== undefined, 'there is something to explore for');
    const document = invocation.isEach ? combined(documents, questions) : first.document;
    if (traceFile !== undefined) {
        await writeFile(traceFile, toTraceText(document, traceFile), io);
    }
    if (json) {
        writeJson(document, io);
    } else {
        const style = styleFor(io.stdout, invocation.color, io.environment);
        io.stdout.write(quiet ? formatExplorationInALine(document) : formatExploration(document, style));
    }
    return outcomes.some(({ run }) => run.isInterrupted) ? EXIT.interrupted : exitCodeOf(document);
}

/** What one exploration is about. */
interface Question {
    readonly name: string;
    /** Everything that the model states when absent. */
    readonly properties?: readonly string[];
    readonly ignoresFaults?: boolean;
}

/** Faults first, for they belong to the steps and not to a property; then each property by itself. */
function questionsOf({ allowsDeadlock, invariants }: Model): readonly Question[] {
    const names = [...(allowsDeadlock ? [] : ['deadlock']), ...invariants.map(({ name }) => name)];
    return [
        { name: 'faults', properties: [] },
        ...names.map(name => ({ name, properties: [name], ignoresFaults: true })),
    ];
}

type ExplorableModel = LinearizedModel & { readonly symmetry?: SymmetryAnalysis };

/** The model, with its symmetries where some are used; the exit code where it has errors. */
async function analyzeForExploration(
    invocation: ExploreInvocation,
    io: CommandIo,
): Promise<ExplorableModel | ExitCode> {
    const { file, reduction, timeoutSeconds } = invocation;
    if (reduction === 'none') {
        return linearizeFile(file, invocation, io);
    }
    const detectionSeconds = Math.min(timeoutSeconds ?? Infinity, DETECTION_SECONDS);
    const settings = { detectionSeconds, suggestCandidates: true, explain: false };
    const analyzed = await analyzeFile(file, invocation, settings, io);
    if (typeof analyzed === 'number') {
        return analyzed;
    }
    if (analyzed.analysis.symmetry.report.refuted) {
        io.stderr.write(`${styleFor(io.stderr, invocation.color, io.environment).colors.red(REFUTED)}\n`);
    }
    return { loaded: analyzed.loaded, ...analyzed.analysis };
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

async function runExploration(
    analysis: ExplorableModel,
    question: Question,
    invocation: ExploreInvocation,
    start: number,
    io: CommandIo,
): Promise<ExplorationOutcome> {
    const { startExploration } = await import('../engine/pipeline.js');
    const { structureOf } = await import('../engine/symmetry/factors.js');
    const { maxStates, maxViolations, countsCoverage, timeoutSeconds } = invocation;
    const { properties, ignoresFaults = false } = question;
    // Without a limit the system would end the process, and with it the answer.
    const maxMemoryBytes = invocation.maxMemoryBytes ?? Math.floor(io.memoryBytes / 2);
    const deadline = start + (timeoutSeconds ?? Infinity) * 1000;
    const explorationStart = io.now();
    const detectionMilliseconds = Math.min(deadline - explorationStart, DETECTION_SECONDS * 1000);
    const workers = io.searchThreads(invocation.workers ?? io.processorCount);
    const { resumeFile, checkpointFile } = invocation;
    const stored = resumeFile === undefined ? undefined : openCheckpoint(resumeFile, io);
    const started = startExploration(
        analysis,
        {
            reduction: invocation.reduction,
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
        },
        createWorkLimit({ now: io.now, budgetMilliseconds: detectionMilliseconds }),
    );
    const { exploration, group, interpretedBecause } = started;
    const subject = { model: analysis.model.name, identity: started.identity() };
    const saver =
        checkpointFile === undefined ? undefined : new CheckpointSaver(checkpointFile, subject, invocation, io);
    let isInterrupted: boolean;
    try {
        if (stored !== undefined) {
            checkSubject(stored, subject.model, subject.identity);
        }
        isInterrupted = await advanceToTheEnd(exploration, { deadline, timeoutSeconds, saver }, invocation, io);
    } finally {
        stored?.close();
    }
    const { report, problems } = exploration.result();
    if (report === undefined) {
        return { problems };
    }
    const checkpoint = await saver?.save(exploration);
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
            seconds: (io.now() - explorationStart) / 1000,
            isInterrupted,
            interpretedBecause,
            checkpoint,
            unreached: started.unreached(),
            coverage: started.coverage?.(),
        },
    };
}

/** One document for explorations of one property each, some of them perhaps never begun. */
function combined(
    parts: readonly { readonly name: string; readonly document: ExploreDocument }[],
    questions: readonly Question[],
): ExploreDocument {
    const documents = parts.map(({ document }) => document);
    const sum = (count: (document: ExploreDocument) => number): number =>
        documents.reduce((total, document) => total + count(document), 0);
    const greatest = (count: (document: ExploreDocument) => number): number => Math.max(...documents.map(count));
    const violations = documents.flatMap(document => document.violations);
    const limit = documents.find(document => document.limit !== undefined)?.limit;
    const unreached = documents.find(document => document.unreached !== undefined)?.unreached;
    // The least group is that of the question that costs most.
    const least = documents.reduce((one, other) =>
        BigInt(other.reduction.order) < BigInt(one.reduction.order) ? other : one,
    );
    const isDecided = limit === undefined && parts.length === questions.length;
    const seconds = sum(document => document.seconds);
    const states = sum(document => document.states);
    // That any of them has missed a state is at most as likely as all together.
    const omissionProbability = Math.min(
        1,
        sum(document => document.omissionProbability ?? 0),
    );
    return {
        ...least,
        verdict: violations.length > 0 ? 'violated' : isDecided ? 'holds' : 'undecided',
        states,
        transitions: sum(document => document.transitions),
        depth: greatest(document => document.depth),
        deadlocks: greatest(document => document.deadlocks),
        ...(omissionProbability > 0 && { omissionProbability }),
        seconds,
        statesPerSecond: seconds > 0 ? Math.round(states / seconds) : 0,
        bytesPerState: greatest(document => document.bytesPerState),
        peakBytes: greatest(document => document.peakBytes),
        violations,
        ...(limit !== undefined && { limit }),
        ...(unreached !== undefined && { unreached }),
        properties: parts.map(({ name, document }) => ({
            name,
            verdict: document.verdict,
            reduction: document.reduction,
            states: document.states,
            transitions: document.transitions,
            depth: document.depth,
            seconds: document.seconds,
            ...(document.limit !== undefined && { limit: document.limit }),
        })),
    };
}

/** A round of a search takes less, and so do the representatives of a batch, but for those that are hard to find. */
const MOST_MILLISECONDS_TO_SNAPSHOT = 2000;

interface TimeLimit {
    /** On the clock of `io`. */
    readonly deadline: number;
    readonly timeoutSeconds: number | undefined;
    /** Where a checkpoint is wanted. */
    readonly saver: CheckpointSaver | undefined;
}

/** Writes checkpoints of an exploration, again and again to the same file. */
class CheckpointSaver {
    readonly #file: string;
    readonly #subject: { readonly model: string; readonly identity: string };
    readonly #intervalMilliseconds: number;
    readonly #io: CommandIo;
    #last: number;

    constructor(
        file: string,
        subject: { readonly model: string; readonly identity: string },
        { checkpointInterval = Infinity }: ExploreInvocation,
        io: CommandIo,
    ) {
        this.#file = file;
        this.#subject = subject;
        this.#intervalMilliseconds = checkpointInterval * 1000;
        this.#io = io;
        this.#last = io.now();
    }

    /** Writes one where it is time for it. */
    async saveNowAndThen(exploration: Exploration): Promise<void> {
        if (this.#io.now() - this.#last >= this.#intervalMilliseconds) {
            this.reachSnapshot(exploration);
            await this.save(exploration);
        }
    }

    /** The file and its length; undefined where there is nothing to go on with, and nothing is written. */
    async save(exploration: Exploration): Promise<{ readonly file: string; readonly bytes: number } | undefined> {
        const snapshot = exploration.snapshot();
        if (snapshot === undefined) {
            return undefined;
        }
        const bytes = await writeCheckpoint(this.#file, this.#subject, snapshot, this.#io);
        this.#last = this.#io.now();
        return { file: this.#file, bytes };
    }

    /** Goes on with what is half done until there is something to save, and no further. */
    reachSnapshot(exploration: Exploration): void {
        const end = this.#io.now() + MOST_MILLISECONDS_TO_SNAPSHOT;
        const isEnough = (): boolean => exploration.snapshot() !== undefined || this.#io.now() >= end;
        while (!isEnough() && !exploration.advance({ isExhausted: isEnough }));
    }
}

/** Works until there is a result, the time is over or the user has enough; true in the last case. */
async function advanceToTheEnd(
    exploration: Exploration,
    { deadline: firstDeadline, timeoutSeconds, saver }: TimeLimit,
    invocation: ExploreInvocation,
    io: CommandIo,
): Promise<boolean> {
    let deadline = firstDeadline;
    let isInterrupted = false;
    const releaseInterrupt = io.onInterrupt(() => (isInterrupted = true));
    const progress = createProgressLine(io, !invocation.quiet);
    const start = io.now();
    try {
        for (;;) {
            const budgetMilliseconds = Math.min(SLICE_MILLISECONDS, Math.max(0, deadline - io.now()));
            const isFinished = exploration.advance(createWorkLimit({ now: io.now, budgetMilliseconds }));
            if (isFinished) {
                return false;
            }
            await io.nextTurn();
            if (isInterrupted) {
                saver?.reachSnapshot(exploration);
                // What was found gets its trace if that is quick; without it the verdict is the same.
                exploration.stop({ kind: 'time', value: io.now() - start });
                exploration.advance(createWorkLimit({ now: io.now, budgetMilliseconds: SLICE_MILLISECONDS }));
                return true;
            }
            await saver?.saveNowAndThen(exploration);
            if (io.now() >= deadline && timeoutSeconds !== undefined) {
                saver?.reachSnapshot(exploration);
                exploration.stop({ kind: 'time', value: timeoutSeconds * 1000 });
                deadline = Infinity; // What is left are the traces of what was found.
            }
            progress.show(() => {
                const { phase, states, depth, frontier, memoryBytes } = exploration.progress();
                const rate = Math.round(states / Math.max(0.001, (io.now() - start) / 1000));
                const gain = exploration.statesPerOrbit();
                return (
                    `${phase}: ${formatCount(states)} states, ${formatCount(frontier)} to go, depth ${formatCount(depth)}, ` +
                    `${formatCount(rate)} states/s, ${formatBytes(memoryBytes)}` +
                    (gain === undefined ? '' : `, each for about ${formatCount(Math.round(gain))}`)
                );
            });
        }
    } finally {
        exploration.close();
        progress.clear();
        releaseInterrupt();
    }
}

/** The traces alone: as JSON where the file's name says so, else as on the terminal. */
function toTraceText(document: ExploreDocument, file: string): string {
    const { schemaVersion, model, params, violations } = document;
    return file.endsWith('.json')
        ? `${JSON.stringify({ schemaVersion, model, params, violations }, undefined, 2)}\n`
        : violations.map(violation => formatViolation(violation, PLAIN)).join('\n') || 'no violation was found\n';
}
