/**
 * The worker threads of the server. Each job has a worker of its own. A finished worker waits for the next job and keeps its
 * last analysis, which an exploration of the same model uses.
 *
 * A cancelled job ends for its caller at once. Its worker is terminated if it does not stop soon by itself, or at once
 * where it shares no memory by which it could be asked to stop: in a page that is not isolated.
 */
import type { CancellationToken } from 'vscode-languageserver';
import { OperationCancelled } from '../../engine/common/work-limit.js';
import type { Model } from '../../engine/model/model.js';
import type { SymmetryReport } from '../../engine/describe/report.js';
import type { StepsResult, UnfoldResult } from '../protocol.js';
import {
    REMEMBERED_DOCUMENTS,
    type AnalysisOutcome,
    type AnalyzeRequest,
    type EverySizeOutcome,
    type EverySizeRequest,
    type JobOutcome,
    type JobProgress,
    type ExploreRequest,
    type GraphOutcome,
    type GraphRequest,
    type MatchOutcome,
    type MatchRequest,
    type MutateOutcome,
    type MutateRequest,
    type StepsRequest,
    type UnfoldRequest,
    type WorkerReply,
    type WorkerRequest,
} from './worker-protocol.js';

/** A worker as the platform provides it: a thread of Node, or a web worker. */
interface WorkerThread {
    post(request: WorkerRequest): void;
    terminate(): void;
}

/** The events of a worker thread. */
export interface WorkerThreadListener {
    reply(reply: WorkerReply): void;
    /** The thread ended without being told to. */
    crashed(reason: string): void;
}

export type StartWorkerThread = (listener: WorkerThreadListener) => WorkerThread;

/** The worker could not answer: a defect of ours or a lack of memory, never a fault of the model. */
export class WorkerFailed extends Error {
    override readonly name: string = 'WorkerFailed';
}

/** The stack of a web worker is smaller than that of a thread of Node. */
export class StackExceeded extends WorkerFailed {
    override readonly name = 'StackExceeded';

    constructor() {
        super('functions call functions too deeply for a browser; Orbit outside of a browser can go deeper');
    }
}

/** A model, with a key that equal models have in common. */
export interface KeyedModel {
    readonly key: string;
    /** The document that it was lowered from. */
    readonly document: string;
    readonly model: Model;
}

/** The events of an analysis before its answer. */
export interface AnalysisListener {
    /** A worker begins; the analysis waited for others before. */
    started(): void;
    /** The report without explanations; at most once. */
    found(report: SymmetryReport): void;
}

export type AnalyzeOptions = Pick<AnalyzeRequest, 'budgetMilliseconds' | 'text'>;
export type ExploreJob = Pick<
    ExploreRequest,
    'budgetMilliseconds' | 'text' | 'reduction' | 'properties' | 'limits' | 'continueAfterViolation' | 'partialOrder'
>;

export type GraphOptions = Pick<GraphRequest, 'budgetMilliseconds' | 'text' | 'reduction' | 'around'>;
export type UnfoldOptions = Pick<UnfoldRequest, 'budgetMilliseconds' | 'text' | 'reduction' | 'path'>;

export type StepsOptions = Pick<StepsRequest, 'state' | 'towards' | 'along' | 'created'>;

export type EverySizeJob = Pick<EverySizeRequest, 'text' | 'ask' | 'family' | 'property' | 'limits'>;

export type MatchJob = Pick<MatchRequest, 'text' | 'log' | 'mapping' | 'maxCandidates' | 'milliseconds'>;

export type MutateJob = Pick<MutateRequest, 'text' | 'milliseconds'>;

/** How long a cancelled worker may take to stop by itself. */
export const GRACE_MILLISECONDS = 100;
/** Workers that are kept waiting for the next job. */
const IDLE_LIMIT = 2;
/** A worker that explored with so much memory ends, since only its end is sure to release shared memory. */
const LARGE_BYTES = 2 ** 26;
/** Analyses at once; more wait, since an editor may open many documents together. */
export const ANALYSIS_LIMIT = 2;

/** A job without what the pool adds to it. */
type JobDescription =
    | ({ readonly kind: 'analyze' } & AnalyzeOptions)
    | ({ readonly kind: 'explore' } & ExploreJob)
    | ({ readonly kind: 'graph' } & GraphOptions)
    | ({ readonly kind: 'unfold' } & UnfoldOptions)
    | ({ readonly kind: 'steps' } & StepsOptions)
    | ({ readonly kind: 'everySize' } & EverySizeJob)
    | ({ readonly kind: 'match' } & MatchJob)
    | ({ readonly kind: 'mutate' } & MutateJob);

type Interim = Extract<WorkerReply, { readonly kind: 'progress' | 'found' | 'counted' }>;
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
    /** Of its exploration, as last reported. */
    memoryBytes: number;
}

/** Starts with no worker; workers are started when jobs come. */
export class WorkerPool {
    readonly #startThread: StartWorkerThread;
    readonly #workers = new Set<PooledWorker>();
    /** The analyses that wait, oldest first; a call lets one start. */
    readonly #waiting: (() => void)[] = [];
    #runningAnalyses = 0;
    #lastJob = 0;

    constructor(startThread: StartWorkerThread) {
        this.#startThread = startThread;
    }

    /** Rejects with OperationCancelled or WorkerFailed. */
    async analyze(
        keyed: KeyedModel,
        options: AnalyzeOptions,
        listener: AnalysisListener,
        token: CancellationToken,
    ): Promise<AnalysisOutcome> {
        if (this.#runningAnalyses >= ANALYSIS_LIMIT) {
            await this.#turn(token);
        } else {
            this.#runningAnalyses++;
        }
        try {
            const receive = (interim: Interim): void => {
                if (interim.kind === 'found') {
                    listener.found(interim.report);
                }
            };
            listener.started();
            const reply = await this.#run(keyed, { kind: 'analyze', ...options }, receive, token);
            return expectReply(reply, 'analyzed').outcome;
        } finally {
            const next = this.#waiting.shift();
            if (next === undefined) {
                this.#runningAnalyses--;
            } else {
                // The next one takes the place of this one.
                next();
            }
        }
    }

    /** Rejects with OperationCancelled or WorkerFailed. */
    async explore(
        keyed: KeyedModel,
        options: ExploreJob,
        onProgress: (progress: JobProgress) => void,
        token: CancellationToken,
    ): Promise<JobOutcome> {
        const receive = (interim: Interim): void => {
            if (interim.kind === 'progress') {
                onProgress(interim.progress);
            }
        };
        const reply = await this.#run(keyed, { kind: 'explore', ...options }, receive, token);
        return expectReply(reply, 'explored').outcome;
    }

    /** Rejects with OperationCancelled or WorkerFailed. */
    async graph(keyed: KeyedModel, options: GraphOptions, token: CancellationToken): Promise<GraphOutcome> {
        const reply = await this.#run(keyed, { kind: 'graph', ...options }, () => undefined, token);
        return expectReply(reply, 'graphed').outcome;
    }

    /** Rejects with OperationCancelled or WorkerFailed. */
    async unfold(keyed: KeyedModel, options: UnfoldOptions, token: CancellationToken): Promise<UnfoldResult> {
        const reply = await this.#run(keyed, { kind: 'unfold', ...options }, () => undefined, token);
        return expectReply(reply, 'unfolded').outcome;
    }

    /** Rejects with OperationCancelled or WorkerFailed. */
    async steps(keyed: KeyedModel, options: StepsOptions, token: CancellationToken): Promise<StepsResult> {
        const reply = await this.#run(keyed, { kind: 'steps', ...options }, () => undefined, token);
        return expectReply(reply, 'stepped').outcome;
    }

    /** Rejects with OperationCancelled or WorkerFailed. */
    async everySize(keyed: KeyedModel, options: EverySizeJob, token: CancellationToken): Promise<EverySizeOutcome> {
        const reply = await this.#run(keyed, { kind: 'everySize', ...options }, () => undefined, token);
        return expectReply(reply, 'everySize').outcome;
    }

    /** Rejects with OperationCancelled or WorkerFailed. `onCount` gets the number of lines now and then. */
    async match(
        keyed: KeyedModel,
        options: MatchJob,
        onCount: OnCount,
        token: CancellationToken,
    ): Promise<MatchOutcome> {
        const reply = await this.#run(keyed, { kind: 'match', ...options }, counted(onCount), token);
        return expectReply(reply, 'matched').outcome;
    }

    /** Rejects with OperationCancelled or WorkerFailed. `onCount` gets the number of mutants now and then. */
    async mutate(
        keyed: KeyedModel,
        options: MutateJob,
        onCount: OnCount,
        token: CancellationToken,
    ): Promise<MutateOutcome> {
        const reply = await this.#run(keyed, { kind: 'mutate', ...options }, counted(onCount), token);
        return expectReply(reply, 'mutated').outcome;
    }

    /** Terminates all workers and cancels their jobs. */
    dispose(): void {
        for (const worker of [...this.#workers]) {
            const job = worker.job;
            this.#discard(worker);
            job?.onCrash('the server is shutting down');
        }
    }

    #run(
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
            const worker = this.#acquireWorker(keyed);
            const cancellation =
                typeof SharedArrayBuffer === 'function'
                    ? new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
                    : undefined;
            const id = ++this.#lastJob;
            let cancelled = false;
            let grace: ReturnType<typeof setTimeout> | undefined;
            const subscription = token.onCancellationRequested(() => {
                cancelled = true;
                if (cancellation === undefined) {
                    this.#discard(worker);
                } else {
                    Atomics.store(new Int32Array(cancellation), 0, 1);
                    grace = setTimeout(() => {
                        this.#discard(worker);
                    }, GRACE_MILLISECONDS);
                }
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
                    worker.heldKey = reply.kind === 'cancelled' || reply.kind === 'failed' ? undefined : keyed.key;
                    resolve(reply);
                },
                onCrash: reason => {
                    settle();
                    reject(new WorkerFailed(reason));
                },
            };
            const held = description.kind !== 'analyze' && worker.heldKey === keyed.key;
            // Before the reply it is not known what the worker holds.
            worker.heldKey = undefined;
            const { document, model } = keyed;
            worker.documents = [...worker.documents.filter(other => other !== document), document].slice(
                -REMEMBERED_DOCUMENTS,
            );
            worker.thread.post({
                ...description,
                job: id,
                document,
                ...(cancellation !== undefined && { cancellation }),
                ...(held ? {} : { model }),
            });
        });
    }

    /** An idle worker, best one that holds the analysis of this model or knows its document, else a new one. */
    #acquireWorker({ key, document }: KeyedModel): PooledWorker {
        const idle = this.#idleWorkers();
        return (
            idle.find(worker => worker.heldKey === key) ??
            idle.find(worker => worker.documents.includes(document)) ??
            idle[0] ??
            this.#startWorker()
        );
    }

    #startWorker(): PooledWorker {
        const thread = this.#startThread({
            reply: reply => {
                this.#receive(worker, reply);
            },
            crashed: reason => {
                this.#workers.delete(worker);
                worker.job?.onCrash(reason);
                worker.job = undefined;
            },
        });
        const worker: PooledWorker = { thread, heldKey: undefined, documents: [], job: undefined, memoryBytes: 0 };
        this.#workers.add(worker);
        return worker;
    }

    #receive(worker: PooledWorker, reply: WorkerReply): void {
        const { job } = worker;
        if (job === undefined || job.id !== reply.job) {
            return;
        }
        if (reply.kind === 'progress') {
            worker.memoryBytes = reply.progress.memoryBytes;
        }
        if (reply.kind === 'progress' || reply.kind === 'found' || reply.kind === 'counted') {
            job.onInterim(reply);
            return;
        }
        if (reply.kind === 'explored') {
            worker.memoryBytes = reply.outcome.document?.peakBytes ?? 0;
        }
        worker.job = undefined;
        job.onReply(reply);
        if (worker.memoryBytes >= LARGE_BYTES) {
            this.#discard(worker);
        } else {
            const idle = this.#idleWorkers();
            idle.slice(0, Math.max(0, idle.length - IDLE_LIMIT)).forEach(surplus => {
                this.#discard(surplus);
            });
        }
    }

    #idleWorkers(): readonly PooledWorker[] {
        return [...this.#workers].filter(worker => worker.job === undefined);
    }

    #discard(worker: PooledWorker): void {
        this.#workers.delete(worker);
        worker.job = undefined;
        worker.thread.terminate();
    }

    /** Resolves when a running analysis ends; rejects if `token` is cancelled before. */
    #turn(token: CancellationToken): Promise<void> {
        return new Promise((resolve, reject) => {
            const start = (): void => {
                subscription.dispose();
                resolve();
            };
            const subscription = token.onCancellationRequested(() => {
                subscription.dispose();
                this.#waiting.splice(this.#waiting.indexOf(start), 1);
                reject(new OperationCancelled());
            });
            this.#waiting.push(start);
        });
    }
}

/** How much is done, and of how much if that is known. */
export type OnCount = (count: number, all?: number) => void;

function counted(onCount: OnCount): (interim: Interim) => void {
    return interim => {
        if (interim.kind === 'counted') {
            onCount(interim.count, interim.all);
        }
    };
}

type AnswerKind = Exclude<FinalReply['kind'], 'cancelled' | 'failed'>;

/** The reply, if it has the kind that the job asked for; throws for other kinds. */
function expectReply<K extends AnswerKind>(reply: FinalReply, kind: K): Extract<FinalReply, { readonly kind: K }> {
    if (reply.kind === kind) {
        return reply as Extract<FinalReply, { readonly kind: K }>;
    }
    if (reply.kind === 'cancelled') {
        throw new OperationCancelled();
    }
    if (reply.kind === 'failed' && reply.isTooDeep === true) {
        throw new StackExceeded();
    }
    throw new WorkerFailed(reply.kind === 'failed' ? `${reply.message}\n${reply.stack}` : `unexpected ${reply.kind}`);
}
