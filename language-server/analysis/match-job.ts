/** A log against a model, in a worker: the same as on the command line, for a text of the log. */
import type { TextOfRange } from '../../engine/common/source-text.js';
import type { WorkLimit } from '../../engine/common/work-limit.js';
import { LogCheck } from '../../engine/match/log-check.js';
import { foldingOf } from '../../engine/match/symmetries.js';
import type { Model } from '../../engine/model/model.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { NO_MAPPING, parseMapping } from '../../logs/log-mapping.js';
import { linesOf, spansIn } from '../../logs/read-lines.js';
import { LogReading, stepsOf, unknownInMapping } from '../judge-log.js';
import type { MatchRequest, MatchOutcome } from './worker-protocol.js';

const DETECTION_SECONDS = 20;

export interface MatchTools {
    readonly now: () => number;
    readonly textOf: TextOfRange;
    /** A part of the time, from now on. */
    readonly limitOf: (milliseconds: number) => WorkLimit;
    /** Called before lines with how many there are before it, now and then. */
    readonly report: (lines: number) => void;
}

/** Throws OperationCancelled. */
export function matchLog(model: Model, request: MatchRequest, tools: MatchTools): MatchOutcome {
    const { log, maxCandidates, milliseconds = Infinity } = request;
    const { sequential, problems } = linearize(model);
    if (sequential === undefined) {
        return { kind: 'model', problems };
    }
    const mapping = request.mapping === undefined ? NO_MAPPING : parseMapping(request.mapping);
    if (typeof mapping === 'string') {
        return { kind: 'mapping', message: mapping };
    }
    const unknown = unknownInMapping(mapping, model, stepsOf(model, sequential));
    if (unknown !== undefined) {
        return { kind: 'mapping', message: unknown };
    }
    const deadline = tools.now() + milliseconds;
    const limitOf = (seconds: number): WorkLimit =>
        tools.limitOf(Math.min(seconds * 1000, Math.max(0, deadline - tools.now()) / 2));
    const cancellation = tools.limitOf(Infinity);
    const folding = foldingOf(() => limitOf(DETECTION_SECONDS));
    const check = new LogCheck(model, sequential, { ...mapping.settings, maxCandidates }, folding, tools.textOf);
    const reading = new LogReading(check);
    let ended: number | undefined;
    for (const line of linesOf(log, mapping.form)) {
        cancellation.isExhausted();
        tools.report(line.line - 1);
        if (tools.now() >= deadline && !reading.isOver) {
            ended = line.line;
            break;
        }
        if (!reading.take(line)) {
            break;
        }
    }
    if (check.state.kind === 'problem') {
        return { kind: 'model', problems: [check.state.problem] };
    }
    if (reading.problem !== undefined) {
        const { code, line, message } = reading.problem;
        return { kind: 'log', code, line, message };
    }
    const judged = reading.document('', false, uri => uri, limitOf);
    const open = judged.verdict === 'fits' ? ended : undefined;
    return {
        kind: 'judged',
        document: open !== undefined ? { ...judged, verdict: 'undecided', fits: false } : judged,
        isOfSpans: spansIn(log, mapping.form) !== undefined,
        ...(open !== undefined && { ended: open }),
    };
}
