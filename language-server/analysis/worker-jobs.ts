/**
 * The work of a worker: runs the engine on a model and answers. Knows no platform: the entry of each (analysis-worker.ts
 * for Node) connects it to its port and its clock.
 *
 * Jobs run to their end without returning to the event loop, so a cancellation comes through shared memory: the engine's
 * work limit looks at it.
 */
import { AnalysisMemory } from '../../engine/analysis-memory.js';
import { createTextOf } from '../../engine/common/source-text.js';
import { OperationCancelled, createWorkLimit, type WorkLimit } from '../../engine/common/work-limit.js';
import { findDeadSteps } from '../../engine/constraints/dead-steps.js';
import type { WorkerHost } from '../../engine/explore/worker-host.js';
import { type Analysis, analyze, startExploration } from '../../engine/pipeline.js';
import type { Model } from '../../engine/model/model.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type { ModelGroup } from '../../engine/symmetry/model-symmetry.js';
import type { SymmetryReport } from '../../engine/describe/report.js';
import { structureOf } from '../../engine/describe/factors.js';
import { toExploreDocument } from '../documents.js';
import {
    REMEMBERED_DOCUMENTS,
    type AnalyzeRequest,
    type ExploreRequest,
    type WorkerReply,
    type WorkerRequest,
} from './worker-protocol.js';

export interface WorkerPort {
    /** Milliseconds on a monotonic clock. */
    readonly now: () => number;
    readonly post: (reply: WorkerReply) => void;
    /** At most so many threads for a search, the calling one included; none for one. */
    readonly searchThreads: (most: number) => WorkerHost | undefined;
}

/** Progress is reported this often. */
const PROGRESS_MILLISECONDS = 200;
/** An exploration returns from `advance` this often. */
const SLICE_MILLISECONDS = 50;

/** What the search for steps that are in vain may take. */
const FINDINGS_MILLISECONDS = 2000;

/**
 * A function that runs one request and posts its replies. It keeps the model and the analysis made last, and of the last
 * few documents what saves work when they are analyzed again.
 */
export function createJobRunner(port: WorkerPort): (request: WorkerRequest) => void {
    let held: { readonly model: Model; readonly analysis?: Analysis } | undefined;
    /** The document that was used last comes last. */
    const memories = new Map<string, AnalysisMemory>();

    function memoryOf(document: string): AnalysisMemory {
        const memory = memories.get(document) ?? new AnalysisMemory();
        memories.delete(document);
        memories.set(document, memory);
        for (const oldest of [...memories.keys()].slice(0, -REMEMBERED_DOCUMENTS)) {
            memories.delete(oldest);
        }
        return memory;
    }

    function isCancelledBy(request: WorkerRequest): () => boolean {
        const flag = new Int32Array(request.cancellation);
        return () => Atomics.load(flag, 0) !== 0;
    }

    function analysisFor(request: WorkerRequest, explain: boolean): Analysis {
        const { model, analysis } = modelFor(request);
        if (analysis !== undefined) {
            return analysis;
        }
        const { budgetMilliseconds } = request;
        const isCancelled = isCancelledBy(request);
        const workLimit = createWorkLimit({ now: port.now, budgetMilliseconds, isCancelled });
        const text = request.kind === 'analyze' ? request.text : undefined;
        const textOf = createTextOf(uri => (uri === text?.uri ? text.content : undefined));
        const memory = memoryOf(request.document);
        const onFound = (report: SymmetryReport): void => {
            if (explain) {
                port.post({ kind: 'found', job: request.job, report });
            }
        };
        const made = analyze(model, { now: port.now, workLimit, explain, memory, textOf, onFound });
        held = { model, analysis: made };
        return made;
    }

    /** The model of a request, with its analysis where there is one already. */
    function modelFor(request: WorkerRequest): { readonly model: Model; readonly analysis?: Analysis } {
        if (request.model !== undefined) {
            held = { model: request.model };
        }
        if (held === undefined) {
            throw new Error('a request without a model came before one with a model');
        }
        return held;
    }

    /** What an exploration begins with: without reduction nobody looks for symmetries. */
    function explorableFor(request: ExploreRequest): Analysis {
        const { model, analysis } = modelFor(request);
        if (analysis !== undefined || request.reduction !== 'none') {
            return analysisFor(request, false);
        }
        return { model, ...linearize(model) };
    }

    function runAnalyze(request: AnalyzeRequest): void {
        const { model, problems, sequential, symmetry } = analysisFor(request, true);
        const limit = createWorkLimit({
            now: port.now,
            budgetMilliseconds: FINDINGS_MILLISECONDS,
            isCancelled: isCancelledBy(request),
        });
        const advice = sequential === undefined ? [] : findDeadSteps(model, sequential, limit, symmetry?.values);
        const outcome = { problems, advice, ...(symmetry !== undefined && { report: symmetry.report }) };
        port.post({ kind: 'analyzed', job: request.job, outcome });
    }

    function runExplore(request: ExploreRequest): void {
        const { job, reduction, properties, limits, continueAfterViolation } = request;
        const isCancelled = isCancelledBy(request);
        const analysis = explorableFor(request);
        if (analysis.sequential === undefined) {
            port.post({ kind: 'explored', job, outcome: { problems: analysis.problems } });
            return;
        }
        const { budgetMilliseconds } = request;
        const workers = port.searchThreads(limits.threads ?? 1);
        const started = startExploration(
            analysis,
            {
                reduction,
                now: port.now,
                continueAfterViolation,
                ...(properties !== undefined && { properties }),
                ...(limits.states !== undefined && { maxStates: limits.states }),
                ...(limits.memoryBytes !== undefined && { maxMemoryBytes: limits.memoryBytes }),
                ...(workers !== undefined && { workers }),
            },
            createWorkLimit({ now: port.now, budgetMilliseconds, isCancelled }),
        );
        const { exploration } = started;
        const start = port.now();
        const postProgress = (): void => {
            const elapsedMilliseconds = port.now() - start;
            const statesPerOrbit = exploration.statesPerOrbit();
            const progress = {
                ...exploration.progress(),
                elapsedMilliseconds,
                ...(statesPerOrbit !== undefined && { statesPerOrbit }),
            };
            port.post({ kind: 'progress', job, progress });
        };
        postProgress();
        let lastProgress = start;
        try {
            while (!exploration.advance(slice(isCancelled))) {
                const now = port.now();
                if (now - lastProgress >= PROGRESS_MILLISECONDS) {
                    lastProgress = now;
                    postProgress();
                }
                if (limits.milliseconds !== undefined && now - start >= limits.milliseconds) {
                    exploration.stop({ kind: 'time', value: limits.milliseconds });
                }
            }
        } finally {
            exploration.close();
        }
        const { report, problems } = exploration.result();
        if (report === undefined) {
            port.post({ kind: 'explored', job, outcome: { problems } });
            return;
        }
        const run = {
            model: analysis.model,
            report,
            passes: started.passes,
            threadCount: exploration.threadCount,
            ...(started.group !== undefined && { group: toNamedGroup(started.group) }),
            seconds: (port.now() - start) / 1000,
            interpretedBecause: started.interpretedBecause,
            unreached: started.unreached(),
        };
        port.post({ kind: 'explored', job, outcome: { problems, document: toExploreDocument(run, uri => uri) } });
    }

    function slice(isCancelled: () => boolean): WorkLimit {
        return createWorkLimit({ now: port.now, budgetMilliseconds: SLICE_MILLISECONDS, isCancelled });
    }

    return request => {
        try {
            if (request.kind === 'analyze') {
                runAnalyze(request);
            } else {
                runExplore(request);
            }
        } catch (error) {
            held = undefined;
            if (error instanceof OperationCancelled) {
                port.post({ kind: 'cancelled', job: request.job });
            } else {
                const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
                port.post({ kind: 'failed', job: request.job, message, stack });
            }
        }
    };
}

function toNamedGroup(group: ModelGroup): { readonly structure: string; readonly order: bigint } {
    return { structure: structureOf(group), order: group.order };
}
