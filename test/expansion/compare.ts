/**
 * A search that only expands states beside the engine's own: the same counts and kinds of violations, and a run to each.
 * The search is as simple as a search can be, and keeps states as text.
 */
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { Expansion } from '../../engine/verdict/expansion.js';
import type { Finding } from '../../engine/explore/properties.js';
import type { CertainOrder } from '../../engine/explore/stubborn.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import type { Model } from '../../engine/model/model.js';
import { withSlots } from '../../engine/model/with-slots.js';
import { PASSES, type PassName } from '../../engine/passes/pass-names.js';
import { type Analysis, findSymmetries, startExploration } from '../../engine/pipeline.js';
import { keepsStart } from '../../engine/symmetry/groups.js';
import { loadModel } from '../../language-server/load-model.js';
import { agree } from '../agreement/engine-view.js';

export interface Way {
    readonly reduction: 'unique' | 'none';
    readonly passes: readonly PassName[];
    readonly partialOrder?: CertainOrder;
}

const CHOICES: readonly (readonly PassName[])[] = [[], ['narrow'], PASSES];
const ORDERS: readonly Pick<Way, 'partialOrder'>[] = [{}, { partialOrder: 'shortest' }, { partialOrder: 'fewest' }];
export const WAYS: readonly Way[] = (['unique', 'none'] as const).flatMap(reduction =>
    CHOICES.flatMap(passes => ORDERS.map(order => ({ reduction, passes, ...order }))),
);

export type Analyzed = Required<Pick<Analysis<undefined>, 'model' | 'sequential' | 'symmetry'>>;

/** Undefined if the model has errors. */
export function analyzed(model: Model | undefined): Analyzed | undefined {
    const { sequential, symmetry } = model ? findSymmetries(model, { now: () => 0, workLimit: UNLIMITED }) : {};
    return model === undefined || sequential === undefined || symmetry === undefined
        ? undefined
        : { model, sequential, symmetry };
}

export function expansionOf({ model, sequential, symmetry }: Analyzed, { reduction, ...options }: Way): Expansion {
    const { constraints, explorationGroup: group, startGroup, values } = symmetry;
    const movesStart = group !== startGroup && !keepsStart(constraints, group);
    const used = { constraints, group, ...(movesStart && { startGroup }), ...(values !== undefined && { values }) };
    return new Expansion(model, sequential, reduction === 'none' ? undefined : used, options);
}

interface Found {
    readonly states: number;
    readonly depth: number;
    readonly transitions: number;
    readonly findings: readonly string[];
}

/** What was compared. */
export interface Compared extends Found {
    readonly order: bigint;
}

/** Compares both searches of a text; undefined if it has errors or more states. Throws if they differ. */
export async function compare(text: string, way: Way, mostStates: number): Promise<Compared | undefined> {
    const analysis = analyzed((await loadModel(text, 'test:/model.orbit', [])).model);
    const report = analysis && reportOf(analysis, way, mostStates);
    if (analysis === undefined || report === undefined) {
        return undefined;
    }
    const expansion = expansionOf(analysis, way);
    const found = searchWith(expansion);
    agreeOnReport(found, report, way.reduction === 'unique');
    return { ...found, order: expansion.order };
}

/** The same of a model with templates, with as many instances as the engine's search takes; with fewer steps, as many kinds. */
export async function compareTemplates(text: string, mostStates: number): Promise<Compared | undefined> {
    const analysis = analyzed((await loadModel(text, 'test:/model.orbit', [])).model);
    const way = { reduction: 'unique', passes: [] } as const;
    const report = analysis && reportOf(analysis, way, mostStates);
    if (analysis === undefined || report === undefined) {
        return undefined;
    }
    const { processes } = analysis.model;
    const slots = (report.templates ?? []).map(({ name, slots: count }): [number, number] => [
        processes.findIndex(process => process.name === name),
        count,
    ]);
    const grown = analyzed(withSlots(analysis.model, new Map(slots)));
    invariant(grown !== undefined, 'it was explored so');
    const expansion = expansionOf(grown, way);
    const found = searchWith(expansion);
    if (report.reduction?.unique === true) {
        agreeOnReport(found, report, true);
    }
    for (const order of ORDERS) {
        const some = kindsOf(searchWith(expansionOf(grown, { ...way, ...order })).findings);
        const all = kindsOf(found.findings);
        agree(some === all, () => `found ${some}, with all steps ${all}`);
    }
    return { ...found, order: expansion.order };
}

function reportOf(analysis: Analyzed, way: Way, mostStates: number): ExplorationReport | undefined {
    const options = { ...way, continueAfterViolation: true, maxStates: mostStates, maxInstances: 6 };
    const { exploration } = startExploration(analysis, options, UNLIMITED);
    exploration.advance(UNLIMITED);
    const { report } = exploration.result();
    return report === undefined || report.limit !== undefined ? undefined : report;
}

function agreeOnReport(found: Found, report: ExplorationReport, isReduced: boolean): void {
    const { states, depth, transitions, findings } = found;
    const counts = { states, depth, transitions };
    for (const name of ['states', 'depth', 'transitions'] as const) {
        agree(counts[name] === report[name], () => `${counts[name]} ${name}, the engine ${report[name]}`);
    }
    // With symmetries one of several alike invariants, or places of a fault, stands for all.
    const kinds = isReduced ? kindsOf(findings) : textsOf(findings);
    // An expansion looks at states, not at runs.
    const told = report.violations.filter(({ kind }) => kind !== 'property').map(textOf);
    const expected = isReduced ? kindsOf(told) : textsOf(told);
    agree(kinds === expected, () => `found ${kinds}, the engine ${expected}`);
}

function textOf({ kind, name, range, invariant: within = '' }: Finding): string {
    return kind === 'fault'
        ? `${kind} ${name} ${range?.start.line}:${range?.start.character} ${within}`
        : `${kind} ${name}`;
}

function textsOf(findings: readonly string[]): string {
    return [...new Set(findings)].sort().join(', ');
}

function kindsOf(findings: readonly string[]): string {
    return textsOf(findings.map(text => text.split(' ', 1)[0] ?? ''));
}

/** States that are expanded together; fewer than one level often has. */
const BLOCK = 3;

/** The search of a driver, level by level, the last states of a block first. Each finding has a run. */
function searchWith(expansion: Expansion): Found {
    const parentOf = new Map<string, string | undefined>();
    const stateOf = new Map<string, string>();
    let level: string[] = [];
    const states = expansion.initialStates();
    for (let next = states.next(); next.done !== true; next = states.next()) {
        invariant(next.value !== undefined, 'the group of a small model is no work');
        const key = next.value.join();
        level.push(...(parentOf.has(key) ? [] : [key]));
        parentOf.set(key, undefined);
    }
    let depth = -1;
    for (; level.length > 0; depth++) {
        const from = new Map<string, string>();
        for (let start = 0; start < level.length; start += BLOCK) {
            expandBlock(expansion, level.slice(start, start + BLOCK).reverse(), from, stateOf);
        }
        level = [...from.keys()].filter(key => !parentOf.has(key));
        level.forEach(key => parentOf.set(key, from.get(key)));
    }
    const { transitions } = expansion;
    for (const [text, key] of stateOf) {
        const path: Uint32Array[] = [];
        for (let at: string | undefined = key; at !== undefined; at = parentOf.get(at)) {
            path.unshift(wordsOf([at]));
        }
        const run = expansion.follow(path);
        agree(run.kind === 'run' && run.finding !== undefined, () => `there is no run to ${text}`);
    }
    return { states: parentOf.size, depth, transitions, findings: [...stateOf.keys()] };
}

/** Adds successors with the state each comes from, and findings with the state they are in. */
function expandBlock(
    expansion: Expansion,
    block: readonly string[],
    from: Map<string, string>,
    stateOf: Map<string, string>,
): void {
    const told = (index: number, finding: Finding): void => {
        stateOf.set(textOf(finding), stateOf.get(textOf(finding)) ?? block[index]!);
    };
    expansion.expand(wordsOf(block), block.length, {
        successor: (index, representative) => {
            agree(expansion.wrongPart(representative, 0) === undefined, () => 'a successor is no state');
            from.set(representative.join(), block[index]!);
        },
        finding: told,
        fault: told,
        missed: () => {
            throw new Error('the engine has had enough slots');
        },
        undecided: () => {
            throw new Error('the engine has found all representatives');
        },
    });
}

export function wordsOf(keys: readonly string[]): Uint32Array {
    return Uint32Array.from(keys.flatMap(key => key.split(',').map(Number)));
}
