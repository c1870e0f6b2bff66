/**
 * The worker threads of the server. Each job gets a worker of its own, so an exploration never holds up an analysis; a
 * worker that has finished waits for the next job and keeps the analysis it made last, which an exploration of the same
 * model then need not repeat.
 *
 * A cancelled job is over for its caller at once. Its worker gets a moment to stop by itself and is then terminated:
 * no computation outlives its cancellation by more than that moment, whatever it is doing.
 */
import type { CancellationToken } from 'vscode-languageserver';
import { OperationCancelled } from '../../engine/common/work-limit.js';
import type { Model } from '../../engine/model/model.js';
import type { SymmetryReport } from '../../engine/describe/report.js';
import {
    REMEMBERED_DOCUMENTS,
    type AnalysisOutcome,
    type AnalyzeRequest,
    type ExplorationOutcome,
    type ExplorationProgress,
    type ExploreRequest,
    type WorkerReply,
    type WorkerRequest,
} from './worker-protocol.js';

/** A worker as the platform provides it (a thread of Node; later a web worker). */
export interface WorkerThread {
    post(request: WorkerRequest): void;
    terminate(): void;
}

/** What a worker thread tells its owner. */
export interface WorkerThreadListener {
    reply(reply: WorkerReply): void;
    /** The thread ended without being told to. */
    crashed(reason: string): void;
}

export type StartWorkerThread = (listener: WorkerThreadListener) => WorkerThread;

/** The worker could not answer: a defect of ours or a lack of memory, never a fault of the model. */
export class WorkerFailed extends Error {
    override readonly name = 'WorkerFailed';
}

/** A model and a text that is equal for equal models, source positions included. */
export interface KeyedModel {
    readonly key: string;
    /** The document that it was lowered from. */
    readonly document: string;
    readonly model: Model;
}

export interface WorkerPool {
    /** Rejects with OperationCancelled or WorkerFailed. */
    analyze(
        model: KeyedModel,
        options: AnalyzeOptions,
        listener: AnalysisListener,
        token: CancellationToken,
    ): Promise<AnalysisOutcome>;
    explore(
        model: KeyedModel,
        options: ExploreOptions,
        onProgress: (progress: ExplorationProgress) => void,
        token: CancellationToken,
    ): Promise<ExplorationOutcome>;
    /** Terminates all workers. Jobs that still run are cancelled. */
    dispose(): void;
}

/** What is told of an analysis before its answer. */
export interface AnalysisListener {
    /** A worker begins; until then the analysis has waited for others. */
    started(): void;
    /** What is not explained yet; at most once. */
    found(report: SymmetryReport): void;
}

export type AnalyzeOptions = Pick<AnalyzeRequest, 'budgetMilliseconds' | 'text'>;
export type ExploreOptions = Pick<
    ExploreRequest,
    'budgetMilliseconds' | 'reduction' | 'properties' | 'limits' | 'continueAfterViolation'
>;

/** How long a cancelled worker may take to stop by itself. */
export const GRACE_MILLISECONDS = 100;
/** Workers that are kept waiting for the next job. */
const IDLE_LIMIT = 2;
/**
 * A worker is not kept after an exploration that has taken so much memory: what threads have shared is given back when the
 * worker ends, and else nobody knows when.
 */
const LARGE_BYTES = 2 ** 26;
/** Analyses at once; more wait. An editor may open many documents together. Explorations are asked for one by one. */
export const ANALYSIS_LIMIT = 2;

/** A job without what the pool adds to it. */
type JobDescription = ({ readonly kind: 'analyze' } & AnalyzeOptions) | ({ readonly kind: 'explore' } & ExploreOptions);

type Interim = Extract<WorkerReply, { readonly kind: 'progress' | 'found' }>;
type FinalReply = Exclude<WorkerReply, Interim>;

interface RunningJob {
    readonly id: number;
    onInterim(interim: Interim): void;
    onReply(reply: FinalReply): void;
    onCrash(reason: string): void;
}

interface PooledWorker {
    readonly thread: WorkerThread;
    /** The key of the model whose analysis the worker holds. */
    heldKey: string | undefined;
    /** The documents that the worker remembers, the last one last. */
    documents: readonly string[];
    job: RunningJob | undefined;
    /** What its exploration took when it last said. */
    memoryBytes: number;
}

/** A pool without workers; they are started when the first jobs come. */
export function createWorkerPool(startThread: StartWorkerThread): WorkerPool {
    const workers = new Set<PooledWorker>();
    /** The analyses that wait, oldest first; calling one lets it start. */
    const waiting: (() => void)[] = [];
    let runningAnalyses = 0;
    let lastJob = 0;

    function startWorker(): PooledWorker {
        const thread = startThread({
            reply: reply => {
                const job = worker.job;
                if (job === undefined || job.id !== reply.job) {
                    return;
                }
                if (reply.kind === 'progress') {
                    worker.memoryBytes = reply.progress.memoryBytes;
                }
                if (reply.kind === 'progress' || reply.kind === 'found') {
                    job.onInterim(reply);
                    return;
                }
                if (reply.kind === 'explored') {
                    worker.memoryBytes = reply.outcome.document?.peakBytes ?? 0;
                }
                worker.job = undefined;
                job.onReply(reply);
                if (worker.memoryBytes >= LARGE_BYTES) {
                    discard(worker);
                } else {
                    discardSurplus();
                }
            },
            crashed: reason => {
                workers.delete(worker);
                worker.job?.onCrash(reason);
                worker.job = undefined;
            },
        });
        const worker: PooledWorker = { thread, heldKey: undefined, documents: [], job: undefined, memoryBytes: 0 };
        workers.add(worker);
        return worker;
    }

    /** An idle worker, best one that holds the analysis of this model or knows its document, else a new one. */
    function acquireWorker({ key, document }: KeyedModel): PooledWorker {
        const idle = [...workers].filter(worker => worker.job === undefined);
        return (
            idle.find(worker => worker.heldKey === key) ??
            idle.find(worker => worker.documents.includes(document)) ??
            idle[0] ??
            startWorker()
        );
    }

    function discardSurplus(): void {
        const idle = [...workers].filter(worker => worker.job === undefined);
        for (const worker of idle.slice(0, Math.max(0, idle.length - IDLE_LIMIT))) {
            discard(worker);
        }
    }

    function discard(worker: PooledWorker): void {
        workers.delete(worker);
        worker.job = undefined;
        worker.thread.terminate();
    }

    function run(
        keyed: KeyedModel,
        description: JobDescription,
        onInterim: (interim: Interim) => void,
        token: CancellationToken,
    ): Promise<FinalReply> {
        return new Promise<FinalReply>((resolve, reject) => {
            if (token.isCancellationRequested) {
                reject(new OperationCancelled());
                return;
            }
            const worker = acquireWorker(keyed);
            const cancellation = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
            const id = ++lastJob;
            let cancelled = false;
            let grace: ReturnType<typeof setTimeout> | undefined;
            const subscription = token.onCancellationRequested(() => {
                cancelled = true;
                Atomics.store(new Int32Array(cancellation), 0, 1);
                grace = setTimeout(() => {
                    discard(worker);
                }, GRACE_MILLISECONDS);
                reject(new OperationCancelled());
            });
            const settle = (): void => {
                clearTimeout(grace);
                subscription.dispose();
            };
            worker.job = {
                id,
                onInterim: interim => {
                    if (!cancelled) {
                        onInterim(interim);
                    }
                },
                onReply: reply => {
                    settle();
                    worker.heldKey = reply.kind === 'analyzed' || reply.kind === 'explored' ? keyed.key : undefined;
                    resolve(reply);
                },
                onCrash: reason => {
                    settle();
                    reject(new WorkerFailed(reason));
                },
            };
            const held = description.kind === 'explore' && worker.heldKey === keyed.key;
            // Until the reply is there it is not known what the worker holds.
            worker.heldKey = undefined;
            const { document, model } = keyed;
            worker.documents = [...worker.documents.filter(other => other !== document), document].slice(
                -REMEMBERED_DOCUMENTS,
            );
            worker.thread.post({ ...description, job: id, document, cancellation, ...(held ? {} : { model }) });
        });
    }

    /** Resolves when an analysis that was running is over; rejects when `token` is cancelled before. */
    function turn(token: CancellationToken): Promise<void> {
        return new Promise((resolve, reject) => {
            const start = (): void => {
                subscription.dispose();
                resolve();
            };
            const subscription = token.onCancellationRequested(() => {
                subscription.dispose();
                waiting.splice(waiting.indexOf(start), 1);
                reject(new OperationCancelled());
            });
            waiting.push(start);
        });
    }

    return {
        async analyze(keyed, options, listener, token) {
            if (runningAnalyses >= ANALYSIS_LIMIT) {
                await turn(token);
            } else {
                runningAnalyses++;
            }
            try {
                const told = (interim: Interim): void => {
                    if (interim.kind === 'found') {
                        listener.found(interim.report);
                    }
                };
                listener.started();
                const reply = await run(keyed, { kind: 'analyze', ...options }, told, token);
                return expectReply(reply, 'analyzed').outcome;
            } finally {
                const next = waiting.shift();
                if (next === undefined) {
                    runningAnalyses--;
                } else {
                    // It takes over our place.
                    next();
                }
            }
        },
        async explore(keyed, options, onProgress, token) {
            const told = (interim: Interim): void => {
                if (interim.kind === 'progress') {
                    onProgress(interim.progress);
                }
            };
            const reply = await run(keyed, { kind: 'explore', ...options }, told, token);
            return expectReply(reply, 'explored').outcome;
        },
        dispose() {
            for (const worker of [...workers]) {
                const job = worker.job;
                discard(worker);
                job?.onCrash('the server is shutting down');
            }
        },
    };
}

/** The reply of the kind that the job asked for; throws for the others. */
function expectReply<K extends 'analyzed' | 'explored'>(
    reply: FinalReply,
    kind: K,
): Extract<FinalReply, { readonly kind: K }> {
    if (reply.kind === kind) {
        return reply as Extract<FinalReply, { readonly kind: K }>;
    }
    if (reply.kind === 'cancelled') {
        throw new OperationCancelled();
    }
    throw new WorkerFailed(reply.kind === 'failed' ? `${reply.message}\n${reply.stack}` : `unexpected ${reply.kind}`);
}
