/**
 * The work of a worker: runs the engine on a model and answers. The entry of each platform (analysis-worker.ts for Node)
 * connects it to its port and its clock.
 *
 * Jobs run to their end without returning to the event loop, so a cancellation comes through shared memory, which the work
 * limit of the engine reads.
 */
import { AnalysisMemory } from '../../engine/analysis-memory.js';
import { createTextOf, type TextOfRange } from '../../engine/common/source-text.js';
import { OperationCancelled, createWorkLimit, type WorkLimit } from '../../engine/common/work-limit.js';
import { askedAlong } from '../../engine/verdict/asked-values.js';
import { walkGrowing, withRoomFor } from '../../engine/verdict/enough-slots.js';
import { findDeadSteps, valuesOf } from '../../engine/constraints/dead-steps.js';
import { findPossibleFaults } from '../../engine/verdict/possible-faults.js';
import type { RunningExploration } from '../../engine/explore/search.js';
import { possibleSteps, shortestWay, standingIn } from '../../engine/explore/possible-steps.js';
import { whoWaits } from '../../engine/reasons/deadlock.js';
import { retrace } from '../../engine/explore/retrace.js';
import type { WorkerHost } from '../../engine/explore/worker-host.js';
import { type Analysis, analyze, startExploration } from '../../engine/pipeline.js';
import type { Model } from '../../engine/model/model.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { checkEverySize, undecidedBy } from '../../family/every-size.js';
import { narrowOf } from '../../family/narrow.js';
import { revived } from '../../language/posting/posted-family.js';
import {
    titleOf,
    located,
    toDocumentEntry,
    toDocumentFinding,
    toEverySizeDocument,
    toExploreDocument,
    toPossibleSteps,
} from '../documents.js';
import { toGraphDocument, unfoldOrbit, type GraphSource } from '../graph-document.js';
import type { Retraced, RetracedEntry, StepsResult, UnfoldResult } from '../protocol.js';
import { matchLog } from './match-job.js';
import { judgeMutants } from './mutate-job.js';
import {
    REMEMBERED_DOCUMENTS,
    type AnalyzeRequest,
    type EverySizeOutcome,
    type EverySizeRequest,
    type ExploreRequest,
    type GraphRequest,
    type MatchRequest,
    type MutateRequest,
    type StepsRequest,
    type UnfoldRequest,
    type WorkerReply,
    type WorkerRequest,
} from './worker-protocol.js';

export interface WorkerPort {
    /** Milliseconds on a monotonic clock. */
    readonly now: () => number;
    readonly post: (reply: WorkerReply) => void;
    /** At most `most` threads for a search, the calling one included; undefined for one. */
    readonly searchThreads: (most: number) => WorkerHost | undefined;
}

/** Progress is reported this often. */
const PROGRESS_MILLISECONDS = 200;
/** An exploration returns from `advance` this often. */
const SLICE_MILLISECONDS = 50;

/** The time for a part of the state graph, which then ends earlier. */
const GRAPH_MILLISECONDS = 5000;
/** The time for a way to a step. */
const STEPS_MILLISECONDS = 10_000;
const NO_STATES: UnfoldResult = { states: [], isAll: true };

/** The time for the search for dead steps. */
const FINDINGS_MILLISECONDS = 2000;
/** The most time for the search for steps that may be faults. */
const POSSIBLE_FAULTS_MILLISECONDS = 500;

/** Runs requests and posts the replies. Keeps the last analysis, and the memories of the last few documents. */
export class JobRunner {
    readonly #port: WorkerPort;
    #held: { readonly model: Model; readonly analysis?: Analysis } | undefined;
    /** By document, the one used last at the end. */
    readonly #memories = new Map<string, AnalysisMemory>();

    constructor(port: WorkerPort) {
        this.#port = port;
    }

    run(request: WorkerRequest): void {
        if (request.model !== undefined) {
            // Whatever is asked: the next request without a model is about this one.
            this.#held = { model: request.model };
        }
        try {
            switch (request.kind) {
                case 'analyze':
                    return this.#analyze(request);
                case 'explore':
                    return this.#explore(request);
                case 'graph':
                    return this.#graph(request);
                case 'unfold':
                    return this.#unfold(request);
                case 'steps':
                    return this.#steps(request);
                case 'everySize':
                    return this.#everySize(request);
                case 'match':
                    return this.#match(request);
                case 'mutate':
                    return this.#mutate(request);
            }
        } catch (error) {
            this.#held = undefined;
            if (error instanceof OperationCancelled) {
                this.#port.post({ kind: 'cancelled', job: request.job });
            } else {
                const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
                this.#port.post({ kind: 'failed', job: request.job, message, stack });
            }
        }
    }

    #analyze(request: AnalyzeRequest): void {
        const { model, problems, sequential, symmetry } = this.#analysisFor(request);
        const limit = this.#limitFor(request, FINDINGS_MILLISECONDS);
        const values = symmetry?.values ?? (sequential && valuesOf(sequential, limit));
        const advice =
            sequential === undefined || values === undefined
                ? []
                : [
                      ...findDeadSteps(model, sequential, limit, values),
                      ...findPossibleFaults(
                          sequential,
                          values,
                          textOfRequest(request),
                          this.#limitFor(request, POSSIBLE_FAULTS_MILLISECONDS),
                      ),
                  ];
        const outcome = { problems, advice, ...(symmetry !== undefined && { report: symmetry.report }) };
        this.#port.post({ kind: 'analyzed', job: request.job, outcome });
    }

    #explore(request: ExploreRequest): void {
        const { job, reduction, partialOrder, properties, ignoresFaults, limits, continueAfterViolation } = request;
        const { now } = this.#port;
        const analysis = this.#explorableFor(request);
        if (analysis.sequential === undefined) {
            this.#port.post({ kind: 'explored', job, outcome: { problems: analysis.problems } });
            return;
        }
        const workers = this.#port.searchThreads(limits.threads ?? 1);
        const started = startExploration(
            analysis,
            {
                reduction,
                now,
                continueAfterViolation,
                ...(partialOrder !== undefined && { partialOrder }),
                ...(properties !== undefined && { properties }),
                ...(ignoresFaults !== undefined && { ignoresFaults }),
                ...(limits.states !== undefined && { maxStates: limits.states }),
                ...(limits.memoryBytes !== undefined && { maxMemoryBytes: limits.memoryBytes }),
                ...(workers !== undefined && { workers }),
            },
            this.#limitFor(request, request.budgetMilliseconds),
        );
        const { exploration } = started;
        const start = now();
        this.#advance(exploration, request, start);
        const { report, problems } = exploration.result();
        if (report === undefined) {
            this.#port.post({ kind: 'explored', job, outcome: { problems } });
            return;
        }
        const seconds = (now() - start) / 1000;
        const run = {
            model: analysis.model,
            started,
            report,
            properties,
            textOf: textOfRequest(request),
            seconds,
            problems,
        };
        const outcome = { problems, document: toExploreDocument(run, uri => uri) };
        this.#port.post({ kind: 'explored', job, outcome });
    }

    #graph(request: GraphRequest): void {
        const { job, around } = request;
        const analysis = this.#explorableFor(request);
        const { problems } = analysis;
        const source = graphSourceOf(analysis, request);
        const limit = this.#limitFor(request, GRAPH_MILLISECONDS);
        const document = source && toGraphDocument(source, around, uri => uri, limit);
        this.#port.post({ kind: 'graphed', job, outcome: { problems, ...(document !== undefined && { document }) } });
    }

    #unfold(request: UnfoldRequest): void {
        const source = graphSourceOf(this.#explorableFor(request), request);
        const limit = this.#limitFor(request, GRAPH_MILLISECONDS);
        const outcome = source === undefined ? NO_STATES : unfoldOrbit(source, request.path, limit);
        this.#port.post({ kind: 'unfolded', job: request.job, outcome });
    }

    #steps(request: StepsRequest): void {
        const { model } = this.#heldModel();
        if (request.isAsked === true) {
            const values = request.state && askedAlong(model, [request.state])[0];
            this.#port.post({
                kind: 'stepped',
                job: request.job,
                outcome: { ...(values !== undefined && { values }) },
            });
            return;
        }
        const { sequential } = this.#held?.analysis ?? linearize(model);
        const limit = this.#limitFor(request, STEPS_MILLISECONDS);
        const outcome = sequential === undefined ? {} : answerSteps(model, sequential, request, limit);
        this.#port.post({ kind: 'stepped', job: request.job, outcome });
    }

    #everySize(request: EverySizeRequest): void {
        const { job, ask, property, limits } = request;
        const { now } = this.#port;
        const start = now();
        const workLimit = this.#limitFor(request, limits.milliseconds ?? Infinity);
        const family = revived(request.family);
        const answerWith = (outcome: EverySizeOutcome): void => this.#port.post({ kind: 'everySize', job, outcome });
        const narrowed = narrowOf(family, workLimit);
        if (narrowed.kind === 'refused' || ask === 'narrow') {
            return answerWith({ problems: narrowed.kind === 'refused' ? narrowed.problems : [] });
        }
        const outcome =
            narrowed.kind === 'undecided'
                ? undecidedBy({ kind: 'time', value: limits.milliseconds ?? now() - start })
                : checkEverySize(narrowed.narrow, family, {
                      properties: property === undefined ? undefined : [property],
                      workLimit,
                      now,
                      timeLimit: limits.milliseconds,
                      maxStates: limits.states,
                      maxMemoryBytes: limits.memoryBytes,
                  });
        if ('problems' in outcome) {
            return answerWith({ problems: outcome.problems });
        }
        const sample = narrowed.kind === 'undecided' ? narrowed.sample : narrowed.narrow.largest.model;
        const title = titleOf(sample);
        const forAll = family.parameters.map(({ name }) => name);
        const params = { ...title.params, ...Object.fromEntries(forAll.map(name => [name, 'all'])) };
        const document = toEverySizeDocument(
            {
                title: { ...title, params },
                forAll,
                outcome,
                constraint: sample.constraints[0]?.range,
                seconds: (now() - start) / 1000,
                textOf: textOfRequest(request),
            },
            uri => uri,
        );
        answerWith({ problems: [], document });
    }

    #match(request: MatchRequest): void {
        const { model } = this.#heldModel();
        const outcome = matchLog(model, request, {
            now: this.#port.now,
            textOf: textOfRequest(request),
            limitOf: milliseconds => this.#limitFor(request, milliseconds),
            report: this.#counter(request),
        });
        this.#port.post({ kind: 'matched', job: request.job, outcome });
    }

    #mutate(request: MutateRequest): void {
        const { model } = this.#heldModel();
        const outcome = judgeMutants(model, {
            now: this.#port.now,
            textOf: textOfRequest(request),
            workLimit: this.#limitFor(request, request.milliseconds),
            milliseconds: request.milliseconds,
            report: this.#counter(request),
        });
        this.#port.post({ kind: 'mutated', job: request.job, outcome });
    }

    /** Posts a count now and then. */
    #counter({ job }: WorkerRequest): (count: number, all?: number) => void {
        const { now, post } = this.#port;
        let told = now();
        return (count, all) => {
            if (now() - told >= PROGRESS_MILLISECONDS) {
                told = now();
                post({ kind: 'counted', job, count, ...(all !== undefined && { all }) });
            }
        };
    }

    /** Advances the exploration to its end, and posts its progress. */
    #advance(exploration: RunningExploration, request: ExploreRequest, start: number): void {
        const { job, limits } = request;
        const { now, post } = this.#port;
        const postProgress = (): void => {
            const statesPerOrbit = exploration.statesPerOrbit();
            const progress = {
                ...exploration.progress(),
                elapsedMilliseconds: now() - start,
                ...(statesPerOrbit !== undefined && { statesPerOrbit }),
            };
            post({ kind: 'progress', job, progress });
        };
        postProgress();
        let lastProgress = start;
        try {
            while (!exploration.advance(this.#limitFor(request, SLICE_MILLISECONDS))) {
                const current = now();
                if (current - lastProgress >= PROGRESS_MILLISECONDS) {
                    lastProgress = current;
                    postProgress();
                }
                if (limits.milliseconds !== undefined && current - start >= limits.milliseconds) {
                    exploration.stop({ kind: 'time', value: limits.milliseconds });
                }
            }
        } finally {
            exploration.close();
        }
    }

    /** The analysis that an exploration needs: without reduction no symmetries are searched for. */
    #explorableFor(request: ExploreRequest | GraphRequest | UnfoldRequest): Analysis {
        const { model, analysis } = this.#heldModel();
        return analysis === undefined && request.reduction === 'none'
            ? { model, ...linearize(model) }
            : this.#analysisFor(request);
    }

    /** The analysis that is held, or a new one; for an exploration it explains nothing. */
    #analysisFor(
        request: Exclude<WorkerRequest, StepsRequest | EverySizeRequest | MatchRequest | MutateRequest>,
    ): Analysis {
        const { model, analysis } = this.#heldModel();
        if (analysis !== undefined) {
            return analysis;
        }
        const explain = request.kind === 'analyze';
        const made = analyze(model, {
            now: this.#port.now,
            workLimit: this.#limitFor(request, request.budgetMilliseconds),
            explain,
            memory: this.#memoryOf(request.document),
            textOf: textOfRequest(request),
            onFound: report => {
                if (explain) {
                    this.#port.post({ kind: 'found', job: request.job, report });
                }
            },
        });
        this.#held = { model, analysis: made };
        return made;
    }

    /** The model of the request, with its analysis if that is held. */
    #heldModel(): { readonly model: Model; readonly analysis?: Analysis } {
        if (this.#held === undefined) {
            throw new Error('a request without a model came before one with a model');
        }
        return this.#held;
    }

    #memoryOf(document: string): AnalysisMemory {
        const memory = this.#memories.get(document) ?? new AnalysisMemory();
        this.#memories.delete(document);
        this.#memories.set(document, memory);
        for (const oldest of [...this.#memories.keys()].slice(0, -REMEMBERED_DOCUMENTS)) {
            this.#memories.delete(oldest);
        }
        return memory;
    }

    #limitFor(request: WorkerRequest, budgetMilliseconds: number): WorkLimit {
        const flag = request.cancellation && new Int32Array(request.cancellation);
        const isCancelled = (): boolean => flag !== undefined && Atomics.load(flag, 0) !== 0;
        return createWorkLimit({ now: this.#port.now, budgetMilliseconds, isCancelled });
    }
}

function graphSourceOf(
    { model, sequential, symmetry }: Analysis,
    { reduction }: Pick<GraphRequest, 'reduction'>,
): GraphSource | undefined {
    // Every state that a symmetry which keeps the start makes of a reachable one is reachable, and can be shown.
    const group = reduction === 'none' ? undefined : symmetry?.startGroup;
    return sequential && { model, sequential, group };
}

function answerSteps(
    model: Model,
    sequential: SequentialModel,
    { state, towards, along, created }: Pick<StepsRequest, 'state' | 'towards' | 'along' | 'created'>,
    limit: WorkLimit,
): StepsResult {
    if (along !== undefined) {
        return { retraced: answerRetrace(model, sequential, along) };
    }
    const roomy = withRoomFor(model, sequential, state ?? {});
    if (state !== undefined && towards !== undefined) {
        const way = shortestWay(roomy, state, towards, limit, created);
        return way === undefined ? {} : { way: way.map(entry => toDocumentEntry(entry, uri => uri)) };
    }
    const steps = possibleSteps(roomy, state, created);
    const standing = state && standingIn(roomy, state, created);
    const waits = standing && located(whoWaits(roomy, standing), uri => uri);
    return steps === undefined
        ? {}
        : { steps: toPossibleSteps(steps, model, uri => uri), ...(waits !== undefined && { waits }) };
}

function answerRetrace(model: Model, sequential: SequentialModel, along: readonly RetracedEntry[]): Retraced {
    const walk = walkGrowing(model, sequential, enough => retrace(enough, along));
    switch (walk.kind) {
        case 'walk':
            return {
                steps: walk.trace.length - 1,
                ...(walk.end.kind === 'violated' && {
                    violation: toDocumentFinding(walk.end.finding, model, uri => uri),
                }),
            };
        case 'script-problem':
            return { steps: walk.problem.line - 1, stop: walk.problem.message };
        case 'problem':
            return { steps: 0, stop: walk.problem.message };
    }
}

/** The text that messages quote. */
function textOfRequest({ text }: WorkerRequest): TextOfRange {
    return createTextOf(uri => (uri === text?.uri ? text.content : undefined));
}
