/** One model under every choice of passes: the same violations, traces that are runs; equal counts if states stay. */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { DEFAULT_PASSES, PASSES, type PassName, type PassReport } from '../../engine/passes/pass-names.js';
import { startExploration, type ReducedExplorationOptions, type Reduction } from '../../engine/pipeline.js';
import { agree } from './engine-view.js';
import { replay, type Side } from './replay.js';

/** Counts of the first question that was asked. */
export interface PassesComparison {
    readonly states: number;
    readonly statesOfAllPasses: number;
    /** Of all passes together. */
    readonly reports: readonly PassReport[];
}

const CHOICES: readonly (readonly PassName[])[] = [DEFAULT_PASSES, PASSES, ...PASSES.map(pass => [pass])];

/** Throws a Disagreement. Asks all questions under every choice of passes; with `only`, one under two choices. */
export function agreeOnPasses(side: Side, only?: number): PassesComparison {
    const { invariants, allowsDeadlock } = side.analysis.sequential!;
    const names = [...invariants.map(({ name }) => name), ...(allowsDeadlock ? [] : ['deadlock'])];
    const questions = (['none', 'unique'] as const).flatMap(reduction =>
        [undefined, ...names.map(name => [name])].map(properties => ({ reduction, properties })),
    );
    if (only !== undefined) {
        const others = CHOICES.filter(choice => choice !== PASSES);
        return agreeOnQuestion(side, questions[only % questions.length]!, [PASSES, others[only % others.length]!]);
    }
    return questions.map(question => agreeOnQuestion(side, question, CHOICES))[0]!;
}

interface Question {
    readonly reduction: Reduction;
    /** Everything when absent. */
    readonly properties: readonly string[] | undefined;
}

function agreeOnQuestion(
    side: Side,
    { reduction, properties }: Question,
    choices: readonly (readonly PassName[])[],
): PassesComparison {
    const options: ReducedExplorationOptions = {
        reduction,
        continueAfterViolation: true,
        ...(properties !== undefined && { properties }),
    };
    const { report: plain } = explore(side, { ...options, passes: [] });
    const explorations = choices.map(passes => {
        const here = `${passes.join()} under '${reduction}' for ${properties?.join() ?? 'everything'}`;
        const exploration = explore(side, { ...options, passes });
        agreeOnReports(side, plain, exploration.report, { passes, properties }, here);
        agreeOnSize(side, plain, exploration.report, { ...options, passes }, here);
        return { passes, ...exploration };
    });
    const { report, reports } = explorations.find(({ passes }) => passes === PASSES)!;
    return { states: plain.states, statesOfAllPasses: report.states, reports };
}

function explore(
    { analysis }: Side,
    options: ReducedExplorationOptions,
): { readonly report: ExplorationReport; readonly reports: readonly PassReport[] } {
    const { exploration, passes } = startExploration(analysis, options, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report, problems } = exploration.result();
    agree(report !== undefined, () => `the exploration says: ${problems[0]?.message ?? 'nothing'}`);
    return { report: report!, reports: passes };
}

function agreeOnReports(
    side: Side,
    plain: ExplorationReport,
    report: ExplorationReport,
    {
        passes,
        properties,
    }: { readonly passes: readonly PassName[]; readonly properties: readonly string[] | undefined },
    here: string,
): void {
    const [expected, found] = [violationsOf(plain), violationsOf(report)];
    agree(
        plain.verdict === report.verdict && expected === found,
        () => `${here}: ${report.verdict} ${found}, without passes ${plain.verdict} ${expected}`,
    );
    report.violations.forEach(violation => {
        replay(side, violation);
    });
    if (passes.every(pass => DEFAULT_PASSES.includes(pass))) {
        const [before, after] = [countsOf(plain), countsOf(report)];
        agree(before === after, () => `${here}: ${after}, without passes ${before}`);
    }
    if (!passes.includes('cone') && !passes.includes('merge')) {
        const [before, after] = [shortestOf(plain), shortestOf(report)];
        agree(before === after, () => `${here}: ${after}, without passes ${before}`);
    }
    if (!passes.includes('cone')) {
        // Deadlocks that differ in nothing that anybody reads may be one.
        const { deadlocks } = report;
        const isChecked = properties?.includes('deadlock') ?? !side.analysis.sequential!.allowsDeadlock;
        // If they are not checked, symmetric states may differ in that, and another one may be stored.
        const isAlike = passes.includes('reset')
            ? !isChecked || (deadlocks <= plain.deadlocks && deadlocks > 0 === plain.deadlocks > 0)
            : deadlocks === plain.deadlocks;
        agree(isAlike, () => `${here}: ${deadlocks} deadlocks, without passes ${plain.deadlocks}`);
    }
}

/** Passes add no states, unless symmetries do not keep the cone: then those that do add none to the passes alone. */
function agreeOnSize(
    side: Side,
    plain: ExplorationReport,
    report: ExplorationReport,
    options: ReducedExplorationOptions & { readonly passes: readonly PassName[] },
    here: string,
): void {
    if (report.states <= plain.states) {
        return;
    }
    agree(
        options.reduction !== 'none' && options.passes.includes('cone'),
        () => `${here}: ${report.states} states, ${plain.states} without passes`,
    );
    const unreduced = explore(side, { ...options, reduction: 'none' }).report.states;
    agree(
        report.states <= unreduced,
        () => `${here}: ${report.states} states, ${plain.states} without passes and ${unreduced} without reduction`,
    );
}

function violationsOf({ violations }: ExplorationReport): string {
    return [...new Set(violations.map(({ kind, name }) => `${kind} ${name}`))].sort().join(', ');
}

/** How many states the shortest trace to each kind of violation has. */
function shortestOf({ violations }: ExplorationReport): string {
    const shortest = new Map<string, number>();
    for (const { kind, name, trace } of violations) {
        const violation = `${kind} ${name}`;
        shortest.set(violation, Math.min(trace.length, shortest.get(violation) ?? Infinity));
    }
    return [...shortest]
        .map(([violation, length]) => `${violation} after ${length}`)
        .sort()
        .join(', ');
}

function countsOf({ states, transitions, depth, deadlocks, violations }: ExplorationReport): string {
    const lengths = violations.map(({ kind, name, trace }) => `${kind} ${name} after ${trace.length}`).sort();
    return [`${states} states, ${transitions} transitions, depth ${depth}, ${deadlocks} deadlocks`, ...lengths].join(
        '; ',
    );
}
