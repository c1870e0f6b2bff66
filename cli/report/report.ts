/** What a command has found, in the shape that SARIF and JUnit share: verdicts of models, and what is told beside them. */
import { formatMoved } from '../../engine/describe/number-words.js';
import { formatRun, formatUnexpected, isUnexpected } from '../../engine/describe/meant-words.js';
import { formatPlainValue, formatViolation, isRun, propertyNamed } from '../../engine/describe/words.js';
import type {
    DocumentLocation,
    DocumentProblem,
    EverySizeDocument,
    ExploreDocument,
    ReasonLineDocument,
    SymmetryDocument,
    TraceEntryDocument,
    UnexpectedDocument,
    ViolationDocument,
} from '../../language-server/document-schema.js';
import { describeVerdict } from '../text/every-size.js';
import { describeLimit } from '../text/exploration.js';
import { PLAIN } from '../text/layout.js';
import { ABSENT } from '../text/states.js';
import { formatTrace, formatViolationLines } from '../text/traces.js';

/** One model, with one choice of its parameters. */
export interface Suite {
    /** `lock.orbit N = 3` */
    readonly name: string;
    readonly file: string;
    readonly seconds?: number;
    readonly cases: readonly Case[];
    /** Findings that are no verdict: warnings, symmetries that are broken. */
    readonly findings: readonly ReportedFinding[];
    /** The file could not be read. */
    readonly isUnreadable?: boolean;
}

export interface Case {
    /** The name of a property, `deadlock`, `faults`, or an assertion as the model writes it. */
    readonly name: string;
    /** `skipped`: the search ended at another violation, or it was not asked. */
    readonly outcome: 'passed' | 'failed' | 'undecided' | 'skipped';
    /** Why it did not pass, in one line. */
    readonly reason?: string;
    /** The same at length, for people: problems with their places, the run to a violation. */
    readonly text?: string;
    readonly findings?: readonly ReportedFinding[];
}

export interface ReportedFinding extends DocumentProblem {
    /** The steps of a run. */
    readonly flow?: readonly (DocumentLocation & { readonly message: string })[];
}

export interface ExploredSuite {
    readonly file: string;
    readonly document: ExploreDocument;
    /** The names of the checked properties, in the order of the model. */
    readonly checked: readonly string[];
    /** Those that are about runs: they are checked after the states, one after the other. */
    readonly aboutRuns: readonly string[];
    /** Whether the search ended before all states were seen. */
    readonly isCut: boolean;
}

/** The verdict for all values of a parameter: a case for each invariant, for faults, and for what was found or not asked. */
export function suiteOfEverySize(file: string, document: EverySizeDocument): Suite {
    const { violations, invariants, notForAll, views, params, seconds } = document;
    const kindOf = ({ kind, name, invariant }: ViolationDocument): string =>
        invariant ?? (kind === 'fault' ? FAULTS : kind === 'deadlock' ? kind : name);
    const names = new Set([...invariants, FAULTS, ...notForAll, ...violations.map(kindOf)]);
    const values = Object.entries(params).map(([name, value]) => `${name} = ${formatPlainValue(value, ABSENT)}`);
    return {
        name: [file, ...values].join(' '),
        file,
        seconds,
        cases: [...names].map((name): Case => {
            const own = violations.filter(violation => kindOf(violation) === name);
            if (own.length > 0) {
                return failed(name, own);
            }
            if (notForAll.includes(name)) {
                return { name, outcome: 'skipped', reason: 'it is not asked for all values' };
            }
            return views === undefined
                ? { name, outcome: 'undecided', reason: describeVerdict(document) }
                : { name, outcome: 'passed' };
        }),
        findings: [],
    };
}

/** `checked` are the properties; faults are always checked. */
export function suiteOfExploration({ file, document, checked, aboutRuns, isCut }: ExploredSuite): Suite {
    const { violations, properties, unexpected = [], verdict, limit, unreached, warnings = [] } = document;
    // A fault in an invariant is one of the invariant, and others belong to the steps.
    const kindOf = ({ kind, name, invariant }: ViolationDocument): string =>
        invariant ?? (kind === 'fault' ? FAULTS : kind === 'deadlock' ? kind : name);
    const casesOf = (name: string): Case => {
        const own = violations.filter(violation => kindOf(violation) === name);
        const wrong = own.filter(isUnexpected);
        if (wrong.length > 0) {
            return failed(name, wrong);
        }
        const surprises = unexpected.filter(each => (each.kind === 'dead' ? EVERY_STEP : each.name) === name);
        if (surprises.length > 0) {
            return surprised(name, surprises);
        }
        if (own.length > 0) {
            return { name, outcome: 'passed', text: own.map(each => formatViolationLines(each, PLAIN)).join('\n') };
        }
        const run = properties?.filter(isRun).find(each => each.name === name);
        if (run?.verdict === 'reached') {
            const { trace = [] } = run;
            return { name, outcome: 'passed', text: `${name} ${formatRun(run)}\n${formatTrace({ trace }, PLAIN)}` };
        }
        const outcome = propertyNamed(properties, name);
        const areStatesKnown = unreached !== undefined && !aboutRuns.includes(name) && run === undefined;
        const isHolding =
            outcome === undefined ? verdict === 'holds' || !isCut || areStatesKnown : outcome.verdict === 'holds';
        if (isHolding) {
            return { name, outcome: 'passed' };
        }
        const reached = outcome?.limit ?? limit;
        return reached === undefined && verdict === 'violated'
            ? { name, outcome: 'skipped', reason: 'the search ended at another violation' }
            : { name, outcome: 'undecided', reason: reached === undefined ? 'interrupted' : describeLimit(reached) };
    };
    return {
        name: nameOf(file, document.params),
        file,
        seconds: document.seconds,
        cases: [FAULTS, ...checked].map(casesOf),
        findings: warnings,
    };
}

const FAULTS = 'faults';
/** That no step is dead, beside the names of properties. */
export const EVERY_STEP = 'every step';

function surprised(name: string, surprises: readonly UnexpectedDocument[]): Case {
    const findings = surprises.map((surprise): ReportedFinding => {
        const code = surprise.kind === 'missing' ? 'explore/unexpected' : 'explore/not-reached';
        return { severity: 'error', code, message: plain(formatUnexpected(surprise)), ...placeOf(surprise.location) };
    });
    return { name, outcome: 'failed', reason: findings.map(({ message }) => message).join('; '), findings };
}

/** A limit that came before the next of several models was explored. */
export function suiteOfLimit(file: string, limit: NonNullable<ExploreDocument['limit']>): Suite {
    const reason = plain(describeLimit(limit));
    return { name: file, file, cases: [{ name: 'sweep', outcome: 'undecided', reason }], findings: [] };
}

function failed(name: string, violations: readonly ViolationDocument[]): Case {
    const [first] = violations;
    const why = first?.reason?.[0] === undefined ? '' : `: ${plain(first.reason[0].text)}`;
    return {
        name,
        outcome: 'failed',
        reason: first === undefined ? '' : `${plain(formatViolation(first))}${why}`,
        text: violations.map(violation => formatViolationLines(violation, PLAIN)).join('\n'),
        findings: violations.map(toFinding),
    };
}

function toFinding(violation: ViolationDocument): ReportedFinding {
    const { kind, location, reason = [], trace, loopStart } = violation;
    const lines = reason.map(({ text, alike }) => (alike === undefined ? text : `${text} (${alike.text})`));
    const related = reason.flatMap(placesOf);
    return {
        severity: 'error',
        code: `explore/${kind === 'deadlock' || kind === 'fault' ? kind : 'violated'}`,
        message: plain([formatViolation(violation), ...lines].join('\n')),
        ...location,
        ...(related.length > 0 && { related }),
        flow: [...trace.flatMap(toFlow), ...flowBack(trace, loopStart)],
    };
}

/** The lines with a place, with those that are folded into them. */
function placesOf({ text, location, alike }: ReasonLineDocument): (DocumentLocation & { readonly message: string })[] {
    const own = location === undefined ? [] : [{ ...location, message: plain(text) }];
    return [...own, ...(alike?.lines.flatMap(placesOf) ?? [])];
}

function toFlow({ step }: TraceEntryDocument, index: number): (DocumentLocation & { readonly message: string })[] {
    return step === null ? [] : [{ ...step.location, message: `${index}: ${step.process} ${step.label}` }];
}

/** The end of a run that violates a temporal property, at the step after which it goes on for ever. */
function flowBack(
    trace: readonly TraceEntryDocument[],
    loopStart: number | undefined,
): (DocumentLocation & { readonly message: string })[] {
    const last = trace.at(-1)?.step;
    if (loopStart === undefined || last === undefined || last === null) {
        return [];
    }
    const moved = formatMoved({ trace, loopStart });
    const message =
        loopStart === trace.length - 1
            ? 'then nothing happens any more'
            : `back to ${loopStart}${moved === '' ? '' : `, with ${moved}`}, for ever`;
    return [{ ...last.location, message }];
}

/** Assertions are verdicts, and so is whether the group is known as a whole; what is broken is told beside them. */
export function suiteOfSymmetry(file: string, document: SymmetryDocument, seconds: number): Suite {
    const { assertions, broken, params, complete, refuted } = document;
    return {
        name: nameOf(file, params),
        file,
        seconds,
        cases: [
            ...assertions.map(({ text, verdict, message, location }): Case => {
                const finding: ReportedFinding = {
                    severity: 'error',
                    code: 'symmetry/assertion',
                    message: plain(message),
                    ...location,
                };
                return verdict === 'holds'
                    ? { name: text, outcome: 'passed' }
                    : {
                          name: text,
                          outcome: verdict === 'fails' ? 'failed' : 'undecided',
                          reason: plain(message),
                          ...(verdict === 'fails' && { findings: [finding] }),
                      };
            }),
            complete && refuted !== true
                ? { name: WHOLE_GROUP, outcome: 'passed' }
                : { name: WHOLE_GROUP, outcome: 'undecided', reason: 'there may be more symmetries than were found' },
        ],
        findings: broken.flatMap(({ message, locations: [first, ...others], intended }): ReportedFinding[] =>
            first === undefined || intended === true
                ? []
                : [
                      {
                          severity: 'information',
                          code: 'symmetry/broken',
                          message: plain(message),
                          ...placeOf(first),
                          ...(others.length > 0 && {
                              related: others.map(other => ({
                                  ...placeOf(other),
                                  message: `together with ${other.text}`,
                              })),
                          }),
                      },
                  ],
        ),
    };
}

const WHOLE_GROUP = 'symmetries are known as a whole';

/** Without what else a document says of a place. */
function placeOf({ file, line, column, endLine, endColumn }: DocumentLocation): DocumentLocation {
    return { file, line, column, endLine, endColumn };
}

/**
 * A model that was read and not run: an error is a failure, anything else is told beside it. `symmetryProblems` are those
 * against a baseline, if there is one.
 */
export function suiteOfProblems(
    file: string,
    problems: readonly DocumentProblem[],
    isUnreadable = false,
    symmetryProblems?: readonly DocumentProblem[],
): Suite {
    const all = [...problems, ...(symmetryProblems ?? [])];
    return {
        name: file,
        file,
        cases: [
            caseOfProblems(MODEL, file, problems),
            ...(symmetryProblems === undefined ? [] : [caseOfProblems(BASELINE, file, symmetryProblems)]),
        ],
        findings: all.filter(({ severity }) => severity !== 'error'),
        ...(isUnreadable && { isUnreadable }),
    };
}

function caseOfProblems(name: string, file: string, problems: readonly DocumentProblem[]): Case {
    const errors = problems.filter(({ severity }) => severity === 'error');
    const [first] = errors;
    return first === undefined
        ? { name, outcome: 'passed' }
        : {
              name,
              outcome: first.code.startsWith('limit/symmetry') ? 'undecided' : 'failed',
              reason: plain(first.message),
              text: errors
                  .map(({ file: own, line, column, message, code }) => {
                      const place = `${own === '' ? file : own}:${line}:${column}`;
                      return `${place}: ${plain(message)} [${code}]\n`;
                  })
                  .join(''),
              findings: errors,
          };
}

const MODEL = 'is a model';
const BASELINE = 'is as symmetric as the baseline';

/** A call that came to no result: it is wrong, or it was ended. */
export function suiteOfCall(problem: DocumentProblem, isWrong: boolean): Suite {
    const { message, file } = problem;
    return {
        name: file === '' ? 'orbit' : file,
        file,
        cases: [
            { name: 'call', outcome: isWrong ? 'failed' : 'undecided', reason: plain(message), findings: [problem] },
        ],
        findings: [],
        ...(isWrong && { isUnreadable: true }),
    };
}

function nameOf(file: string, params: ExploreDocument['params']): string {
    const values = Object.entries(params).map(([name, value]) => `${name} = ${formatPlainValue(value, ABSENT)}`);
    return values.length === 0 ? file : `${file} ${values.join(', ')}`;
}

/** Code is in backticks, which these forms show as they are. */
function plain(text: string): string {
    return text.replaceAll('`', '');
}
