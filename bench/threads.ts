/**
 * Compares exploration by one thread with exploration by several, and ends searches at random moments.
 *
 *     npm run bench threads -- [models/dining-philosophers.orbit N=14 …] [--threads=2] [--rounds=5] [--memory=<megabytes>]
 *         [--reduction=unique]
 *     npm run bench threads -- models/dining-philosophers.orbit N=10 [--threads=2] --interrupt=100
 *
 * All states are stored, unless a reduction is named. One thread and several take turns, each in a process of its own, and
 * have to count the same. A line of JSON for each run: seconds on the clock, processor seconds of all threads, the greatest
 * memory of the search, and under Linux the processor seconds of the leading thread, which are the least that the clock
 * could show, and those of the rest of the machine: what is claimed of the clock needs a machine with nothing else to do.
 *
 * In their turn come as many searches by one thread at once as there are threads, which have nothing to do with each other
 * (`atOnce`): what they do in the time that one of them takes alone is what the machine could give to threads that need
 * nothing of each other, for processors share caches, memory, and what a host lends them.
 *
 * A last line has the ratios of the medians: one thread to several by the clock and by processor time, that capacity, and
 * which part of it the threads have used.
 *
 * `--interrupt` cancels a search, or ends one of its threads from outside, at random moments: the same numbers of both. It
 * says how long `advance` took to come back. Threads are used from levels of 1,000 states on, and each run waits for all of
 * them to end.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { createRandom } from '../engine/common/random.js';
import { createWorkLimit, OperationCancelled, UNLIMITED } from '../engine/common/work-limit.js';
import type { RunningExploration } from '../engine/explore/search.js';
import type { WorkerHost } from '../engine/explore/worker-host.js';
import { type Analysis, analyze, type Reduction, startExploration } from '../engine/pipeline.js';
import { linearize } from '../engine/sequential/linearize.js';
import { searchThreads } from '../language-server/analysis/search-threads.js';
import { loadModel } from '../language-server/load-model.js';

const SELF = fileURLToPath(import.meta.url);
/** Has what threads run, as it ships: bench/run.js puts it beside this bench. */
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const THREAD = join(FOLDER, 'search-thread.cjs');
const SLICE_MILLISECONDS = 40;
/** A tick of the clock that Linux counts processor time with, in seconds. */
const TICK = 0.01;

interface Run {
    readonly threads: number;
    readonly states: number;
    readonly transitions: number;
    readonly depth: number;
    readonly seconds: number;
    readonly processorSeconds: number;
    /** Of the leading thread alone, and of everything else on the machine. */
    readonly leadingSeconds?: number;
    readonly otherSeconds?: number;
    readonly bytes: number;
}

interface Options {
    readonly file: string;
    readonly parameters: readonly (readonly [string, string])[];
    readonly threads: number;
    readonly rounds: number;
    readonly memory: number | undefined;
    readonly reduction: Reduction;
    readonly interrupt: number;
    readonly isOnce: boolean;
}

await main(readOptions(process.argv.slice(2)));

function readOptions(words: readonly string[]): Options {
    const word = (name: string): string | undefined =>
        words.find(each => each.startsWith(`--${name}=`))?.slice(name.length + 3);
    const number = (name: string): number | undefined => {
        const value = word(name);
        return value === undefined ? undefined : Number(value);
    };
    const given = words.filter(word => !word.startsWith('--'));
    const [file = '', ...rest] = given.length > 0 ? given : ['models/dining-philosophers.orbit', 'N=13'];
    return {
        file,
        parameters: rest.map(word => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
        threads: number('threads') ?? 2,
        rounds: number('rounds') ?? 5,
        memory: number('memory'),
        reduction: (word('reduction') ?? 'none') as Reduction,
        interrupt: number('interrupt') ?? 0,
        isOnce: words.includes('--once'),
    };
}

async function main(options: Options): Promise<void> {
    if (options.isOnce) {
        console.log(JSON.stringify(await exploreOnce(options)));
    } else if (options.interrupt > 0) {
        await interruptOften(options);
    } else {
        await compare(options);
    }
}

/** The parts of an analysis that an exploration needs. */
type Searched = Pick<Analysis, 'model' | 'sequential' | 'symmetry'>;

async function searchedOf({ file, parameters, reduction }: Options): Promise<Searched> {
    const { model, problems } = await loadModel(readFileSync(file), 'file:///model.orbit', new Map(parameters));
    if (model === undefined) {
        throw new Error(problems.map(({ message }) => message).join('\n'));
    }
    return reduction === 'none'
        ? { model, ...linearize(model) }
        : analyze(model, { now: () => performance.now(), workLimit: UNLIMITED, explain: false });
}

function begin(searched: Searched, options: Options, workers: WorkerHost | undefined): RunningExploration {
    const { reduction } = options;
    const chosen = {
        reduction,
        passes: [],
        continueAfterViolation: true,
        ...(options.interrupt > 0 && { shards: { count: options.threads, fromStates: 1000 } }),
        ...(workers !== undefined && { workers }),
        ...(options.memory !== undefined && { maxMemoryBytes: options.memory * 2 ** 20 }),
    };
    const { exploration, interpretedBecause } = startExploration(searched, chosen, UNLIMITED);
    if (interpretedBecause !== undefined) {
        throw new Error(`it is interpreted: ${interpretedBecause}`);
    }
    return exploration;
}

async function exploreOnce(options: Options): Promise<Run> {
    const searched = await searchedOf(options);
    const before = {
        clock: performance.now(),
        own: process.cpuUsage(),
        leading: threadSeconds(),
        machine: machineSeconds(),
    };
    const exploration = begin(searched, options, searchThreads(FOLDER, options.threads));
    const slice = (): ReturnType<typeof createWorkLimit> =>
        createWorkLimit({ now: () => performance.now(), budgetMilliseconds: SLICE_MILLISECONDS });
    while (!exploration.advance(slice())) {
        await turn();
    }
    const seconds = (performance.now() - before.clock) / 1000;
    const { user, system } = process.cpuUsage(before.own);
    const machine = machineSeconds();
    const leading = threadSeconds();
    const { report } = exploration.result();
    if (report === undefined) {
        throw new Error('the model begins nowhere');
    }
    const processorSeconds = (user + system) / 1e6;
    return {
        threads: exploration.threadCount,
        states: report.states,
        transitions: report.transitions,
        depth: report.depth,
        seconds,
        processorSeconds,
        ...(leading !== undefined && before.leading !== undefined && { leadingSeconds: leading - before.leading }),
        ...(machine !== undefined &&
            before.machine !== undefined && {
                otherSeconds: Math.max(0, machine - before.machine - processorSeconds),
            }),
        bytes: report.peakBytes,
    };
}

function turn(): Promise<void> {
    return new Promise(resolve => setImmediate(resolve));
}

/** Processor seconds of this thread. */
function threadSeconds(): number | undefined {
    const file = '/proc/thread-self/schedstat';
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ', 1)[0]) / 1e9 : undefined;
}

/** Processor seconds that the machine has spent on anything. */
function machineSeconds(): number | undefined {
    if (!existsSync('/proc/stat')) {
        return undefined;
    }
    const ticks = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/).slice(1).map(Number) ?? [];
    const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
    return (ticks.reduce((total, each) => total + each, 0) - idle) * TICK;
}

async function compare({ file, parameters, threads, rounds, memory, reduction }: Options): Promise<void> {
    const wordsFor = (count: number): string[] => [
        SELF,
        file,
        ...parameters.map(pair => pair.join('=')),
        `--threads=${String(count)}`,
        ...(memory === undefined ? [] : [`--memory=${String(memory)}`]),
        `--reduction=${reduction}`,
        '--once',
    ];
    const run = (count: number): Run => {
        const output = execFileSync(process.execPath, wordsFor(count), { encoding: 'utf8' });
        process.stdout.write(output);
        return JSON.parse(output) as Run;
    };
    /** As many searches by one thread as there are threads, at once. */
    const runAtOnce = async (): Promise<Run[]> => {
        const searches = Array.from({ length: threads }, () => promisify(execFile)(process.execPath, wordsFor(1)));
        const runs = (await Promise.all(searches)).map(({ stdout }) => JSON.parse(stdout) as Run);
        for (const each of runs) {
            console.log(JSON.stringify({ atOnce: threads, ...each }));
        }
        return runs;
    };
    const single: Run[] = [];
    const several: Run[] = [];
    const atOnce: Run[] = [];
    for (let round = 0; round < rounds; round++) {
        single.push(run(1));
        several.push(run(threads));
        atOnce.push(...(await runAtOnce()));
    }
    const counts = ({ states, transitions, depth }: Run): string => JSON.stringify([states, transitions, depth]);
    if (memory === undefined && new Set([...single, ...several, ...atOnce].map(counts)).size > 1) {
        throw new Error('one thread and several count differently');
    }
    const median = (values: readonly number[]): number =>
        [...values].sort((first, second) => first - second)[Math.floor(values.length / 2)] ?? NaN;
    const ratio = (of: (run: Run) => number, to: readonly Run[]): number => median(single.map(of)) / median(to.map(of));
    const seconds = (each: Run): number => each.seconds;
    const speedUp = ratio(seconds, several);
    const processor = ratio(each => each.processorSeconds, several);
    const capacity = threads * ratio(seconds, atOnce);
    const rounded = (value: number): number => Math.round(value * 100) / 100;
    console.log(
        JSON.stringify({
            speedUp: rounded(speedUp),
            processor: rounded(processor),
            capacity: rounded(capacity),
            ofCapacity: rounded(speedUp / capacity),
        }),
    );
}

/** The host of the packages, with a record of its threads. */
function recorded(threadCount: number): {
    readonly host: WorkerHost;
    readonly threads: Worker[];
    readonly ends: Promise<unknown>[];
} {
    const threads: Worker[] = [];
    const ends: Promise<unknown>[] = [];
    return {
        threads,
        ends,
        host: {
            threadCount,
            start(data, ended) {
                const thread = new Worker(THREAD, { workerData: data });
                threads.push(thread);
                ends.push(new Promise(resolve => thread.once('exit', resolve)));
                thread.once('exit', code => {
                    ended(String(code));
                });
                thread.unref();
                return { terminate: () => void thread.terminate() };
            },
        },
    };
}

async function interruptOften(options: Options): Promise<void> {
    const searched = await searchedOf(options);
    const whole = await exploreOnce({ ...options, interrupt: 0, threads: 1 });
    const random = createRandom(1);
    let slowest = 0;
    let shared = 0;
    let killed = 0;
    for (let run = 0; run < 2 * options.interrupt; run++) {
        const isKilled = run % 2 === 1;
        // At a random moment of the whole, or from when all threads have begun.
        const delay = random.below(Math.ceil(whole.seconds * 1000));
        let moment = run % 4 < 2 ? performance.now() + delay : Infinity;
        const { host, threads, ends } = recorded(options.threads);
        const exploration = begin(searched, options, host);
        const isOver = (): boolean => performance.now() >= moment;
        try {
            let isDone = false;
            while (!isDone && !(isKilled && isOver())) {
                isDone = exploration.advance(
                    createWorkLimit({
                        now: () => performance.now(),
                        budgetMilliseconds: SLICE_MILLISECONDS,
                        isCancelled: () => !isKilled && isOver(),
                    }),
                );
                if (moment === Infinity && exploration.threadCount > 1) {
                    moment = performance.now() + delay / 2;
                }
                await turn();
            }
        } catch (error) {
            if (!(error instanceof OperationCancelled)) {
                throw error;
            }
            slowest = Math.max(slowest, performance.now() - moment);
        }
        shared += exploration.threadCount > 1 ? 1 : 0;
        if (isKilled) {
            await threads[0]?.terminate();
            while (!exploration.advance(createWorkLimit({ now: () => performance.now(), budgetMilliseconds: 1 }))) {
                await turn();
            }
            const { report } = exploration.result();
            const isWhole = report?.states === whole.states && report.transitions === whole.transitions;
            if (!isWhole && report?.limit?.kind !== 'thread') {
                throw new Error(`a search without a thread ends with ${JSON.stringify(report?.limit)}`);
            }
            killed += isWhole ? 0 : 1;
        }
        exploration.close();
        await Promise.all(ends);
    }
    const slowestMilliseconds = Math.round(slowest);
    console.log(JSON.stringify({ runs: 2 * options.interrupt, shared, killed, slowestMilliseconds }));
}
