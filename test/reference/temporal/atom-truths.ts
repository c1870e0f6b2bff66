/** Atoms and conditions over them at each position of a graph, by their definitions. */
import { Compiler } from '../../../engine/sequential/expression/evaluate.js';
import type {
    FairnessConstraint,
    SequentialModel,
    TemporalAtom,
    TemporalFormula,
} from '../../../engine/sequential/sequential-model.js';
import type { FullGraph } from './full-graph.js';

/** By position, which is a firing and the state it leaves. */
export type Truths = readonly boolean[];

/** By atom. Throws Fault if one cannot be evaluated in some state. */
export function truthsOfAtoms(model: SequentialModel, graph: FullGraph, atoms: readonly TemporalAtom[]): Truths[] {
    const compiler = new Compiler(model.cells);
    const truths: Truths[] = [];
    for (const atom of atoms) {
        truths.push(truthsOfAtom(compiler, graph, atom, truths));
    }
    return truths;
}

/** Where the constraint is asked, and where it is met. Throws Fault. */
export function truthsOfConstraint(
    model: SequentialModel,
    graph: FullGraph,
    { atoms, asked, met }: FairnessConstraint,
): readonly [asked: Truths, met: Truths] {
    const truths = truthsOfAtoms(model, graph, atoms);
    return [
        truthsOfCondition(asked, truths, graph.firings.length),
        truthsOfCondition(met, truths, graph.firings.length),
    ];
}

/** `before` are the truths of the atoms before it. */
function truthsOfAtom(compiler: Compiler, graph: FullGraph, atom: TemporalAtom, before: readonly Truths[]): Truths {
    switch (atom.kind) {
        case 'state': {
            const holds = compiler.condition(atom.expression);
            const byState = graph.states.map(state => holds(state));
            return graph.firings.map(({ from }) => byState[from]!);
        }
        case 'taken':
            return graph.firings.map(({ summand }) => atom.summands.includes(summand));
        case 'enabled': {
            const byState = graph.leaving.map((leaving, state) =>
                [...graph.outside[state]!, ...leaving.map(firing => graph.firings[firing]!.summand)].some(summand =>
                    atom.summands.includes(summand),
                ),
            );
            return graph.firings.map(({ from }) => byState[from]!);
        }
        case 'possible': {
            const condition = truthsOfCondition(atom.condition, before, graph.firings.length);
            const reaching = reachingStates(
                graph,
                graph.firings.flatMap(({ from }, position) => (condition[position]! ? [from] : [])),
            );
            return graph.firings.map(({ from }) => reaching.has(from));
        }
    }
}

/** The states from which some path of length 0 or more comes to one of `goals`. */
function reachingStates(graph: FullGraph, goals: readonly number[]): ReadonlySet<number> {
    const predecessors = graph.states.map((): number[] => []);
    for (const { from, to } of graph.firings) {
        predecessors[to]!.push(from);
    }
    const reaching = new Set(goals);
    // The iteration includes states that are added during it.
    for (const state of reaching) {
        predecessors[state]!.forEach(predecessor => reaching.add(predecessor));
    }
    return reaching;
}

/** The truths of a formula without until and release, whose atoms have these truths. */
function truthsOfCondition(formula: TemporalFormula, atoms: readonly Truths[], positionCount: number): Truths {
    const holdsAt = (part: TemporalFormula, position: number): boolean => {
        switch (part.kind) {
            case 'true':
                return true;
            case 'false':
                return false;
            case 'atom':
                return atoms[part.atom]![position]! !== part.isNegated;
            case 'and':
                return part.operands.every(operand => holdsAt(operand, position));
            case 'or':
                return part.operands.some(operand => holdsAt(operand, position));
            case 'until':
            case 'release':
                throw new Error('a condition is about one position');
        }
    };
    return Array.from({ length: positionCount }, (_, position) => holdsAt(formula, position));
}
