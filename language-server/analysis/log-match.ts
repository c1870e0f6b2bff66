/** Logs against the model of a document, and its mutants: what the worker is asked, and its answer for the editor. */
import type { CancellationToken } from 'vscode-languageserver';
import { DEFAULT_MOST_CANDIDATES } from '../../engine/options.js';
import { titleOf, toDocumentProblem } from '../documents.js';
import type { MatchParams, MatchResult, MutateResult } from '../protocol.js';
import type { SettingsService } from '../settings.js';
import { problemsOf, type BuiltDocument } from './built-document.js';
import { exploreLimits } from './exploration.js';
import type { OnCount, WorkerPool } from './worker-pool.js';

/** Rejects with OperationCancelled. `report` gets the number of lines that are taken, now and then. */
export async function matchLog(
    { keyed, text, document, sourceKey }: BuiltDocument,
    { uri, log, mapping }: MatchParams,
    { pool, settings }: { readonly pool: WorkerPool; readonly settings: SettingsService },
    report: OnCount,
    token: CancellationToken,
): Promise<MatchResult> {
    if (keyed === undefined) {
        return { answer: { kind: 'model', problems: problemsOf(document).problems } };
    }
    const { milliseconds } = exploreLimits(settings.current);
    const job = {
        text: { uri, content: text.getText() },
        log,
        ...(mapping !== undefined && { mapping }),
        maxCandidates: DEFAULT_MOST_CANDIDATES,
        ...(milliseconds !== undefined && { milliseconds }),
    };
    const outcome = await pool.match(keyed, job, report, token);
    const answer =
        outcome.kind === 'model'
            ? { kind: outcome.kind, problems: outcome.problems.map(each => toDocumentProblem(each, own => own)) }
            : outcome;
    return { answer, modelKey: keyed.key, sourceKey, title: titleOf(keyed.model) };
}

/** As on the command line. */
const MUTANTS_MILLISECONDS = 300_000;

/** Rejects with OperationCancelled. `report` gets the number of mutants that are judged, now and then. */
export async function findSurvivors(
    { keyed, text, document }: BuiltDocument,
    { pool }: { readonly pool: WorkerPool },
    report: OnCount,
    token: CancellationToken,
): Promise<MutateResult> {
    const { version } = text;
    if (keyed === undefined) {
        return { version, problems: problemsOf(document).problems };
    }
    const job = { text: { uri: text.uri, content: text.getText() }, milliseconds: MUTANTS_MILLISECONDS };
    const { problems, ...outcome } = await pool.mutate(keyed, job, report, token);
    return {
        version,
        modelKey: keyed.key,
        params: titleOf(keyed.model).params,
        ...outcome,
        ...(outcome.mutants === undefined && {
            problems: problems.map(problem => toDocumentProblem(problem, own => own)),
        }),
    };
}
