/**
 * One exploration on behalf of the editor: sends the model to a worker, reports progress whether or not the worker has
 * news, and answers for the version it was started with.
 */
import { propertyNames } from '../../engine/model/model.js';
import type { CancellationToken } from 'vscode-languageserver';
import { toDocumentProblem } from '../documents.js';
import type { OrbitSettings } from '../../engine/options.js';
import type { ExploreDocument, ProblemsDocument } from '../document-schema.js';
import type { ExploreParams, ExploreProgress } from '../protocol.js';
import { toProblems } from './built-document.js';
import type { KeyedModel, WorkerPool } from './worker-pool.js';
import type { JobProgress, ExploreLimits } from './worker-protocol.js';

/** Progress is reported this often. */
const PROGRESS_MILLISECONDS = 250;

export interface ExplorationRequest {
    readonly params: ExploreParams;
    readonly keyed: KeyedModel;
    /** The key of the model of the document; that of a run that is looked for has one more declaration. */
    readonly modelKey: string;
    /** Of the document that `keyed` was lowered from. */
    readonly version: number;
    readonly text: { readonly uri: string; readonly content: string };
    readonly settings: OrbitSettings;
    /** Milliseconds on a monotonic clock. */
    readonly now: () => number;
    readonly report: (progress: ExploreProgress) => void;
    readonly token: CancellationToken;
}

/** The request names a property that the model does not state. */
export class UnknownProperty extends Error {
    override readonly name = 'UnknownProperty';

    constructor(property: string) {
        super(`the model states no property \`${property}\``);
    }
}

/** Throws OperationCancelled, WorkerFailed or UnknownProperty. */
export async function runExploration(
    pool: WorkerPool,
    request: ExplorationRequest,
): Promise<ExploreDocument | ProblemsDocument> {
    const { params, keyed, modelKey, version, text, settings, now, report, token } = request;
    if (params.property !== undefined && !propertyNames(keyed.model).includes(params.property)) {
        throw new UnknownProperty(params.property);
    }
    const start = now();
    let latest: JobProgress | undefined;
    const timer = setInterval(() => {
        report(toExploreProgress({ runId: params.runId, version, modelKey }, latest, now() - start));
    }, PROGRESS_MILLISECONDS);
    try {
        const outcome = await pool.explore(
            keyed,
            {
                budgetMilliseconds: settings.analysisSeconds * 1000,
                text,
                reduction: params.reduction,
                ...(params.property !== undefined && { properties: [params.property] }),
                // A run is looked for, whatever else happens.
                ...(params.find !== undefined && { ignoresFaults: true }),
                limits: exploreLimits(settings),
                continueAfterViolation: settings.continueAfterViolation,
                ...(settings.partialOrder !== 'off' && { partialOrder: settings.partialOrder }),
            },
            progress => (latest = progress),
            token,
        );
        return outcome.document ?? toProblems(outcome.problems.map(problem => toDocumentProblem(problem, uri => uri)));
    } finally {
        clearInterval(timer);
    }
}

/** The limits of one exploration. */
export function exploreLimits(settings: OrbitSettings): ExploreLimits {
    return {
        states: settings.maximumStates,
        threads: settings.maximumThreads,
        memoryBytes: settings.maximumMegabytes * 1024 * 1024,
        milliseconds: settings.maximumSeconds * 1000,
    };
}

/** Before the worker has reported, the group is still being searched for. */
function toExploreProgress(
    about: Pick<ExploreProgress, 'runId' | 'version' | 'modelKey'>,
    progress: JobProgress | undefined,
    elapsedMilliseconds: number,
): ExploreProgress {
    const { states = 0, transitions = 0, depth = 0, frontier = 0, memoryBytes = 0 } = progress ?? {};
    const searching = progress?.elapsedMilliseconds ?? 0;
    return {
        ...about,
        phase: progress === undefined ? 'analyze' : 'explore',
        states,
        transitions,
        depth,
        frontier,
        statesPerSecond: searching > 0 ? Math.round((states * 1000) / searching) : 0,
        memoryBytes,
        elapsedMilliseconds: Math.round(elapsedMilliseconds),
        ...(progress?.statesPerOrbit !== undefined && { statesPerOrbit: progress.statesPerOrbit }),
    };
}
