/**
 * The graph of a model with one of the ten traps open: edges are cut, colors change or vertices are added. Vertices
 * keep their numbers, so that automorphisms can be read as permutations of literals.
 */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { ConstraintProblem } from '../../engine/constraints/constraint-problem.js';
import { domainSize } from '../../engine/model/domain.js';
import { findAutomorphisms } from '../../engine/graph/automorphisms.js';
import { GraphBuilder } from '../../engine/graph/graph-builder.js';
import type { SparsePermutation } from '../../engine/group/sparse-permutation.js';
import { encodeGraph, withFixedLiterals, type GraphEncoding } from '../../engine/symmetry/graph-encoding.js';
import { literalPoints, literalProjection, type LiteralPoints } from '../../engine/symmetry/model-symmetry.js';

interface Vertices {
    /** `kind:height` */
    readonly kinds: string[];
    readonly children: number[][];
}

export interface OpenTrap {
    readonly problem?: (problem: ConstraintProblem) => ConstraintProblem;
    readonly vertices?: (vertices: Vertices, encoding: GraphEncoding) => void;
}

const isKind = (kind: string, wanted: string): boolean => kind.startsWith(wanted);

/** 1: nothing ties the next copy of a literal to the literal. */
export const untiedCopies: OpenTrap = {
    vertices: ({ kinds, children }) => {
        kinds.forEach((kind, vertex) => {
            if (isKind(kind, 'next')) {
                children[vertex] = [];
            }
        });
    },
};

/** 2: what a summand does stands on a vertex of its own, and nothing joins it with the guard. */
export const looseEffects: OpenTrap = {
    vertices: ({ kinds, children }) => {
        kinds.slice().forEach((kind, vertex) => {
            if (isKind(kind, 'summand')) {
                const isEffect = (child: number): boolean => /^(next|effect|fault)/.test(kinds[child]!);
                kinds.push('effects:9');
                children.push(children[vertex]!.filter(isEffect));
                children[vertex] = children[vertex]!.filter(child => !isEffect(child));
            }
        });
    },
};

/** 3: that a step writes a variable leaves no trace. */
export const lostWrites: OpenTrap = {
    vertices: ({ kinds, children }) => {
        kinds.forEach((kind, vertex) => {
            const isNext = (child: number): boolean => isKind(kinds[child]!, 'next');
            children[vertex] = isKind(kind, 'next') ? [] : children[vertex]!.filter(child => !isNext(child));
        });
    },
};

/** 4: no value is a value like any other. */
export const noValueIsAValue: OpenTrap = {
    vertices: ({ kinds }) => {
        kinds.forEach((kind, vertex) => {
            kinds[vertex] = kind.replace('no-value', 'literal');
        });
    },
};

/** 5: any state may be initial. */
export const anyInitialState: OpenTrap = { problem: problem => ({ ...problem, initial: [] }) };

/** 6: what holds when a variable has a certain value does not depend on the value. */
export function valuesThatIndexNothing(cell: number): OpenTrap {
    return {
        vertices: ({ kinds, children }, { firstLiteral }) => {
            const isLiteral = (child: number): boolean =>
                child >= firstLiteral[cell]! && child < firstLiteral[cell + 1]!;
            kinds.forEach((kind, vertex) => {
                if (!isKind(kind, 'cell') && !isKind(kind, 'next')) {
                    children[vertex] = children[vertex]!.filter(child => !isLiteral(child));
                }
            });
        },
    };
}

/** 7: values that cannot occur are there. */
export const impossibleValues: OpenTrap = {
    problem: problem => ({
        ...problem,
        domains: problem.sequential.cells.map(({ domain, mayBeAbsent }) => [
            ...(mayBeAbsent ? [-1] : []),
            ...Array.from({ length: domainSize(domain) }, (_, code) => code),
        ]),
    }),
};

/** 8: a step that is at fault does not happen. */
export const faultsAreNothing: OpenTrap = {
    problem: problem => ({ ...problem, summands: problem.summands.map(summand => ({ ...summand, faults: [] })) }),
};

/** 8: all faults are alike. */
export const faultsAreAlike: OpenTrap = {
    vertices: ({ kinds }) => {
        kinds.forEach((kind, vertex) => {
            kinds[vertex] = kind.replace(/^fault:[^:]*/, 'fault');
        });
    },
};

/** 9: a summand is there as often as the model writes it. */
export const repeatedVertices: OpenTrap = {
    vertices: ({ kinds, children }, { problem, summandVertex }) => {
        problem.summands.forEach(({ sources }, index) => {
            for (let copy = 1; copy < sources.length; copy++) {
                kinds.push(kinds[summandVertex[index]!]!);
                children.push([...children[summandVertex[index]!]!]);
            }
        });
    },
};

/** 10: a rewriting makes conjuncts of the alternatives in a guard. */
export const alternativesAreConjuncts: OpenTrap = {
    vertices: ({ kinds, children }) => {
        kinds.forEach((kind, vertex) => {
            if (isKind(kind, 'summand')) {
                children[vertex] = children[vertex]!.flatMap(child =>
                    isKind(kinds[child]!, 'or') ? children[child]!.splice(0) : [child],
                );
            }
        });
    },
};

export interface WrongGroup extends LiteralPoints {
    /** What the automorphisms of the graph do to literals, those that do nothing left out. */
    readonly generators: readonly SparsePermutation[];
    readonly graphOrder: bigint;
    /** Of their action on literals. */
    readonly order: bigint;
}

/** The group that would be found without properties if the trap were open. */
export function groupWithOpen(trap: OpenTrap, right: ConstraintProblem): WrongGroup {
    const problem = trap.problem?.(right) ?? right;
    const encoding = encodeGraph(problem, []);
    const vertices = { kinds: [...encoding.kinds], children: encoding.children.map(children => [...children]) };
    trap.vertices?.(vertices, encoding);
    const builder = new GraphBuilder();
    for (const kind of vertices.kinds) {
        builder.addVertex(kind);
    }
    vertices.children.forEach((children, vertex) => {
        for (const child of children) {
            builder.addEdge(vertex, child);
        }
    });
    const wrong = { ...encoding, ...vertices, graph: builder.build() };
    const points = literalPoints(problem);
    const { generators, order } = findAutomorphisms(wrong.graph, { workLimit: UNLIMITED });
    const kernel = findAutomorphisms(withFixedLiterals(wrong), { workLimit: UNLIMITED }).order;
    return {
        ...points,
        generators: generators.map(literalProjection(wrong, points)).filter(({ points: moved }) => moved.length > 0),
        graphOrder: order,
        order: order / kernel,
    };
}
