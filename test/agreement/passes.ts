/**
 * One model, explored with every choice of passes, under all symmetries and under none, for all properties and for single
 * ones: the same violations, where a pass keeps states one to one the same counts, and traces that are runs of the
 * reference.
 */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { DEFAULT_PASSES, PASSES, type PassName, type PassReport } from '../../engine/passes/pass-names.js';
import { analyze, startExploration, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { loadModel } from '../../language-server/load-model.js';
import { catchFault, interpret } from '../reference/interpreter.js';
import { parseModel } from '../reference/parse.js';
import { specialize } from '../reference/specialize.js';
import { exploreAll } from '../reference/state-space.js';
import { replay, type Side } from './compare.js';
import { agree, viewEngine } from './engine-view.js';

export interface PassesComparison {
    readonly states: number;
    readonly statesOfAllPasses: number;
    /** Of all passes together, for all properties and without reduction. */
    readonly reports: readonly PassReport[];
}

const CHOICES: readonly (readonly PassName[])[] = [DEFAULT_PASSES, PASSES, ...PASSES.map(pass => [pass])];

/** Undefined where the model is too large or one of the two does not accept it. Throws a Disagreement. */
export async function comparePasses(text: string, stateLimit: number): Promise<PassesComparison | undefined> {
    const semantics = interpret(specialize(parseModel(text), new Map()));
    const space = catchFault(() => exploreAll(semantics, stateLimit));
    if (typeof space === 'string' || space === undefined || space.isOpen || space.states.size === 0) {
        return undefined;
    }
    const { model } = await loadModel(text, 'test:/model.orbit', []);
    const analysis = model && analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false });
    if (analysis?.sequential === undefined) {
        return undefined;
    }
    const { sequential } = analysis;
    const side: Side = { analysis, view: viewEngine(sequential, semantics), semantics, space };
    const names = [
        ...sequential.invariants.map(({ name }) => name),
        ...(sequential.allowsDeadlock ? [] : ['deadlock']),
    ];
    let comparison: PassesComparison | undefined;
    for (const reduction of ['none', 'unique'] as const) {
        for (const properties of [undefined, ...names.map(name => [name])]) {
            const options: ReducedExplorationOptions = {
                reduction,
                continueAfterViolation: true,
                ...(properties !== undefined && { properties }),
            };
            const { report: plain } = explore(side, { ...options, passes: [] });
            for (const passes of CHOICES) {
                const { report, reports } = explore(side, { ...options, passes });
                const here = `${passes.join()} under '${reduction}' for ${properties?.join() ?? 'everything'}`;
                agreeOnReports(side, plain, report, passes, here);
                comparison ??= { states: plain.states, statesOfAllPasses: report.states, reports };
                if (passes === PASSES) {
                    const interpreted = explore(side, { ...options, passes, isInterpreted: true }).report;
                    const [one, other] = [countsOf(report), countsOf(interpreted)];
                    agree(one === other, () => `${here}: ${one} in generated code, ${other} in the interpreter`);
                    if (reduction === 'none' && properties === undefined) {
                        comparison = { states: plain.states, statesOfAllPasses: report.states, reports };
                    }
                }
            }
        }
    }
    return comparison;
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
    passes: readonly PassName[],
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
    } else {
        agree(report.states <= plain.states, () => `${here}: ${report.states} states, ${plain.states} without passes`);
    }
    if (!passes.includes('cone')) {
        const { deadlocks } = report;
        agree(deadlocks === plain.deadlocks, () => `${here}: ${deadlocks} deadlocks, not ${plain.deadlocks}`);
    }
}

function violationsOf({ violations }: ExplorationReport): string {
    return [...new Set(violations.map(({ kind, name }) => `${kind} ${name}`))].sort().join(', ');
}

function countsOf({ states, transitions, depth, deadlocks, violations }: ExplorationReport): string {
    const lengths = violations.map(({ kind, name, trace }) => `${kind} ${name} after ${trace.length}`).sort();
    return [`${states} states, ${transitions} transitions, depth ${depth}, ${deadlocks} deadlocks`, ...lengths].join(
        '; ',
    );
}
