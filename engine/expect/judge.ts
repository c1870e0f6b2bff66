/** The verdict by what the text says is meant: violations that are expected, runs that are to exist, steps that are taken. */
import type { SourceRange } from '../common/source-range.js';
import type { UnreachedStep } from '../explore/text-steps.js';
import type { ExplorationReport, RunOutcome, UnexpectedOutcome, Violation } from '../explore/verdict.js';
import { statementOf } from '../explore/properties.js';
import type { Expectation } from '../model/meant.js';
import type { Model } from '../model/model.js';
import { isAboutOneState } from '../sequential/runs/observed-run.js';

/** The names that the model says are violated, for these values of its parameters. */
export function meantBy({ expectations }: Model): ReadonlySet<string> {
    return new Set(expectations.flatMap(each => (each.kind === 'violated' && each.applies ? [each.name] : [])));
}

/** Whether the text says that no step is dead, and nothing is asked for by name. */
export function asksForEveryStep({ expectations }: Model, names: readonly string[] | undefined): boolean {
    return names === undefined && expectations.some(({ kind, applies }) => kind === 'every-step' && applies);
}

/** What was found, besides the report of states and of properties of runs. */
export interface Findings {
    readonly model: Model;
    /** All properties that were asked for; everything if absent. */
    readonly names: readonly string[] | undefined;
    /** Whether all states were seen. */
    readonly hasSeenAll: boolean;
    /** Those that were followed along their steps. */
    readonly followed: readonly RunOutcome[];
    readonly unreached: () => readonly UnreachedStep[] | undefined;
}

export function judged(report: ExplorationReport, findings: Findings): ExplorationReport {
    const { model, names } = findings;
    const isAsked = (name: string): boolean => names?.includes(name) ?? true;
    const meant = meantBy(model);
    const violations = report.violations.map((violation): Violation =>
        meant.has(statementOf(violation)) ? { ...violation, expected: true } : violation,
    );
    const runs = runsOf(report, findings).filter(({ name }) => isAsked(name));
    const answers = model.expectations
        .filter(each => each.applies && (each.kind === 'every-step' ? names === undefined : isAsked(each.name)))
        .map(each => answerTo(each, report, findings));
    const unexpected = [
        ...answers.flatMap(answer => (answer === 'open' ? [] : answer)),
        ...runs.flatMap(({ name, range, verdict }): UnexpectedOutcome[] =>
            verdict === 'none' ? [{ kind: 'none', name, range }] : [],
        ),
    ].sort((one, other) => compareRanges(one.range, other.range));
    const limit = report.limit ?? runs.find(run => run.limit !== undefined)?.limit;
    const isOpen = limit !== undefined || answers.includes('open') || runs.some(run => run.verdict === 'undecided');
    const isWrong = unexpected.length > 0 || violations.some(({ expected }) => expected !== true);
    return {
        ...report,
        verdict: isWrong ? 'violated' : isOpen ? 'undecided' : 'holds',
        violations,
        ...(limit !== undefined && { limit }),
        ...(runs.length > 0 && { runs }),
        ...(unexpected.length > 0 && { unexpected }),
    };
}

function runsOf({ reached = [], limit }: ExplorationReport, { model, hasSeenAll, followed }: Findings): RunOutcome[] {
    return model.runs.map((stated): RunOutcome => {
        const { name, nameRange: range } = stated;
        if (!isAboutOneState(stated)) {
            return followed.find(outcome => outcome.name === name) ?? { name, range, verdict: 'undecided' };
        }
        const found = reached.find(run => run.name === name);
        if (found !== undefined) {
            return { name, range, verdict: 'reached', found, parts: [found.trace.length - 1] };
        }
        return { name, range, verdict: hasSeenAll && limit === undefined ? 'none' : 'undecided' };
    });
}

/** `open` if the search has not come far enough to say. */
function answerTo(
    expectation: Expectation,
    { violations, properties = [], limit }: ExplorationReport,
    { hasSeenAll, unreached }: Findings,
): readonly UnexpectedOutcome[] | 'open' {
    const { range } = expectation;
    if (expectation.kind === 'every-step') {
        const dead = hasSeenAll ? unreached() : undefined;
        return (
            dead?.map((step): UnexpectedOutcome => ({ kind: 'dead', name: nameOf(step), range, step: step.range })) ??
            'open'
        );
    }
    const { name } = expectation;
    if (violations.some(violation => statementOf(violation) === name)) {
        return [];
    }
    const ofRuns = properties.find(property => property.name === name);
    const isDecided = ofRuns === undefined ? hasSeenAll && limit === undefined : ofRuns.verdict === 'holds';
    return isDecided ? [{ kind: 'missing', name, range }] : 'open';
}

function nameOf({ process, label }: UnreachedStep): string {
    return `${process} ${label}`;
}

function compareRanges({ start: one }: SourceRange, { start: other }: SourceRange): number {
    return one.line - other.line || one.character - other.character;
}
