/**
 * One exploration of a call of `orbit explore`, from its options to its result. With `--each` a call has several.
 */
import type { Problem } from '../engine/common/problem.js';
import { createTextOf } from '../engine/common/source-text.js';
import { createWorkLimit } from '../engine/common/work-limit.js';
import type { RunningExploration } from '../engine/explore/search.js';
import type { SymmetryAnalysis, ReducedExplorationOptions } from '../engine/pipeline.js';
import type { EndedExploration } from '../language-server/documents.js';
import { DETECTION_SECONDS, type LinearizedModel } from './analysis.js';
import { advanceToTheEnd } from './advance-exploration.js';
import type { ExploreInvocation } from './options/invocation.js';
import { type CheckpointSubject, checkSubject, openCheckpoint } from './checkpoint.js';
import { CheckpointSaver } from './checkpoint-saver.js';
import type { AskedProperty } from './each-property.js';
import type { Interruption } from './interruption.js';
import type { CommandIo } from './io.js';

/** Of the time limit. */
const DETECTION_PART = 0.5;
/**
 * Unless more are asked for: a container may have fewer processors than its machine, and more threads than processors
 * only cost.
 */
const MOST_UNASKED_THREADS = 8;

/** A model, with its symmetries if some are used. */
export type ExplorableModel = LinearizedModel & { readonly symmetry?: SymmetryAnalysis<unknown> };

/** The things that all explorations of a call share. */
export interface Exploring {
    readonly analysis: ExplorableModel;
    /** On the clock of the world. */
    readonly deadline: number;
    readonly interruption: Interruption;
    readonly invocation: ExploreInvocation;
}

/** The result of one exploration. */
export interface ExplorationOutcome {
    /** Absent if the problems are errors. */
    readonly run?: EndedExploration;
    readonly problems: readonly Problem[];
}

/** The share of the remaining time for the search for symmetries; the exploration gets the rest. */
export function detectionMilliseconds(deadline: number, io: CommandIo): number {
    return Math.min((deadline - io.now()) * DETECTION_PART, DETECTION_SECONDS * 1000);
}

/** Throws TimeIsOver or OperationCancelled if that happens before the exploration begins. */
export async function runExploration(
    question: AskedProperty,
    { analysis, deadline, interruption, invocation }: Exploring,
    io: CommandIo,
): Promise<ExplorationOutcome> {
    const { startExploration } = await import('../engine/pipeline.js');
    const start = io.now();
    const { resumeFile, checkpointFile, timeoutSeconds } = invocation;
    const finish = <Result>(work: () => Result): Result => io.finish(work, deadline - io.now());
    const stored = resumeFile === undefined ? undefined : finish(() => openCheckpoint(resumeFile, io));
    let isInterrupted: boolean;
    let end: number;
    let saver: CheckpointSaver | undefined;
    let started: ReturnType<typeof startExploration>;
    try {
        const options = {
            ...optionsOf(question, invocation, io),
            ...(stored !== undefined && { resumeFrom: stored.exploration }),
        };
        const limit = createWorkLimit({ now: io.now, budgetMilliseconds: detectionMilliseconds(deadline, io) });
        started = finish(() => startExploration(analysis, options, limit));
        const subject = (): CheckpointSubject => ({ model: analysis.model.name, identity: started.identity() });
        if (stored !== undefined) {
            checkSubject(stored, subject());
        }
        saver = checkpointFile === undefined ? undefined : new CheckpointSaver(checkpointFile, subject, invocation, io);
        const ends = { deadline, timeoutSeconds, saver, interruption };
        isInterrupted = await advanceToTheEnd(started.exploration, ends, invocation, io);
        // From here on it is about the group and the text of the model.
        end = io.now();
    } finally {
        stored?.close();
    }
    const { exploration } = started;
    const { report, problems } = exploration.result();
    if (report === undefined) {
        return { problems };
    }
    if (stored !== undefined && report.states === 0) {
        io.stderr.write(
            `orbit: '${stored.file}' does not fit into the memory that may be used: nothing of it is in the result\n`,
        );
    }
    const { loaded } = analysis;
    const textOf = createTextOf(uri => loaded.textOf(loaded.fileOf(uri)));
    const checkpoint = await saver?.save(exploration);
    if (saver !== undefined && report.limit !== undefined) {
        reportMissing(exploration, io);
    }
    return {
        problems,
        run: {
            model: analysis.model,
            started,
            report,
            properties: question.properties,
            textOf,
            seconds: (end - start) / 1000,
            isInterrupted,
            checkpoint,
            problems,
        },
    };
}

function optionsOf(
    { properties, ignoresFaults = false, images = [] }: AskedProperty,
    invocation: ExploreInvocation,
    io: CommandIo,
): ReducedExplorationOptions {
    const { por, passes, maxViolations, maxStates, maxInstances, maxNames, leastDistances } = invocation;
    const workers = io.searchThreads(invocation.workers ?? Math.min(io.processorCount, MOST_UNASKED_THREADS));
    return {
        reduction: invocation.reduction,
        now: io.now,
        endsWithSnapshot: invocation.checkpointFile !== undefined,
        storesFingerprints: invocation.states === 'fingerprint',
        continueAfterViolation: invocation.continueAfterViolation,
        ignoresFaults,
        tellsAlikeFaults: invocation.isEach,
        countsCoverage: invocation.countsCoverage,
        // Without a limit the system would end the process, and with it the answer.
        maxMemoryBytes: invocation.maxMemoryBytes ?? Math.floor(io.memoryBytes / 2),
        ...(por !== 'off' && { partialOrder: por }),
        ...(passes !== undefined && { passes }),
        ...(properties !== undefined && { properties }),
        violationsToStop: 1 + images.length,
        ...(maxViolations !== undefined && { maxViolations: maxViolations * (1 + images.length) }),
        ...(maxStates !== undefined && { maxStates }),
        ...(maxInstances !== undefined && { maxInstances }),
        ...(maxNames !== undefined && { maxNames }),
        ...(leastDistances !== undefined && { leastDistances }),
        ...(workers !== undefined && { workers }),
    };
}

/** Says that there is no checkpoint although one was asked for. */
function reportMissing(exploration: RunningExploration, io: CommandIo): void {
    if (exploration.snapshot() === undefined) {
        io.stderr.write(
            'orbit: no checkpoint was written: there is a place to go on from once all initial states are stored\n',
        );
    }
}
