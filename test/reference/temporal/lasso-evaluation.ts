/** The truth of formulas on a given lasso: a path of positions whose end goes on with an earlier position. */
import type { PropertyMember, SequentialModel, TemporalFormula } from '../../../engine/sequential/sequential-model.js';
import { truthsOfAtoms, truthsOfConstraint, type Truths } from './atom-truths.js';
import type { FullGraph } from './full-graph.js';

/** Positions are firings of a graph. After the last one comes the one at `loopStart`. */
export interface GraphLasso {
    readonly positions: readonly number[];
    readonly loopStart: number;
}

/** Whether it is a fair run of the model. */
export function isFairRun(model: SequentialModel, graph: FullGraph, { positions, loopStart }: GraphLasso): boolean {
    const firings = positions.map(position => graph.firings[position]!);
    const isRun =
        graph.initial.includes(firings[0]!.from) &&
        firings.every(({ to }, index) => to === (firings[index + 1] ?? firings[loopStart]!).from);
    const loop = positions.slice(loopStart);
    return (
        isRun &&
        model.fairness.every(constraint => {
            const [asked, met] = truthsOfConstraint(model, graph, constraint);
            return !loop.some(position => asked[position]!) || loop.some(position => met[position]!);
        })
    );
}

/** Whether the formula holds at the first position. */
export function holdsOnLasso(
    model: SequentialModel,
    graph: FullGraph,
    { positions, loopStart }: GraphLasso,
    { atoms, formula }: Pick<PropertyMember, 'atoms' | 'formula'>,
): boolean {
    const truths = truthsOfAtoms(model, graph, atoms);
    const onLasso = truths.map(truth => positions.map(position => truth[position]!));
    return evaluateOnLasso(formula, onLasso, positions.length, loopStart)[0]!;
}

/** By position 0 … length - 1; so are the truths of the atoms. */
function evaluateOnLasso(
    formula: TemporalFormula,
    atoms: readonly Truths[],
    length: number,
    loopStart: number,
): boolean[] {
    const truthOf = (part: TemporalFormula): boolean[] => evaluateOnLasso(part, atoms, length, loopStart);
    const all = Array.from({ length }, (_, position) => position);
    switch (formula.kind) {
        case 'true':
            return all.map(() => true);
        case 'false':
            return all.map(() => false);
        case 'atom':
            return all.map(position => atoms[formula.atom]![position]! !== formula.isNegated);
        case 'and': {
            const operands = formula.operands.map(truthOf);
            return all.map(position => operands.every(operand => operand[position]!));
        }
        case 'or': {
            const operands = formula.operands.map(truthOf);
            return all.map(position => operands.some(operand => operand[position]!));
        }
        case 'until':
        case 'release': {
            const left = truthOf(formula.left);
            const right = truthOf(formula.right);
            const isUntil = formula.kind === 'until';
            // An until is the least solution, a release the greatest one.
            let truths = all.map(() => !isUntil);
            for (let isStable = false; !isStable;) {
                const next = all.map(position => {
                    const later = truths[position + 1] ?? truths[loopStart]!;
                    return isUntil
                        ? right[position]! || (left[position]! && later)
                        : right[position]! && (left[position]! || later);
                });
                isStable = next.every((truth, position) => truth === truths[position]);
                truths = next;
            }
            return truths;
        }
    }
}
