/**
 * Whether a property holds on every fair run, by the definition, on the full graph of a model.
 *
 * A *node* is a position (a firing and the state it leaves) with a guessed truth value for each subformula. Guesses fit
 * together along edges. `f until g` guessed true must be met by g, `f release g` guessed false by a g that is false:
 * these are requests, as the fairness constraints are. The property is violated if a fair component can be reached from
 * an initial state with the formula guessed false.
 */
import { Fault } from '../../../engine/sequential/expression/evaluate.js';
import type { PropertyMember, SequentialModel, TemporalFormula } from '../../../engine/sequential/sequential-model.js';
import { truthsOfAtoms, truthsOfConstraint, type Truths } from './atom-truths.js';
import { fairComponent, type Request } from './fair-component.js';
import type { FullGraph } from './full-graph.js';
import type { GraphLasso } from './lasso-evaluation.js';

/** `fault`: an atom of the property, or of a constraint, cannot be evaluated in some reachable state. */
export type ReferenceVerdict = 'holds' | 'violated' | 'fault';

export function referenceVerdict(model: SequentialModel, graph: FullGraph, member: PropertyMember): ReferenceVerdict {
    try {
        return violationOf(model, graph, member) === undefined ? 'holds' : 'violated';
    } catch (error) {
        if (error instanceof Fault) {
            return 'fault';
        }
        throw error;
    }
}

/** Whether some run satisfies all constraints. Throws Fault. */
export function hasFairRun(model: SequentialModel, graph: FullGraph): boolean {
    return violationOf(model, graph, { atoms: [], formula: { kind: 'false' } }) !== undefined;
}

/** A fair run that violates the property, not a short one; undefined if it holds. Throws Fault. */
export function violationOf(
    model: SequentialModel,
    graph: FullGraph,
    { atoms, formula }: Pick<PropertyMember, 'atoms' | 'formula'>,
): GraphLasso | undefined {
    const product = productOf(graph, formula, truthsOfAtoms(model, graph, atoms));
    const requests = [
        ...product.requests,
        ...model.fairness.map((constraint): Request => {
            const [asked, met] = truthsOfConstraint(model, graph, constraint);
            return {
                asked: product.positions.map(position => asked[position]!),
                met: product.positions.map(position => met[position]!),
            };
        }),
    ];
    const component = fairComponent(product.successors, requests);
    return component && lassoThrough(product, component, requests);
}

/** The nodes that can be reached from those that a run which violates the formula begins with. */
interface Product {
    readonly initial: readonly number[];
    /** By node. */
    readonly positions: readonly number[];
    readonly successors: readonly (readonly number[])[];
    /** One for each until and release. */
    readonly requests: readonly Request[];
}

type Guess = readonly boolean[];

function productOf(graph: FullGraph, formula: TemporalFormula, atoms: readonly Truths[]): Product {
    const subformulas = subformulasOf(formula);
    const recurrences = recurrencesOf(subformulas);
    const guessesAt = graph.firings.map((_, position) => guessesOf(subformulas, atom => atoms[atom]![position]!));
    const positions: number[] = [];
    const guesses: Guess[] = [];
    const known = new Map<string, number>();
    const nodeOf = (position: number, guess: Guess): number => {
        const key = `${position}: ${guess.join()}`;
        const node = known.get(key) ?? positions.length;
        if (node === positions.length) {
            known.set(key, node);
            positions.push(position);
            guesses.push(guess);
        }
        return node;
    };

    const whole = subformulas.indexOf(formula);
    const initial = graph.initial
        .flatMap(state => graph.leaving[state]!)
        .flatMap(position =>
            guessesAt[position]!.filter(guess => !guess[whole]!).map(guess => nodeOf(position, guess)),
        );
    const successors: (readonly number[])[] = [];
    const followers = new Map<string, readonly number[]>();
    for (let node = 0; node < positions.length; node++) {
        const guess = guesses[node]!;
        const { to } = graph.firings[positions[node]!]!;
        const key = `${to}: ${guess.join()}`;
        const following =
            followers.get(key) ??
            graph.leaving[to]!.flatMap(position =>
                guessesAt[position]!.filter(next => fits(recurrences, guess, next)).map(next => nodeOf(position, next)),
            );
        followers.set(key, following);
        successors.push(following);
    }
    const requests = recurrences.map(({ number, right, isUntil }): Request => ({
        asked: guesses.map(() => true),
        met: guesses.map(guess => guess[number] !== isUntil || guess[right] === isUntil),
    }));
    return { initial, positions, successors, requests };
}

/** All parts of a formula, each after its own parts. */
function subformulasOf(formula: TemporalFormula): TemporalFormula[] {
    switch (formula.kind) {
        case 'true':
        case 'false':
        case 'atom':
            return [formula];
        case 'and':
        case 'or':
            return [...new Set([...formula.operands.flatMap(subformulasOf), formula])];
        case 'until':
        case 'release':
            return [...new Set([...subformulasOf(formula.left), ...subformulasOf(formula.right), formula])];
    }
}

/** An until or release; it and its sides are indices of subformulas. */
interface Recurrence {
    readonly number: number;
    readonly left: number;
    readonly right: number;
    readonly isUntil: boolean;
}

function recurrencesOf(subformulas: readonly TemporalFormula[]): Recurrence[] {
    return subformulas.flatMap((part, number): Recurrence[] =>
        part.kind === 'until' || part.kind === 'release'
            ? [
                  {
                      number,
                      left: subformulas.indexOf(part.left),
                      right: subformulas.indexOf(part.right),
                      isUntil: part.kind === 'until',
                  },
              ]
            : [],
    );
}

/** Truth values for all subformulas that fit together at one position, whatever follows. */
function guessesOf(subformulas: readonly TemporalFormula[], isTrue: (atom: number) => boolean): Guess[] {
    const truthOf = (guess: Guess, part: TemporalFormula): boolean => guess[subformulas.indexOf(part)]!;
    return subformulas.reduce<Guess[]>(
        (guesses, part) =>
            guesses.flatMap((guess): Guess[] => {
                switch (part.kind) {
                    case 'true':
                        return [[...guess, true]];
                    case 'false':
                        return [[...guess, false]];
                    case 'atom':
                        return [[...guess, isTrue(part.atom) !== part.isNegated]];
                    case 'and':
                        return [[...guess, part.operands.every(operand => truthOf(guess, operand))]];
                    case 'or':
                        return [[...guess, part.operands.some(operand => truthOf(guess, operand))]];
                    case 'until':
                    case 'release':
                        return [
                            [...guess, false],
                            [...guess, true],
                        ];
                }
            }),
        [[]],
    );
}

/** Whether `next` may follow `guess`: an until or release is true here by what is true here and by itself later. */
function fits(recurrences: readonly Recurrence[], guess: Guess, next: Guess): boolean {
    return recurrences.every(({ number, left, right, isUntil }) => {
        const later = next[number]!;
        return (
            guess[number] ===
            (isUntil ? guess[right]! || (guess[left]! && later) : guess[right]! && (guess[left]! || later))
        );
    });
}

/** A path to the component, then round it past a node that meets each request that can be met there. */
function lassoThrough(
    { initial, positions, successors }: Product,
    component: readonly number[],
    requests: readonly Request[],
): GraphLasso {
    const inside = new Set(component);
    const stem = pathTo(
        initial,
        node => inside.has(node),
        node => successors[node]!,
    );
    const entrance = stem.at(-1)!;
    const loop = [entrance];
    const goOnTo = (isGoal: (node: number) => boolean): void => {
        const following = (node: number): number[] => successors[node]!.filter(successor => inside.has(successor));
        loop.push(...pathTo(following(loop.at(-1)!), isGoal, following));
    };
    for (const { met } of requests) {
        if (component.some(node => met[node]!)) {
            goOnTo(node => met[node]!);
        }
    }
    goOnTo(node => node === entrance);
    const nodes = [...stem.slice(0, -1), ...loop.slice(0, -1)];
    return { positions: nodes.map(node => positions[node]!), loopStart: stem.length - 1 };
}

/** A shortest path from one of `starts` to a goal, both included. */
function pathTo(
    starts: readonly number[],
    isGoal: (node: number) => boolean,
    following: (node: number) => readonly number[],
): number[] {
    const predecessor = new Map(starts.map((start): [number, number | undefined] => [start, undefined]));
    for (const node of predecessor.keys()) {
        if (isGoal(node)) {
            const path = [node];
            for (let before = predecessor.get(node); before !== undefined; before = predecessor.get(before)) {
                path.unshift(before);
            }
            return path;
        }
        for (const next of following(node)) {
            if (!predecessor.has(next)) {
                predecessor.set(next, node);
            }
        }
    }
    throw new Error('there is no way');
}
