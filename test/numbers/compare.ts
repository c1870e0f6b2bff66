/**
 * A model with numbers without end beside the reference, which computes with the numbers themselves: real states lie in
 * the classes that a search stores, all of a class do the same, what holds is violated nowhere near, runs are real, more
 * distances change no verdict, and orbits are those of the classes.
 */
import { createRandom } from '../../engine/common/random.js';
import { UnionFind } from '../../engine/common/union-find.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { ExplorationReport, Violation } from '../../engine/explore/verdict.js';
import { findSymmetries, startExploration, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { leastKept } from '../../engine/sequential/numbers/number-facts.js';
import { literalImages } from '../../engine/symmetry/model-symmetry.js';
import { loadModel } from '../../language-server/load-model.js';
import { agree, type EngineView } from '../agreement/engine-view.js';
import type { Semantics, State } from '../reference/interpreter.js';
import { classOf, type Sort, statesUpTo, stretched, violationsIn, withBound } from '../reference/real-numbers.js';
import { boundedModel, type Classes, classesOf, HIGH, sortsOf, viewOf } from './named-classes.js';

export interface Limits {
    /** The largest number of the states that are listed. */
    readonly bound: number;
    readonly classes: number;
    readonly states: number;
}

export type Comparison =
    | { readonly kind: 'rejected'; readonly codes: readonly string[] }
    | { readonly kind: 'skipped' }
    | {
          readonly kind: 'agreed';
          readonly verdict: ExplorationReport['verdict'];
          readonly classes: number;
          readonly isExact: boolean;
          /** Whether all classes have a state within the bound. */
          readonly areAllMet: boolean;
          readonly group: bigint;
      };

/** Larger than all numbers of a walk through the classes, which goes on with one state of each. */
const WIDE = 4000;

/** Of so many classes the states are made longer. */
const MOST_MEMBERS = 200;

/** Throws where the two do not agree. */
export async function compare(
    text: string,
    { bound, classes: mostClasses, states: mostStates }: Limits,
): Promise<Comparison> {
    const { model, problems } = await loadModel(text, 'file:///random.orbit');
    if (model === undefined) {
        return { kind: 'rejected', codes: problems.map(({ code }) => code) };
    }
    const analysis = findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    const { sequential } = analysis;
    if (sequential?.numbers === undefined) {
        return { kind: 'rejected', codes: analysis.problems.map(({ code }) => code) };
    }
    const semantics = withBound(text, HIGH);
    const view = viewOf(await boundedModel(text), semantics);
    const kept = sequential.numbers.sorts.map(leastKept);
    const sorts = sortsOf(sequential, kept);
    const classes = classesOf(sequential, kept, mostClasses, state => classOf(view.stateOf(state), sorts));
    const near = statesUpTo(semantics, bound + greatestFirst(semantics), mostStates);
    if (classes === undefined || near === undefined) {
        return { kind: 'skipped' };
    }
    const met = new Set(near.states.map(state => classOf(state, sorts)));
    met.forEach(name => agree(classes.states.has(name), () => `a state of the reference is in no class:\n${name}`));
    if (classes.isExact && met.size < classes.states.size) {
        agreeOnAll(withBound(text, WIDE), sorts, classes);
    }
    agreeOnMembers(semantics, view, sorts, classes);
    const none = explored(analysis, { reduction: 'none' });
    const unique = explored(analysis, { reduction: 'unique' });
    const further = explored(analysis, { reduction: 'none', leastDistances: Math.max(...kept) });
    const reports = [none, unique, further];
    if (none.verdict === 'violated') {
        const all = { continueAfterViolation: true } as const;
        reports.push(
            explored(analysis, { reduction: 'none', ...all }),
            explored(analysis, { reduction: 'unique', ...all }),
        );
    }
    const decided = reports.filter(({ verdict }) => verdict !== 'undecided').map(({ verdict }) => verdict);
    agree(
        new Set(decided).size <= 1 && (none.verdict === 'undecided' || decided.length === reports.length),
        () => `verdicts differ: ${reports.map(({ verdict }) => verdict).join()}`,
    );
    for (const { verdict, violations } of reports) {
        agree(
            verdict !== 'holds' || near.violated.size === 0,
            () => `it holds, but is violated with small numbers: ${[...near.violated].join(', ')}`,
        );
        violations.forEach(violation => {
            agreeThatReal(violation, semantics, view);
        });
    }
    agree(!classes.isExact || none.verdict !== 'undecided', () => 'all steps are exact, but nothing is decided');
    const orbits = orbitCount(analysis, classes, state => classOf(view.stateOf(state), sorts));
    const [ofAll = none, ofOrbits = unique] = reports.slice(3);
    agreeOnCounts(ofAll, classes.states.size, kept);
    agreeOnCounts(ofOrbits, orbits, kept);
    return {
        kind: 'agreed',
        verdict: none.verdict,
        classes: classes.states.size,
        isExact: classes.isExact,
        areAllMet: met.size === classes.states.size,
        group: analysis.symmetry?.startGroup.order ?? 1n,
    };
}

type Analyzed = ReturnType<typeof findSymmetries>;

function explored(analysis: Analyzed, options: ReducedExplorationOptions): ExplorationReport {
    const { exploration } = startExploration(analysis, options, UNLIMITED);
    while (!exploration.advance(UNLIMITED));
    const { report } = exploration.result();
    if (report === undefined) {
        throw new Error('an exploration has a report');
    }
    return report;
}

/** If the last search has these bounds and was not ended early, it has stored so many. */
function agreeOnCounts(
    { verdict, numbers = [], states }: ExplorationReport,
    count: number,
    kept: readonly number[],
): void {
    const isOfThese = numbers.every((each, sort) => each.kept === kept[sort]);
    if (verdict !== 'undecided' && isOfThese) {
        agree(states === count, () => `${states} are stored, ${count} are there`);
    }
}

function greatestFirst(semantics: Semantics): number {
    const values = (semantics.initialStates() ?? []).flatMap(state => [...state.values()]);
    return Math.max(0, ...values.filter(value => typeof value === 'number'));
}

/** If all steps are exact, real runs come to all classes: from any state of a class to all that follow on it. */
function agreeOnAll(semantics: Semantics, sorts: readonly Sort[], { states, targets }: Classes): void {
    const met = new Map<string, State>();
    semantics.initialStates()!.forEach(state => met.set(classOf(state, sorts), state));
    // A map is read in the order in which it was filled, entries added meanwhile included.
    for (const [name, state] of met) {
        const to = new Set<string>();
        for (const { successor, fault } of semantics.fire(state)) {
            if (fault === 'range') {
                return;
            }
            if (successor !== undefined) {
                const next = classOf(successor, sorts);
                to.add(next);
                met.set(next, met.get(next) ?? successor);
            }
        }
        agree(areEqual(to, targets.get(name)), () => `a real state has other steps than its class\n${name}`);
    }
    agree(met.size === states.size, () => `${states.size} classes are stored, real runs come to ${met.size}`);
}

function areEqual(first: ReadonlySet<string>, second: ReadonlySet<string> | undefined): boolean {
    return first.size === second?.size && [...first].every(each => second.has(each));
}

/** States of one class have the same steps, which lead to classes that follow on it; if all steps are exact, to all of them. */
function agreeOnMembers(
    semantics: Semantics,
    view: Pick<EngineView, 'stateOf'>,
    sorts: readonly Sort[],
    { states, targets, isExact }: Classes,
): void {
    const random = createRandom(states.size);
    for (const [name, codes] of [...states].slice(0, MOST_MEMBERS)) {
        const state = view.stateOf(codes);
        const does = [0, 1, 2].map(() => {
            const member = stretched(state, sorts, () => random.below(8));
            agree(classOf(member, sorts) === name, () => 'a state that is made longer is of another class');
            const reached = new Set<string>();
            const firings = semantics.fire(member).map(({ steps, successor, fault }) => {
                const who = steps.map(({ instance, step }) => `${instance.name} ${step.id}`).join(' & ');
                const to = successor === undefined ? fault : classOf(successor, sorts);
                agree(
                    successor === undefined || targets.get(name)?.has(to!) === true,
                    () => `${who} leads from\n${name}\nto no class that follows on it:\n${to!}`,
                );
                if (successor !== undefined) {
                    reached.add(to!);
                }
                return isExact || (successor === undefined && fault !== 'outside') ? `${who} to ${to!}` : who;
            });
            agree(
                !isExact || areEqual(reached, targets.get(name)),
                () => `not all steps of an exact class are real:\n${name}`,
            );
            return [...new Set([...firings, ...violationsIn(semantics, member)])].sort().join('\n');
        });
        agree(new Set(does).size === 1, () => `states of one class do not do the same:\n${does.join('\n\n')}`);
    }
}

/** A run that is told is one of the reference. */
function agreeThatReal({ run, kind, name }: Violation, semantics: Semantics, view: Pick<EngineView, 'stateOf'>): void {
    if (run.states.some(state => state.some(code => code >= HIGH))) {
        return;
    }
    const states = run.states.map(state => view.stateOf(state));
    const initial = (semantics.initialStates() ?? []).map(semantics.key);
    agree(initial.includes(semantics.key(states[0]!)), () => 'a run begins in no initial state');
    states.slice(1).forEach((state, index) => {
        const found = semantics
            .fire(states[index]!)
            .some(({ successor }) => successor !== undefined && semantics.key(successor) === semantics.key(state));
        agree(found, () => `step ${index + 1} of a run is none of the reference`);
    });
    const violated = violationsIn(semantics, states.at(-1)!);
    agree(violated.includes(`${kind} ${name}`), () => `a run to ${kind} ${name} ends with ${violated.join()}`);
}

function orbitCount({ symmetry }: Analyzed, { states }: Classes, nameOf: (state: Int32Array) => string): number {
    const numbers = new Map([...states.keys()].map((name, index) => [name, index]));
    const orbits = new UnionFind(states.size);
    for (const { cells, codeOf } of literalImages(symmetry!.startGroup)) {
        for (const [name, state] of states) {
            const image = new Int32Array(state.length);
            state.forEach((code, cell) => (image[cells[cell]!] = code < 0 ? code : codeOf(cell, code)!));
            const other = numbers.get(nameOf(image));
            agree(other !== undefined, () => 'the image of a class is none');
            orbits.union(numbers.get(name)!, other!);
        }
    }
    return orbits.setCount;
}
