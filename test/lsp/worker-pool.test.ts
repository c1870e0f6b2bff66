/** The pool over threads that only exist on paper: the test plays the worker. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CancellationTokenSource } from 'vscode-languageserver';
import { OperationCancelled } from '../../engine/common/work-limit.js';
import { NOWHERE } from '../../engine/common/source-range.js';
import {
    ANALYSIS_LIMIT,
    GRACE_MILLISECONDS,
    StackExceeded,
    WorkerFailed,
    type AnalysisListener,
    type KeyedModel,
    WorkerPool,
    type WorkerThreadListener,
} from '../../language-server/analysis/worker-pool.js';
import type { ExploreJob } from '../../language-server/analysis/worker-pool.js';
import type { WorkerRequest } from '../../language-server/analysis/worker-protocol.js';
import { RING_REPORT } from './ring.js';

interface PaperThread {
    readonly listener: WorkerThreadListener;
    readonly requests: WorkerRequest[];
    isTerminated: boolean;
}

let threads: PaperThread[];
let pool: WorkerPool;

beforeEach(() => {
    vi.useFakeTimers();
    threads = [];
    pool = new WorkerPool(listener => {
        const thread: PaperThread = { listener, requests: [], isTerminated: false };
        threads.push(thread);
        return {
            post: request => thread.requests.push(request),
            terminate: () => {
                thread.isTerminated = true;
            },
        };
    });
});

afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
});

const NONE = new CancellationTokenSource().token;
const IGNORED: AnalysisListener = { started: () => undefined, found: () => undefined };

const EXPLORE: ExploreJob = {
    budgetMilliseconds: 1000,
    reduction: 'unique',
    limits: {},
    continueAfterViolation: false,
};

function model(key: string): KeyedModel {
    return {
        key,
        document: `file:///${key}`,
        model: {
            name: key,
            documentation: '',
            parameters: [],
            types: [],
            variables: [],
            channels: [],
            channelTypes: [],
            events: [],
            functions: [],
            initialBodies: [],
            constraints: [],
            initialConditions: [],
            processes: [],
            invariants: [],
            symmetryAssertions: [],
            properties: [],
            assumptions: [],
            runs: [],
            expectations: [],
            allowsDeadlock: false,
            assertionTexts: [],
            nameRange: NOWHERE,
        },
    };
}

function thread(index: number): PaperThread {
    const found = threads[index];
    if (found === undefined) {
        throw new Error(`there is no thread ${index}`);
    }
    return found;
}

/** The thread answers the analysis it was asked for last. */
function answerAnalysis({ listener, requests }: PaperThread): void {
    listener.reply({ kind: 'analyzed', job: requests.at(-1)?.job ?? 0, outcome: { problems: [] } });
}

test('an answer resolves the job it belongs to', async () => {
    const result = pool.analyze(model('a'), { budgetMilliseconds: 1000 }, IGNORED, NONE);
    answerAnalysis(thread(0));
    await expect(result).resolves.toEqual({ problems: [] });
});

test('what an analysis has found is told before its answer, and not once it is cancelled', async () => {
    const found = vi.fn();
    const source = new CancellationTokenSource();
    const result = pool.analyze(model('a'), { budgetMilliseconds: 1000 }, { ...IGNORED, found }, source.token);
    const { listener, requests } = thread(0);
    const reply = { kind: 'found', job: requests.at(-1)?.job ?? 0, report: RING_REPORT } as const;
    listener.reply(reply);
    expect(found).toHaveBeenCalledExactlyOnceWith(RING_REPORT);
    source.cancel();
    listener.reply(reply);
    expect(found).toHaveBeenCalledOnce();
    await expect(result).rejects.toBeInstanceOf(OperationCancelled);
});

test('two jobs at once run in two threads, and both threads are used again', async () => {
    const first = pool.analyze(model('a'), { budgetMilliseconds: 1000 }, IGNORED, NONE);
    const second = pool.analyze(model('b'), { budgetMilliseconds: 1000 }, IGNORED, NONE);
    expect(threads).toHaveLength(2);
    answerAnalysis(thread(1));
    answerAnalysis(thread(0));
    await Promise.all([first, second]);
    const third = pool.analyze(model('c'), { budgetMilliseconds: 1000 }, IGNORED, NONE);
    expect(threads).toHaveLength(2);
    answerAnalysis(thread(0));
    await third;
});

/** Lets the pool pass a turn on, which it does in promises. */
async function settle(): Promise<void> {
    await vi.advanceTimersByTimeAsync(0);
}

test('only so many analyses run at once; the next one starts when one of them ends', async () => {
    const keys = Array.from({ length: ANALYSIS_LIMIT + 2 }, (_, index) => `model ${index}`);
    const analyses = keys.map(key => pool.analyze(model(key), { budgetMilliseconds: 1000 }, IGNORED, NONE));
    expect(threads).toHaveLength(ANALYSIS_LIMIT);
    answerAnalysis(thread(0));
    await settle();
    expect(thread(0).requests.at(-1)).toHaveProperty('model.name', `model ${ANALYSIS_LIMIT}`);
    thread(1).listener.crashed('out of memory');
    await expect(analyses[1]).rejects.toThrow('out of memory');
    await settle();
    expect(threads.flatMap(({ requests }) => requests)).toHaveLength(keys.length);
});

test('an analysis that is cancelled while it waits never starts, and does not hold up others', async () => {
    for (let index = 0; index < ANALYSIS_LIMIT; index++) {
        void pool.analyze(model(`first ${index}`), { budgetMilliseconds: 1000 }, IGNORED, NONE).catch(() => undefined);
    }
    const source = new CancellationTokenSource();
    const cancelled = pool.analyze(model('cancelled'), { budgetMilliseconds: 1000 }, IGNORED, source.token);
    const last = pool.analyze(model('last'), { budgetMilliseconds: 1000 }, IGNORED, NONE);
    source.cancel();
    await expect(cancelled).rejects.toBeInstanceOf(OperationCancelled);
    answerAnalysis(thread(0));
    await settle();
    expect(thread(0).requests.at(-1)).toHaveProperty('model.name', 'last');
    answerAnalysis(thread(0));
    await last;
});

test('an exploration does not wait for analyses', () => {
    for (let index = 0; index <= ANALYSIS_LIMIT; index++) {
        void pool.analyze(model(`first ${index}`), { budgetMilliseconds: 1000 }, IGNORED, NONE).catch(() => undefined);
    }
    void pool.explore(model('explored'), EXPLORE, () => undefined, NONE).catch(() => undefined);
    expect(thread(ANALYSIS_LIMIT).requests.at(-1)).toMatchObject({ kind: 'explore' });
});

test('an exploration of a model that a thread has analyzed is sent there without the model', async () => {
    const analyses = [model('a'), model('b')].map(keyed =>
        pool.analyze(keyed, { budgetMilliseconds: 1000 }, IGNORED, NONE),
    );
    answerAnalysis(thread(0));
    answerAnalysis(thread(1));
    await Promise.all(analyses);
    void pool.explore(model('b'), EXPLORE, () => undefined, NONE).catch(() => undefined);
    expect(thread(1).requests.at(-1)).toMatchObject({ kind: 'explore' });
    expect(thread(1).requests.at(-1)).not.toHaveProperty('model');
});

test('an exploration of a model that no thread has analyzed is sent with the model', () => {
    void pool.explore(model('a'), EXPLORE, () => undefined, NONE).catch(() => undefined);
    expect(thread(0).requests.at(-1)).toHaveProperty('model.name', 'a');
});

test('a cancelled job is over at once, and its thread lives when it stops in time', async () => {
    const source = new CancellationTokenSource();
    const result = pool.analyze(model('a'), { budgetMilliseconds: 1000 }, IGNORED, source.token);
    source.cancel();
    await expect(result).rejects.toBeInstanceOf(OperationCancelled);
    const request = thread(0).requests[0];
    expect(request?.cancellation && new Int32Array(request.cancellation)[0]).toBe(1);
    thread(0).listener.reply({ kind: 'cancelled', job: request?.job ?? 0 });
    vi.advanceTimersByTime(10 * GRACE_MILLISECONDS);
    expect(thread(0).isTerminated).toBe(false);
});

test('a thread that does not stop is terminated, and the next job gets a new one', async () => {
    const source = new CancellationTokenSource();
    const result = pool.explore(model('a'), EXPLORE, () => undefined, source.token);
    source.cancel();
    await expect(result).rejects.toBeInstanceOf(OperationCancelled);
    vi.advanceTimersByTime(GRACE_MILLISECONDS);
    expect(thread(0).isTerminated).toBe(true);
    const next = pool.analyze(model('a'), { budgetMilliseconds: 1000 }, IGNORED, NONE);
    answerAnalysis(thread(1));
    await next;
});

test('a thread that shares no memory is terminated with its job, and the next job gets a new one', async () => {
    vi.stubGlobal('SharedArrayBuffer', undefined);
    const source = new CancellationTokenSource();
    const result = pool.explore(model('a'), EXPLORE, () => undefined, source.token);
    expect(thread(0).requests[0]).not.toHaveProperty('cancellation');
    source.cancel();
    await expect(result).rejects.toBeInstanceOf(OperationCancelled);
    expect(thread(0).isTerminated).toBe(true);
    const next = pool.analyze(model('a'), { budgetMilliseconds: 1000 }, IGNORED, NONE);
    answerAnalysis(thread(1));
    await next;
});

test('a cancelled job starts no thread when it was cancelled before', async () => {
    const source = new CancellationTokenSource();
    source.cancel();
    const result = pool.analyze(model('a'), { budgetMilliseconds: 1000 }, IGNORED, source.token);
    await expect(result).rejects.toBeInstanceOf(OperationCancelled);
    expect(threads).toHaveLength(0);
});

test('a thread that crashes fails its job and is not used again', async () => {
    const result = pool.analyze(model('a'), { budgetMilliseconds: 1000 }, IGNORED, NONE);
    thread(0).listener.crashed('out of memory');
    await expect(result).rejects.toThrow('out of memory');
    await expect(result).rejects.toBeInstanceOf(WorkerFailed);
    void pool.analyze(model('a'), { budgetMilliseconds: 1000 }, IGNORED, NONE).catch(() => undefined);
    expect(threads).toHaveLength(2);
});

test('a model that exceeds the stack of a thread is told from a defect', async () => {
    const result = pool.analyze(model('a'), { budgetMilliseconds: 1000 }, IGNORED, NONE);
    const job = thread(0).requests[0]?.job ?? 0;
    thread(0).listener.reply({ kind: 'failed', job, message: 'too much recursion', stack: '', isTooDeep: true });
    await expect(result).rejects.toBeInstanceOf(StackExceeded);
});

test.each([
    [1e6, false],
    [1e9, true],
])('a thread whose exploration took %d bytes is kept or not', async (memoryBytes, isTerminated) => {
    const source = new CancellationTokenSource();
    const result = pool.explore(model('a'), EXPLORE, () => undefined, source.token);
    const job = thread(0).requests[0]?.job ?? 0;
    const progress = { states: 7, transitions: 9, depth: 1, frontier: 6, memoryBytes, elapsedMilliseconds: 5 };
    thread(0).listener.reply({ kind: 'progress', job, progress });
    source.cancel();
    await expect(result).rejects.toBeInstanceOf(OperationCancelled);
    thread(0).listener.reply({ kind: 'cancelled', job });
    expect(thread(0).isTerminated).toBe(isTerminated);
    void pool.analyze(model('a'), { budgetMilliseconds: 1000 }, IGNORED, NONE).catch(() => undefined);
    expect(threads).toHaveLength(isTerminated ? 2 : 1);
});

test('progress reaches the caller until it cancels', async () => {
    const source = new CancellationTokenSource();
    const states: number[] = [];
    const result = pool.explore(model('a'), EXPLORE, progress => states.push(progress.states), source.token);
    const job = thread(0).requests[0]?.job ?? 0;
    const progress = { states: 7, transitions: 9, depth: 1, frontier: 6, memoryBytes: 0, elapsedMilliseconds: 5 };
    thread(0).listener.reply({ kind: 'progress', job, progress });
    source.cancel();
    thread(0).listener.reply({ kind: 'progress', job, progress: { ...progress, states: 8 } });
    await expect(result).rejects.toBeInstanceOf(OperationCancelled);
    expect(states).toEqual([7]);
});
