/** Reads a colored graph back as a transition relation on literals. A vertex speaks of its lower neighbors. */
import type { GraphEncoding } from '../../engine/symmetry/graph-encoding.js';

export interface DecodedOutcomes {
    readonly successors: Set<string>;
    readonly faults: Set<string>;
}

export class DecodedGraph {
    private readonly kinds: readonly string[];
    private readonly parts: readonly (readonly number[])[];
    private readonly literals: readonly { readonly cell: number; readonly code: number }[];
    private readonly summands: readonly number[];
    private readonly initial: readonly number[];

    constructor({ kinds, graph, firstLiteral, problem }: GraphEncoding) {
        const heights = kinds.map(color => Number(color.slice(color.lastIndexOf(':') + 1)));
        this.kinds = kinds.map(color => color.slice(0, color.lastIndexOf(':')));
        this.parts = kinds.map((_, vertex) =>
            [...graph.neighbors.slice(graph.firstNeighbor[vertex], graph.firstNeighbor[vertex + 1])].filter(
                other => (heights[other] ?? 0) < (heights[vertex] ?? 0),
            ),
        );
        this.literals = problem.domains.flatMap((codes, cell) =>
            firstLiteral[cell] === firstLiteral[cell + 1] ? [] : codes.map(code => ({ cell, code })),
        );
        this.summands = this.verticesOf('summand');
        this.initial = this.verticesOf('initial');
    }

    outcomes(state: readonly number[]): DecodedOutcomes {
        const successors = new Set<string>();
        const faults = new Set<string>();
        for (const summand of this.summands) {
            const children = this.below(summand);
            for (const child of children.filter(vertex => this.kind(vertex).startsWith('fault'))) {
                if (this.below(child).every(condition => this.holds(condition, state))) {
                    faults.add(this.kind(child).split(':')[1] ?? '');
                }
            }
            if (!children.filter(vertex => isFormula(this.kind(vertex))).every(guard => this.holds(guard, state))) {
                continue;
            }
            const next = [...state];
            for (const child of children) {
                const kind = this.kind(child);
                if (kind === 'next') {
                    this.write(next, state, child);
                } else if (kind === 'effect') {
                    const parts = this.below(child);
                    if (parts.filter(part => isFormula(this.kind(part))).every(part => this.holds(part, state))) {
                        this.write(next, state, parts.find(part => this.kind(part) === 'next') ?? -1);
                    }
                }
            }
            successors.add(next.join());
        }
        return { successors, faults };
    }

    isInitial(state: readonly number[]): boolean {
        return this.initial.every(vertex => this.below(vertex).every(part => this.holds(part, state)));
    }

    private verticesOf(kind: string): number[] {
        return [...this.kinds.keys()].filter(vertex => this.kind(vertex) === kind);
    }

    private kind(vertex: number): string {
        return this.kinds[vertex] ?? '';
    }

    private below(vertex: number): readonly number[] {
        return this.parts[vertex] ?? [];
    }

    private holds(vertex: number, state: readonly number[]): boolean {
        const kind = this.kind(vertex);
        const parts = this.below(vertex);
        switch (kind) {
            case 'literal':
            case 'no-value':
                return this.literalHolds(vertex, state);
            case 'true':
                return true;
            case 'false':
                return false;
            case 'set':
            case 'or':
                return parts.some(part => this.holds(part, state));
            case 'and':
                return parts.every(part => this.holds(part, state));
            default: {
                if (!kind.startsWith('sum=')) {
                    throw new Error(`a ${kind} is no formula`);
                }
                const allowed = kind.slice('sum='.length).split(',').map(Number);
                return allowed.includes(parts.reduce((sum, part) => sum + this.weight(part, state), 0));
            }
        }
    }

    private weight(vertex: number, state: readonly number[]): number {
        const kind = this.kind(vertex);
        if (!kind.startsWith('weight=')) {
            return this.holds(vertex, state) ? 1 : 0;
        }
        return this.below(vertex).every(part => this.holds(part, state)) ? Number(kind.slice('weight='.length)) : 0;
    }

    private literalHolds(vertex: number, state: readonly number[]): boolean {
        const { cell, code } = this.literal(vertex);
        return state[cell] === code;
    }

    /** An effect with the code that the cell has already changes nothing. */
    private write(next: number[], state: readonly number[], vertex: number): void {
        const [below] = this.below(vertex);
        const { cell, code } = this.literal(below ?? -1);
        if (state[cell] !== code) {
            if (next[cell] !== state[cell]) {
                throw new Error('two effects change one cell');
            }
            next[cell] = code;
        }
    }

    private literal(vertex: number): { readonly cell: number; readonly code: number } {
        const literal = this.literals[vertex];
        if (literal === undefined) {
            throw new Error(`vertex ${vertex} is no literal`);
        }
        return literal;
    }
}

function isFormula(kind: string): boolean {
    return ['literal', 'no-value', 'set', 'and', 'or', 'true', 'false'].includes(kind) || kind.startsWith('sum=');
}
