/**
 * The constraint problem as a colored graph whose automorphisms are symmetries of the model (proof at the end). A cell
 * is adjacent to its literals `x = 0`, a literal that some step writes to its *next* copy `x' = 0`, a summand to its
 * guard formulas, conditional effects, fault cases and the next literals that it always writes. Formulas stand above
 * their literals: the color of a vertex is its kind and its height over the literals, never a name. A marker is like a
 * literal of a cell of its own.
 */
import { positionInAscending, sortAscending } from '../common/ascending.js';
import { invariant, unreachable } from '../common/assert.js';
import { HashChains } from '../common/hash-chains.js';
import { appendTo } from '../common/list-map.js';
import type {
    ConstraintEffect,
    ConstraintFault,
    ConstraintMarker,
    ConstraintProblem,
    ConstraintProperty,
    ConstraintTruth,
    StartMoved,
} from '../constraints/constraint-problem.js';
import { TRUE_FORMULA, type FormulaId } from '../constraints/formula.js';
import { NOTHING_RELIED_ON } from '../constraints/occurring.js';
import type { ColoredGraph } from '../graph/colored-graph.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { isNumber } from '../model/domain.js';

export interface GraphEncoding {
    readonly problem: ConstraintProblem;
    readonly graph: ColoredGraph;
    readonly properties: PropertySelection;
    /**
     * `cell = domains[cell][i]` has vertex `firstLiteral[cell] + i`, a constant none; marker m has vertex
     * `firstLiteral[cellCount + m]`. Length cellCount + markerCount + 1.
     */
    readonly firstLiteral: Int32Array;
    /** The vertex of each cell, -1 for one that never changes. */
    readonly cellVertex: Int32Array;
    /** The vertex of the next copy of a literal, -1 if no summand writes it. Indexed like the literals' vertices. */
    readonly nextVertex: Int32Array;
    readonly summandVertex: Int32Array;
    /** The vertex of each selected property, in the order of `properties`. Invariants that say the same share one. */
    readonly propertyVertex: Int32Array;
    /** `kinds[v]` is the color of v in words, `and:2`: its kind and its height over the literals. */
    readonly kinds: readonly string[];
    /** `children[v]` are the vertices that v stands above, ascending; all of them are less than v. */
    readonly children: readonly (readonly number[])[];
}

/** Whether a cell with these codes always holds the same. */
export function isConstant(codes: readonly number[]): boolean {
    return codes.length <= 1;
}

/**
 * The properties that the group has to keep: indices into `ConstraintProblem.properties`. It keeps the set of the
 * invariants among them and may exchange its members; a single property keeps its truth.
 */
export type PropertySelection = readonly number[];

/** Encodes the problem with the properties that must be kept. Linear in the size of the problem. */
export function encodeGraph(problem: ConstraintProblem, properties: PropertySelection): GraphEncoding {
    return new GraphEncoder(problem, properties).encode();
}

/** Encodes the steps without the start: what keeps them, whether it keeps the start or not. */
export function encodeSteps(problem: ConstraintProblem): GraphEncoding {
    return encodeGraph({ ...problem, startMoved: { classes: [] } }, []);
}

/** Encodes the properties without the steps and the start: what keeps their truth, whether it is a symmetry or not. */
export function encodePropertiesAlone(problem: ConstraintProblem, properties: PropertySelection): GraphEncoding {
    const { constraint: _, ...others } = problem;
    return encodeGraph({ ...others, summands: [], initial: [], occurring: NOTHING_RELIED_ON }, properties);
}

/** The number of vertices of literals and markers, which come first. */
export function literalCountOf({ firstLiteral }: GraphEncoding): number {
    return firstLiteral[firstLiteral.length - 1];
}

/** The graph with a color of its own for each literal and marker: its automorphisms are those that move none. */
export function withFixedLiterals(encoding: GraphEncoding): ColoredGraph {
    const { graph } = encoding;
    const literalCount = literalCountOf(encoding);
    const others = new Set<number>();
    for (let vertex = literalCount; vertex < graph.vertexCount; vertex++) {
        others.add(graph.colors[vertex]);
    }
    const numbers = new Map([...others].sort((a, b) => a - b).map((color, index) => [color, literalCount + index]));
    const colors = graph.colors.map((color, vertex) => (vertex < literalCount ? vertex : (numbers.get(color) ?? -1)));
    return { ...graph, colors, colorCount: literalCount + numbers.size };
}

class GraphEncoder {
    private readonly problem: ConstraintProblem;
    private readonly properties: PropertySelection;
    private readonly markers: readonly ConstraintMarker[];
    private readonly builder = new GraphBuilder();
    /** The vertices that a vertex stands above, ascending. Indexed by vertex. */
    private readonly children: number[][] = [];
    private readonly kinds: string[] = [];
    /** The colors of each kind, by height. */
    private readonly colors = new Map<string, string[]>();
    /** The vertices over formulas and literals, by the hash of their children. */
    private readonly verticesOfHash = new HashChains();
    /** By formula; -1 for one that has no vertex yet. */
    private readonly vertexOfFormula: Int32Array;
    private readonly heightOfVertex: number[] = [];
    private readonly firstLiteral: Int32Array;
    private readonly cellVertex: Int32Array;
    private nextVertex = new Int32Array(0);

    constructor(problem: ConstraintProblem, properties: PropertySelection) {
        this.problem = problem;
        this.properties = properties;
        this.markers = problem.markers ?? [];
        this.vertexOfFormula = new Int32Array(problem.formulas.nodes.length).fill(-1);
        this.firstLiteral = new Int32Array(problem.domains.length + this.markers.length + 1);
        this.cellVertex = new Int32Array(problem.domains.length);
    }

    encode(): GraphEncoding {
        this.addCells();
        const summandVertex = Int32Array.from(this.problem.summands, summand => {
            const guard = summand.guard.map(formula => this.formula(formula));
            const effects = summand.effects.map(effect => this.effect(effect));
            const faults = summand.faults.map(fault => this.faultCase(fault));
            return this.add('summand', [...guard, ...effects, ...faults]);
        });
        const { initial, occurring, startMoved } = this.problem;
        this.add(
            startMoved === undefined ? 'initial' : 'occurring',
            (startMoved === undefined ? initial : occurring.formulas).map(formula => this.formula(formula)),
        );
        if (this.problem.constraint !== undefined) {
            this.add('constraint', this.truth(this.problem.constraint));
        }
        if (this.problem.together !== undefined) {
            const vertices = this.problem.together.map(cell => this.cellVertex[cell]);
            this.add(
                'together',
                vertices.filter(vertex => vertex >= 0),
            );
        }
        const propertyVertex = Int32Array.from(this.properties, index => this.propertyVertex(index));
        if (this.markers.length > 0) {
            this.addMarkers(this.verticesOfSources(summandVertex));
        }
        return {
            problem: this.problem,
            graph: this.builder.build(),
            properties: this.properties,
            firstLiteral: this.firstLiteral,
            cellVertex: this.cellVertex,
            nextVertex: this.nextVertex,
            summandVertex,
            propertyVertex,
            kinds: this.kinds,
            children: this.children,
        };
    }

    /** Literals first, so that a literal's vertex is its number; then the cells; then the next copies. */
    private addCells(): void {
        const { domains, occurring, constraint, pinned, sequential, startMoved } = this.problem;
        const isPinned = new Set([
            ...pinned,
            ...(constraint === undefined ? [] : constraint.pinned),
            ...(startMoved === undefined ? [] : occurring.pinned),
            ...this.properties.flatMap(index => this.truthOf(index).pinned),
            ...this.markers.flatMap(({ atoms }) => atoms.flatMap(atom => (atom.kind === 'state' ? atom.pinned : []))),
        ]);
        domains.forEach((codes, cell) => {
            this.firstLiteral[cell] = this.builder.vertexCount;
            for (const code of isConstant(codes) ? [] : codes) {
                // Numbers without end are renumbered before the representative is taken, so no symmetry moves them.
                const isFixed = isNumber(sequential.cells[cell].domain);
                const color = code < 0 ? 'no-value' : isFixed ? `number ${code}` : 'literal';
                this.addVertex(isPinned.has(cell) ? `pinned ${color} ${this.builder.vertexCount}` : color, [], 0);
            }
        });
        this.markers.forEach(({ form }, marker) => {
            this.firstLiteral[domains.length + marker] = this.addVertex(`marker ${form}`, [], 0);
        });
        this.firstLiteral[domains.length + this.markers.length] = this.builder.vertexCount;
        domains.forEach((codes, cell) => {
            if (isConstant(codes)) {
                this.cellVertex[cell] = -1;
                return;
            }
            const literals = codes.map((_, position) => this.firstLiteral[cell] + position);
            this.cellVertex[cell] = this.addVertex(`cell=${codes.length}`, literals, 1);
        });
        this.nextVertex = new Int32Array(this.builder.vertexCount).fill(-1);
        const isWritten = new Uint8Array(this.builder.vertexCount);
        for (const { effects } of this.problem.summands) {
            for (const { cell, code } of effects) {
                isWritten[this.literal(cell, code)] = 1;
            }
        }
        for (let literal = 0; literal < isWritten.length; literal++) {
            if (isWritten[literal] === 1) {
                this.nextVertex[literal] = this.addVertex('next', [literal], 1);
            }
        }
        invariant(domains.length === sequential.cells.length, 'each cell has a domain');
    }

    private propertyVertex(index: number): number {
        const property = this.problem.properties[index];
        return this.add(colorOfProperty(property, index, this.problem.startMoved), this.truth(this.truthOf(index)));
    }

    private truthOf(index: number): ConstraintTruth {
        const property = this.problem.properties[index];
        return (this.problem.startMoved === undefined ? undefined : property.everywhere) ?? property;
    }

    private truth({ holds, faults }: ConstraintTruth): number[] {
        const children = holds === TRUE_FORMULA ? [] : [this.formula(holds)];
        return [...children, ...faults.map(fault => this.faultCase(fault))];
    }

    /** By summand of the sequential model; none for one that never fires. One that is too large is like no other. */
    private verticesOfSources(summandVertex: Int32Array): ReadonlyMap<number, number> {
        const { summands, tooLarge } = this.problem;
        const vertices = new Map<number, number>();
        summands.forEach(({ sources }, index) => {
            sources.forEach(source => vertices.set(source, summandVertex[index]));
        });
        for (const { kind, index } of tooLarge) {
            if (kind === 'summand') {
                vertices.set(index, this.add(`summand=${index}`, []));
            }
        }
        return vertices;
    }

    /**
     * An atom stands above its marker, and above its formulas or the summands that enable it. If an atom asks who takes
     * a summand, a firing stands above the summand and all such atoms: one for each source, but one for alike sources.
     */
    private addMarkers(vertexOfSource: ReadonlyMap<number, number>): void {
        const atomsOfSource = new Map<number, number[]>();
        const addAtom = (marker: number, number: number, kind: string, below: readonly number[]): number =>
            this.add(`atom=${number}${kind}`, [this.firstLiteral[this.problem.domains.length + marker], ...below]);
        this.markers.forEach(({ atoms }, marker) => {
            atoms.forEach((atom, number) => {
                switch (atom.kind) {
                    case 'state':
                        // One that is too large says nothing, and is kept by itself.
                        addAtom(marker, number, atom.pinned.length > 0 ? ` of ${marker}` : '', this.truth(atom));
                        break;
                    case 'enabled': {
                        const summands = atom.summands.flatMap(source => vertexOfSource.get(source) ?? []);
                        addAtom(marker, number, '', summands);
                        break;
                    }
                    case 'taken': {
                        const vertex = addAtom(marker, number, '', []);
                        atom.summands.forEach(source => {
                            appendTo(atomsOfSource, source, vertex);
                        });
                        break;
                    }
                    case 'literals':
                        addAtom(
                            marker,
                            number,
                            '',
                            atom.literals.map(([cell, code]) => this.literalOrMarker(cell, code)),
                        );
                        break;
                    case 'possible':
                        break;
                    default:
                        unreachable(atom);
                }
            });
        });
        const observed = new Set([...atomsOfSource.keys()].map(source => vertexOfSource.get(source)));
        for (const [source, summand] of vertexOfSource) {
            if (observed.has(summand)) {
                this.add('firing', [summand, ...(atomsOfSource.get(source) ?? [])]);
            }
        }
    }

    private literal(cell: number, code: number): number {
        const position = positionInAscending(this.problem.domains[cell], code);
        invariant(position >= 0, 'effects write values that can occur');
        return this.firstLiteral[cell] + position;
    }

    private literalOrMarker(cell: number, code: number): number {
        return cell < this.problem.domains.length ? this.literal(cell, code) : this.firstLiteral[cell];
    }

    private effect({ conditions, cell, code }: ConstraintEffect): number {
        const next = this.nextVertex[this.literal(cell, code)];
        if (conditions.length === 0) {
            return next;
        }
        return this.add('effect', [...conditions.map(formula => this.formula(formula)), next]);
    }

    private faultCase({ condition, kind }: ConstraintFault): number {
        return this.add(`fault:${kind}`, condition === TRUE_FORMULA ? [] : [this.formula(condition)]);
    }

    private formula(id: FormulaId): number {
        if (this.vertexOfFormula[id] < 0) {
            this.vertexOfFormula[id] = this.addFormula(id);
        }
        return this.vertexOfFormula[id];
    }

    private addFormula(id: FormulaId): number {
        const node = this.problem.formulas.nodes[id];
        switch (node.kind) {
            case 'true':
            case 'false':
                return this.add(node.kind, []);
            case 'set': {
                const literals = node.codes
                    .filter(code => positionInAscending(this.problem.domains[node.cell], code) >= 0)
                    .map(code => this.literal(node.cell, code));
                // One literal stands for itself.
                return literals.length === 1 ? literals[0] : this.add('set', literals);
            }
            case 'and':
            case 'or':
                return this.add(
                    node.kind,
                    node.children.map(child => this.formula(child)),
                );
            case 'sum': {
                const terms = this.weighted(node.terms.map(term => [this.formula(term.formula), term.weight]));
                return this.add(`sum=${node.allowed.join()}`, terms);
            }
            default:
                return unreachable(node);
        }
    }

    /** Equal terms are added up; a term with a weight other than 1 gets a vertex for its weight. */
    private weighted(terms: readonly (readonly [number, number])[]): number[] {
        const weights = new Map<number, number>();
        for (const [vertex, weight] of terms) {
            weights.set(vertex, (weights.get(vertex) ?? 0) + weight);
        }
        return [...weights].map(([vertex, weight]) => (weight === 1 ? vertex : this.add(`weight=${weight}`, [vertex])));
    }

    /** The only vertex of this kind over these children. */
    private add(kind: string, children: readonly number[]): number {
        const sorted = sortedSet(children);
        let height = 0;
        let hash = 0;
        for (let index = 0; index < sorted.length; index++) {
            height = Math.max(height, this.heightOfVertex[sorted[index]]);
            hash = Math.imul(hash ^ sorted[index], 0x9e3779b1);
            hash ^= hash >>> 15;
        }
        const color = this.colorOf(kind, height + 1);
        for (let other = this.verticesOfHash.first(hash); other >= 0; other = this.verticesOfHash.next(other)) {
            if (this.kinds[other] === color && this.hasChildren(other, sorted)) {
                return other;
            }
        }
        const vertex = this.addVertex(kind, sorted, height + 1);
        this.verticesOfHash.add(vertex, hash);
        return vertex;
    }

    private hasChildren(vertex: number, children: readonly number[]): boolean {
        const own = this.children[vertex];
        if (own.length !== children.length) {
            return false;
        }
        for (let index = 0; index < own.length; index++) {
            if (own[index] !== children[index]) {
                return false;
            }
        }
        return true;
    }

    /** Equal colors are the same string object, which is compared fast. */
    private colorOf(kind: string, height: number): string {
        let ofKind = this.colors.get(kind);
        if (ofKind === undefined) {
            ofKind = [];
            this.colors.set(kind, ofKind);
        }
        return (ofKind[height] ??= `${kind}:${height}`);
    }

    private addVertex(kind: string, children: number[], height: number): number {
        const color = this.colorOf(kind, height);
        const vertex = this.builder.addVertex(color);
        this.children[vertex] = children;
        this.kinds[vertex] = color;
        this.heightOfVertex[vertex] = height;
        for (let index = 0; index < children.length; index++) {
            this.builder.addEdge(vertex, children[index]);
        }
        return vertex;
    }
}

/**
 * Properties of one kind, and of one class if there are classes, are told apart by what they say. One that is too large
 * says nothing, and is kept by itself.
 */
function colorOfProperty({ kind, pinned }: ConstraintProperty, index: number, startMoved?: StartMoved): string {
    if (pinned.length > 0) {
        return `property=${index}`;
    }
    return startMoved === undefined ? kind : `${kind}=${startMoved.classes[index]}`;
}

function sortedSet(numbers: readonly number[]): number[] {
    const sorted = sortAscending(numbers.slice());
    let count = Math.min(1, sorted.length);
    for (let index = 1; index < sorted.length; index++) {
        if (sorted[index] !== sorted[count - 1]) {
            sorted[count++] = sorted[index];
        }
    }
    if (count < sorted.length) {
        sorted.length = count;
    }
    return sorted;
}

/*
 * An automorphism is a symmetry: the color and the neighbors of a vertex determine its constraint (`decodeGraph` in the
 * tests reads the problem back), so the constraint of the image of a vertex is the image of its constraint. Nothing else
 * moves: two vertices of one color have different children, so an automorphism that fixes all literals and markers fixes
 * every vertex, level by level.
 *
 * The taken atoms of a transition from x to y by a source are those above its firing. A symmetry g maps firings above a
 * summand onto those above its image, those of no atom too, so it maps the transitions with their atoms from x to y onto
 * those from g x to g y. How many sources have the same atoms does not matter, for they are one transition.
 */
