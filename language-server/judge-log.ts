/**
 * A log against a model, from lines that are read to the document: its verdict, a run along the lines that fit, and what
 * would mend the line that fits nothing. The caller reads the lines and limits the time.
 */
import type { WorkLimit } from '../engine/common/work-limit.js';
import type { LogCheck } from '../engine/match/log-check.js';
import { LogNames } from '../engine/match/log-names.js';
import type { Observation } from '../engine/match/observation.js';
import { stepFacts } from '../engine/match/step-facts.js';
import type { Model } from '../engine/model/model.js';
import type { SequentialModel } from '../engine/sequential/sequential-model.js';
import type { LogMapping } from '../logs/log-mapping.js';
import type { LogLine } from '../logs/read-lines.js';
import type { DocumentProblem, LogDocument } from './document-schema.js';
import { toDocumentTrace } from './documents.js';

/** The last states of a run that are shown. */
const MOST_ENTRIES = 1_000;
/** For longer logs no run is shown. */
const MOST_REPLAYED = 20_000;
/** The search for a run to show ends after this time, and then none is shown. */
const RUN_SECONDS = 20;
const REPAIR_SECONDS = 2;
/** Lines behind a misfit that show whether a repair lets them fit. */
const MOST_FOLLOWING = 100;

/** The steps of a model that a log may show, by label or event. */
export function stepsOf(model: Model, sequential: SequentialModel): ReadonlySet<string> {
    return new Set(stepFacts(model, sequential).flatMap(({ labels }) => [...labels]));
}

/** The names of steps and events. */
export function namesOfSteps(model: Model, steps: ReadonlySet<string>): ReadonlySet<string> {
    return new Set([...steps, ...model.events.map(({ name }) => name)]);
}

/** What a mapping names that the model does not have. */
export function unknownInMapping(
    { settings, inputs }: LogMapping,
    model: Model,
    steps: ReadonlySet<string>,
): string | undefined {
    const known = namesOfSteps(model, steps);
    const step = [...settings.hides, ...settings.vocabulary.steps.values(), ...(inputs ?? [])].find(
        name => !known.has(name),
    );
    if (step !== undefined) {
        return `no step or event is called '${step}'`;
    }
    const { unknownType } = new LogNames(model, settings.names);
    return unknownType === undefined ? undefined : `no type of names is called '${unknownType}'`;
}

/** Takes the lines of one log. */
export class LogReading {
    readonly check: LogCheck;
    /** Lines behind the one that fits nothing. */
    readonly #following: Observation[] = [];
    #problem: Pick<DocumentProblem, 'code' | 'line' | 'message'> | undefined;

    constructor(check: LogCheck) {
        this.check = check;
    }

    /** A line fits nothing; more may be taken for repairs. */
    get isOver(): boolean {
        return this.check.state.kind === 'misfit';
    }

    /** What is wrong with a line; then there is no document. */
    get problem(): Pick<DocumentProblem, 'code' | 'line' | 'message'> | undefined {
        const { state } = this.check;
        return this.#problem ?? (state.kind === 'wrong' ? state.problem : undefined);
    }

    /** Takes a line; whether more are wanted. A last line without an end is left out. */
    take(read: LogLine): boolean {
        const { check } = this;
        if ('entry' in read) {
            if (!this.isOver) {
                return check.take(read.line, read.entry) || this.isOver;
            }
            const observation = check.reader.read(read.line, read.entry);
            if (observation !== undefined && !('code' in observation)) {
                this.#following.push(observation);
            }
            return this.#following.length < MOST_FOLLOWING;
        }
        if ('isHalf' in read) {
            return true;
        }
        if (check.state.kind === 'fits') {
            this.#problem = { code: 'log/syntax', line: read.line, message: read.reason };
        }
        return false;
    }

    /** The steps of the lines that fit. */
    shown({ lines }: LogDocument): readonly string[] {
        return this.check.observations.slice(0, lines).flatMap(({ step }) => step ?? []);
    }

    /** `isComplete`: the log is to end where nothing more can happen. The state of the check is no problem. */
    document(
        file: string,
        isComplete: boolean,
        fileOf: Parameters<typeof toDocumentTrace>[1],
        limitOf: (seconds: number) => WorkLimit,
    ): LogDocument {
        return this.#withRepairs(documentOf(file, this.check, isComplete, fileOf, limitOf(RUN_SECONDS)), limitOf);
    }

    #withRepairs(document: LogDocument, limitOf: (seconds: number) => WorkLimit): LogDocument {
        if (document.misfit === undefined) {
            return document;
        }
        const limit = limitOf(REPAIR_SECONDS);
        const following = this.#following;
        // What costs less comes first.
        const hide = this.check.mendingHidden(following, limit);
        const { best, isComplete } = this.check.repairs(following, limit);
        const lastLine = following.at(-1)?.line ?? document.misfit.line;
        const partial = isComplete ? {} : { areOthersLeft: true as const };
        return { ...document, misfit: { ...document.misfit, repairs: best, hide, lastLine, ...partial } };
    }
}

function documentOf(
    file: string,
    check: LogCheck,
    isComplete: boolean,
    fileOf: Parameters<typeof toDocumentTrace>[1],
    limit: WorkLimit,
): LogDocument {
    const { state, matcher } = check;
    const invariants = check.invariants();
    const isOpen = isComplete && state.kind === 'fits' ? matcher.mayBeComplete() : true;
    const run = check.observations.length > MOST_REPLAYED ? undefined : check.run(MOST_ENTRIES, limit);
    const incomplete = isOpen === false;
    return {
        file,
        verdict: verdictOf(check, isOpen, invariants),
        fits: state.kind === 'fits' && !incomplete,
        lines: matcher.trails.length - 1,
        symmetries: String(check.order),
        mostCandidates: matcher.mostCandidates,
        ...(state.kind === 'misfit' && { misfit: { ...state.misfit, repairs: [], hide: [] } }),
        ...(state.kind === 'limit' && {
            limit: {
                line: state.line,
                ...(state.label !== undefined && { hidden: state.label }),
                ...(state.template !== undefined && { template: state.template }),
            },
        }),
        ...(incomplete && { incomplete: true }),
        names: (run?.meanings ?? []).flatMap(({ name: { text, type, code }, value }) =>
            code === undefined ? [{ name: text, type, value }] : [],
        ),
        trace: toDocumentTrace(run?.trace ?? [], fileOf),
        // What a constraint has cut off may have passed no violation.
        invariants: matcher.isCutOff ? invariants.map(({ name }) => ({ name, verdict: 'possible' })) : invariants,
        ignoredKeys: [...check.reader.unknownKeys],
    };
}

function verdictOf(
    { state, matcher }: LogCheck,
    isComplete: boolean | undefined,
    invariants: LogDocument['invariants'],
): LogDocument['verdict'] {
    if (state.kind === 'misfit') {
        return matcher.isCutOff ? 'undecided' : 'misfit';
    }
    if (invariants.some(({ verdict }) => verdict === 'violated')) {
        return matcher.isCutOff ? 'undecided' : 'violated';
    }
    return state.kind === 'limit' || isComplete === undefined ? 'undecided' : isComplete ? 'fits' : 'misfit';
}
