/**
 * A model with numbers without end beside the same text with a bound: the states of the bounded one have to lie in the
 * classes that the search stores, and its violations must be among those that are told. Classes are made here anew, from
 * the definition: two states are one if their numbers have the same order and the same distances up to the bound.
 */
import { createRandom } from '../../engine/common/random.js';
import { UnionFind } from '../../engine/common/union-find.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { numberSuccessors, type NumberSteps } from '../../engine/explore/number-successors.js';
import { Properties } from '../../engine/explore/properties.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { findSymmetries, startExploration, type Reduction } from '../../engine/pipeline.js';
import { NumberOrder } from '../../engine/explore/number-order.js';
import { codesIn } from '../../engine/sequential/numbers/enough-codes.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { withRealNumbers } from '../../engine/sequential/numbers/real-numbers.js';
import { literalImages } from '../../engine/symmetry/model-symmetry.js';
import { leastKept } from '../../engine/sequential/numbers/number-facts.js';
import type { NumberSort, SequentialModel } from '../../engine/sequential/sequential-model.js';
import { loadModel } from '../../language-server/load-model.js';

export interface Limits {
    /** The largest number of the bounded text. */
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
    const { sorts } = sequential.numbers;
    const kept = sorts.map(leastKept);
    const classes = classesOf(sequential, sorts, kept, mostClasses);
    const bounded = await boundedStates(text, bound, mostStates);
    if (classes === undefined || bounded === undefined) {
        return { kind: 'skipped' };
    }
    const met = new Set<string>();
    for (const state of bounded.states) {
        const key = keyOf(state, sorts, kept, sequential);
        if (!classes.keys.has(key)) {
            throw new Error(`a state is in no class: ${state.join()}\n${key}`);
        }
        met.add(key);
    }
    const none = explored(analysis, 'none');
    const unique = explored(analysis, 'unique');
    for (const report of [none, unique]) {
        checkVerdict(report, bounded.violated);
        await checkRuns(text, report);
    }
    checkMembers(sequential, sorts, kept, classes);
    const areOfOneBound = unique.numbers?.every((each, sort) => each.kept === kept[sort]) === true;
    if (areOfOneBound && unique.verdict === 'holds' && unique.growthRounds === 1) {
        const orbits = orbitCount(analysis, sorts, kept, classes);
        if (unique.states !== orbits) {
            throw new Error(`${unique.states} orbits are stored, ${orbits} are there`);
        }
    }
    if (none.verdict !== unique.verdict) {
        throw new Error(`verdicts differ: ${none.verdict}, ${unique.verdict}`);
    }
    const isExact = classes.isExact;
    if (none.growthRounds === 1 && none.verdict === 'holds' && none.states !== classes.keys.size) {
        throw new Error(`${none.states} states are stored, ${classes.keys.size} are there`);
    }
    if (isExact && none.verdict === 'undecided') {
        throw new Error('all steps are exact, but nothing is decided');
    }
    return {
        kind: 'agreed',
        verdict: none.verdict,
        classes: classes.keys.size,
        isExact,
        areAllMet: met.size === classes.keys.size,
        group: analysis.symmetry?.startGroup.order ?? 1n,
    };
}

function explored(analysis: ReturnType<typeof findSymmetries>, reduction: Reduction): ExplorationReport {
    const { exploration } = startExploration(analysis, { reduction }, UNLIMITED);
    while (!exploration.advance(UNLIMITED));
    const { report } = exploration.result();
    if (report === undefined) {
        throw new Error('an exploration has a report');
    }
    return report;
}

/** What holds for all numbers holds for small ones; what is violated has a run with real numbers. */
function checkVerdict(report: ExplorationReport, violated: ReadonlySet<string>): void {
    if (report.verdict === 'holds' && violated.size > 0) {
        throw new Error(`it holds, but is violated with small numbers: ${[...violated].join(', ')}`);
    }
}

interface Classes {
    /** By the text of its form a state of each class. */
    readonly keys: ReadonlyMap<string, Int32Array>;
    readonly isExact: boolean;
}

/** Each run that is told is one of the bounded text, with a bound that is large enough. */
async function checkRuns(text: string, { violations }: ExplorationReport): Promise<void> {
    for (const { run, kind, name, invariant } of violations) {
        const most = Math.max(...run.states.flatMap(state => Array.from(state)));
        const sequential = await boundedModel(text, most + 9);
        const successors = interpretedSuccessors(sequential);
        const properties = new Properties(sequential, undefined);
        if (!new InitialStates(sequential).includes(run.states[0]!)) {
            throw new Error('a run begins in no initial state');
        }
        run.states.forEach((state, index) => {
            const found: string[] = [];
            const next = run.states[index + 1];
            let firings = 0;
            successors.forEachFiring(state, {
                fired: (summand, successor) => {
                    firings++;
                    if (next !== undefined && summand === run.firings[index] && successor.join() === next.join()) {
                        found.push('step');
                    }
                    return true;
                },
                faulted: (_, fault) => {
                    firings++;
                    found.push(`fault ${fault.kind}`);
                    return true;
                },
            });
            if (next === undefined) {
                properties.checkState(state, finding => found.push(`${finding.kind} ${finding.name}`));
                if (firings === 0 && properties.isDeadlock(state, () => undefined)) {
                    found.push('deadlock deadlock');
                }
            }
            if (!found.includes(next === undefined ? `${kind} ${name}` : 'step')) {
                throw new Error(`a run is not real at ${index}: ${kind} ${invariant ?? name}, found ${found.join()}`);
            }
        });
    }
}

/** Three states of each class, with long distances of other lengths: what they lead to is in some class. */
function checkMembers(
    model: SequentialModel,
    sorts: readonly NumberSort[],
    kept: readonly number[],
    { keys }: Classes,
): void {
    const successors = interpretedSuccessors(withRealNumbers(model));
    const random = createRandom(keys.size);
    for (const [key, state] of [...keys].slice(0, 300)) {
        let enabled: string | undefined;
        for (let member = 0; member < 3; member++) {
            const other = stretched(state, sorts, kept, model, () => random.below(8));
            if (keyOf(other, sorts, kept, model) !== key) {
                throw new Error('a stretched state is of another class');
            }
            const fired = new Set<number | string>();
            successors.forEachFiring(other, {
                fired: (summand, successor) => {
                    fired.add(summand);
                    if (!keys.has(keyOf(successor, sorts, kept, model))) {
                        throw new Error(`a state far away leads to no class: ${other.join()} to ${successor.join()}`);
                    }
                    return true;
                },
                faulted: (summand, { kind }) => fired.add(`${summand} ${kind}`).size > 0,
            });
            const text = [...fired].sort().join();
            enabled ??= text;
            if (enabled !== text) {
                throw new Error(`states of one class have other steps: ${enabled} and ${text}`);
            }
        }
    }
}

/** The state with each long distance made longer by multiples of the modulus. */
function stretched(
    state: Readonly<Int32Array>,
    sorts: readonly NumberSort[],
    kept: readonly number[],
    { cells }: Pick<SequentialModel, 'cells'>,
    more: () => number,
): Int32Array {
    const other = state.slice();
    sorts.forEach(({ cells: own, told, modulus }, sort) => {
        const offset = (cell: number): number => (cells[cell]!.domain.kind === 'optional' ? 1 : 0);
        const held = own.filter(cell => state[cell]! >= offset(cell));
        const values = [...new Set([...(told ? [0] : []), ...held.map(cell => state[cell]! - offset(cell))])];
        values.sort((first, second) => first - second);
        let added = told ? 0 : more() * modulus;
        values.forEach((value, index) => {
            const isLong = index > 0 && value - values[index - 1]! >= kept[sort]!;
            added += isLong ? more() * modulus : 0;
            held.filter(cell => state[cell]! - offset(cell) === value).forEach(cell => (other[cell]! += added));
        });
    });
    return other;
}

function orbitCount(
    { symmetry }: ReturnType<typeof findSymmetries>,
    sorts: readonly NumberSort[],
    kept: readonly number[],
    { keys }: Classes,
): number {
    const model = symmetry!.constraints.sequential;
    const numbers = new Map([...keys.keys()].map((key, index) => [key, index]));
    const orbits = new UnionFind(keys.size);
    for (const { cells, codeOf } of literalImages(symmetry!.startGroup)) {
        for (const [key, state] of keys) {
            const image = new Int32Array(state.length);
            state.forEach((code, cell) => (image[cells[cell]!] = code < 0 ? code : codeOf(cell, code)!));
            const other = numbers.get(keyOf(image, sorts, kept, model));
            if (other === undefined) {
                throw new Error('the image of a class is none');
            }
            orbits.union(numbers.get(key)!, other);
        }
    }
    return orbits.setCount;
}

/** All classes by the engine's steps, as the texts of their normal forms. */
function classesOf(
    model: SequentialModel,
    sorts: readonly NumberSort[],
    kept: readonly number[],
    most: number,
): Classes | undefined {
    const order = new NumberOrder(model.cells, sorts, kept, codesIn({ sequential: model }) * 4);
    const steps: NumberSteps = { order, inexact: new Map() };
    const successors = numberSuccessors(model, steps);
    const keys = new Map<string, Int32Array>();
    const waiting: Int32Array[] = [];
    const add = (state: Int32Array): void => {
        const key = keyOf(state, sorts, kept, model);
        if (!keys.has(key)) {
            keys.set(key, state);
            waiting.push(state);
        }
    };
    const initial = new InitialStates(model);
    const state = new Int32Array(model.cells.length);
    while (initial.nextInto(state, UNLIMITED)) {
        const first = state.slice();
        order.normalize(first);
        add(first);
    }
    let isTooMany = false;
    for (let next = waiting.pop(); next !== undefined && keys.size <= most && !isTooMany; next = waiting.pop()) {
        successors.forEachFiring(next, {
            fired: (_, successor) => {
                add(successor.slice());
                return true;
            },
            faulted: (_, { kind }) => {
                isTooMany ||= kind === 'numbers';
                return true;
            },
        });
    }
    return keys.size > most || isTooMany ? undefined : { keys, isExact: steps.inexact.size === 0 };
}

/** The states of the bounded text that are reached without a number beyond it, and what is violated in them. */
async function boundedStates(
    text: string,
    bound: number,
    most: number,
): Promise<{ readonly states: readonly Int32Array[]; readonly violated: ReadonlySet<string> } | undefined> {
    const sequential = await boundedModel(text, bound);
    const successors = interpretedSuccessors(sequential);
    const properties = new Properties(sequential, undefined);
    const violated = new Set<string>();
    const seen = new Set<string>();
    const states: Int32Array[] = [];
    const add = (state: Int32Array): void => {
        const key = state.join();
        if (!seen.has(key)) {
            seen.add(key);
            states.push(state);
        }
    };
    const initial = new InitialStates(sequential);
    const first = new Int32Array(sequential.cells.length);
    while (initial.nextInto(first, UNLIMITED)) {
        add(first.slice());
    }
    for (let index = 0; index < states.length; index++) {
        const state = states[index]!;
        if (states.length > most) {
            return undefined;
        }
        properties.checkState(state, ({ kind, name }) => violated.add(`${kind} ${name}`));
        let firings = 0;
        successors.forEachFiring(state, {
            fired: (_, successor) => {
                firings++;
                add(successor.slice());
                return true;
            },
            faulted: (_, { kind }) => {
                firings++;
                if (kind !== 'range' && kind !== 'outside') {
                    violated.add(`fault ${kind}`);
                }
                return true;
            },
        });
        if (firings === 0 && properties.checksDeadlock && properties.isDeadlock(state, () => undefined)) {
            violated.add('deadlock');
        }
    }
    return { states, violated };
}

/** The same text with a bound. */
async function boundedModel(text: string, bound: number): Promise<SequentialModel> {
    const bounded = text.replaceAll(/\bnat\b/g, 'Nat').replace(/^model (\w+)/, `model $1\ntype Nat = 0 .. ${bound}`);
    const { model, problems } = await loadModel(bounded, 'file:///bounded.orbit');
    const sequential = model && linearize(model).sequential;
    if (sequential === undefined) {
        throw new Error(`the bounded text is no model: ${problems.map(({ message }) => message).join()}`);
    }
    return sequential;
}

/** A text that is the same for the states of one class. */
function keyOf(
    state: Readonly<Int32Array>,
    sorts: readonly NumberSort[],
    kept: readonly number[],
    { cells }: Pick<SequentialModel, 'cells'>,
): string {
    const texts = Array.from(state, String);
    sorts.forEach(({ cells: own, told, modulus }, sort) => {
        const valueIn = (cell: number): number | undefined => {
            const value = state[cell]! - (cells[cell]!.domain.kind === 'optional' ? 1 : 0);
            return value < 0 ? undefined : value;
        };
        const values = [...(told ? [0] : []), ...own.flatMap(cell => valueIn(cell) ?? [])];
        const bound = kept[sort]!;
        for (const cell of own) {
            const value = valueIn(cell);
            if (value !== undefined) {
                // The chain from the least number up to this one, link by link.
                const below = [...new Set(values)].filter(other => other < value).sort((one, other) => one - other);
                const links = [...below, value].map((each, index, all) => {
                    const distance = index === 0 ? 0 : each - all[index - 1]!;
                    const rest = modulus === 1 ? '' : ` of ${distance % modulus}`;
                    return distance < bound ? `${distance}` : `long${rest}`;
                });
                const least = Math.min(...values);
                texts[cell] = `[${modulus === 1 ? '' : `${least % modulus}: `}${links.join(' ')}]`;
            }
        }
    });
    return texts.join(' ');
}
