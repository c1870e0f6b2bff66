/**
 * Strongly connected components of a product or of a part of it, by Tarjan's algorithm without recursion [Tarjan1972].
 * Two numbers for each node: the order of its visit, and a link that means three things, one after the other.
 */
import type { Product } from './product.js';

/** A component with an edge inside. */
export interface Component {
    readonly id: number;
    readonly nodes: readonly number[];
}

const UNVISITED = 0;
const FINISHED = 0xffff_ffff;
/** Steps between two interruptions. */
const STEPS = 1 << 12;

export class Components {
    readonly #product: Product;
    /** By node: UNVISITED, the order of the visit while it is open, or FINISHED. */
    readonly #order: Uint32Array;
    /** By node: before the visit the part it belongs to, then the least order it leads to, at last its component. */
    readonly #link: Uint32Array;
    /** Edges that have been removed: the edge of the graph and the state of the automaton, as one number. */
    readonly #removed = new Set<number>();
    #componentCount = 0;
    #visited = 0;

    constructor(product: Product) {
        this.#product = product;
        this.#order = new Uint32Array(product.nodeCount);
        this.#link = new Uint32Array(product.nodeCount);
    }

    /** The bytes that the components of a product will take. */
    static bytesFor({ nodeCount }: Product): number {
        return 2 * Uint32Array.BYTES_PER_ELEMENT * nodeCount;
    }

    get bytes(): number {
        return this.#order.byteLength + this.#link.byteLength;
    }

    /** The number of nodes that the initial ones lead to. */
    get visited(): number {
        return this.#visited;
    }

    get count(): number {
        return this.#componentCount;
    }

    /** Whether a node is in a component that has been found. */
    isIn(node: number, id: number): boolean {
        return this.#order[node] === FINISHED && this.#link[node] === id;
    }

    /** Calls `visit` for each edge between nodes of a component. */
    forEachEdgeIn(id: number, node: number, visit: (target: number, promised: number, edge: number) => void): void {
        this.#product.forEachEdge(node, (target, promised, edge) => {
            if (this.isIn(target, id) && !this.#isRemoved(node, edge)) {
                visit(target, promised, edge);
            }
        });
    }

    /** Whether the edge of the graph to this target has not been removed at a node. */
    hasEdge(node: number, target: number, stepClass: number): boolean {
        if (this.#removed.size === 0) {
            return true;
        }
        const { graph, width } = this.#product;
        const state = Math.floor(node / width);
        for (let edge = graph.firstEdge[state]; edge < graph.firstEdge[state + 1]; edge++) {
            if (graph.target[edge] === target && graph.stepClassOf(edge) === stepClass) {
                return !this.#isRemoved(node, edge);
            }
        }
        return false;
    }

    removeEdge(node: number, edge: number): void {
        this.#removed.add(this.#keyOf(node, edge));
    }

    /** All components that these nodes lead to; yields undefined now and then. */
    *all(roots = this.#product.initial): Generator<Component | undefined> {
        yield* this.#search(roots, 0);
        this.#visited = this.#order.reduce((count, order) => count + (order === UNVISITED ? 0 : 1), 0);
    }

    /** The components of a component without some of its nodes and without removed edges. */
    *within({ id, nodes }: Component, isRemoved: (node: number) => boolean): Generator<Component | undefined> {
        const left: number[] = [];
        for (const node of nodes) {
            if (isRemoved(node)) {
                this.#link[node] = 0;
            } else {
                this.#order[node] = UNVISITED;
                left.push(node);
            }
        }
        yield* this.#search(left, id);
    }

    /** From the roots, over unvisited nodes of one part. */
    *#search(roots: readonly number[], part: number): Generator<Component | undefined> {
        const { graph, width } = this.#product;
        const { expandedCount } = graph;
        const order = this.#order;
        const link = this.#link;
        let visits = 0;
        let steps = 0;
        /** Open nodes that belong to no finished component. */
        const open: number[] = [];
        /** The path of the search: nodes, and how many targets of edges there were before theirs. */
        const path: number[] = [];
        const before: number[] = [];
        /** The targets of edges that are still to be looked at, of one node of the path after the other. */
        const targets: number[] = [];
        const enter = (node: number): void => {
            order[node] = link[node] = ++visits;
            open.push(node);
            path.push(node);
            before.push(targets.length);
            this.#product.forEachEdge(node, (target, _promised, edge) => {
                if (order[target] !== FINISHED && !this.#isRemoved(node, edge)) {
                    targets.push(target);
                }
            });
        };
        for (const root of roots) {
            if (order[root] !== UNVISITED || link[root] !== part || Math.floor(root / width) >= expandedCount) {
                continue;
            }
            enter(root);
            while (path.length > 0) {
                if (++steps % STEPS === 0) {
                    yield undefined;
                }
                const top = path.length - 1;
                const node = path[top];
                let entered = false;
                while (!entered && targets.length > before[top]) {
                    const next = targets.pop() ?? node;
                    const orderOfNext = order[next];
                    if (orderOfNext === UNVISITED) {
                        if (link[next] === part) {
                            entered = true;
                            enter(next);
                        }
                    } else if (orderOfNext !== FINISHED) {
                        link[node] = Math.min(link[node], orderOfNext);
                    }
                }
                if (entered) {
                    continue;
                }
                path.pop();
                before.pop();
                if (path.length > 0) {
                    const parent = path[path.length - 1];
                    link[parent] = Math.min(link[parent], link[node]);
                }
                if (link[node] === order[node]) {
                    const component = this.#close(open, node);
                    if (component !== undefined) {
                        yield component;
                    }
                }
            }
        }
    }

    /** Closes the component that begins with a node; undefined if it has no edge. */
    #close(open: number[], first: number): Component | undefined {
        const id = ++this.#componentCount;
        const nodes: number[] = [];
        let node: number;
        do {
            node = open.pop() ?? first;
            this.#order[node] = FINISHED;
            this.#link[node] = id;
            nodes.push(node);
        } while (node !== first);
        if (nodes.length > 1) {
            return { id, nodes };
        }
        let hasLoop = false;
        this.forEachEdgeIn(id, first, () => (hasLoop = true));
        return hasLoop ? { id, nodes } : undefined;
    }

    #isRemoved(node: number, edge: number): boolean {
        return this.#removed.size > 0 && this.#removed.has(this.#keyOf(node, edge));
    }

    #keyOf(node: number, edge: number): number {
        const { width } = this.#product;
        return edge * width + (node % width);
    }
}
