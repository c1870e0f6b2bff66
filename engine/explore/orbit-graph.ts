/**
 * The part of a state graph that fits on a screen: the states nearest to a start, those that are symmetric to each other
 * as one node.
 *
 * Nodes are numbered in breadth-first order. A node shows the state in which the search came to it, so each path of the
 * search tree is a run of the model as written. A part ends at nodes that are not expanded.
 */
import { remembered } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { DEADLOCK, Properties, type Finding } from './properties.js';
import { interpretedSuccessors, type Successors } from './successors.js';

export interface OrbitGraph {
    readonly nodes: readonly OrbitNode[];
    /** One for each pair of nodes, ordered by source, then by the first summand that leads from it to the target. */
    readonly edges: readonly OrbitEdge[];
    /** Whether every node is expanded. */
    readonly isWhole: boolean;
}

interface OrbitNode {
    readonly state: Readonly<Int32Array>;
    /** How many states are symmetric to it, itself included; undefined if that takes too long to say. */
    readonly size: bigint | undefined;
    /** Steps from the nearest start. */
    readonly depth: number;
    /** The way that led here first: the start with this index, or an edge. */
    readonly origin: { readonly start: number } | OrbitEdge;
    /** The violations in the state, or by a step from it. */
    readonly findings: readonly Finding[];
    readonly isExpanded: boolean;
}

interface OrbitEdge {
    readonly from: number;
    readonly to: number;
    readonly summand: number;
}

/** The orbit of a state, as of representative/orbit-size.ts; undefined if that takes too long to say. */
type OrbitOf = (state: Readonly<Int32Array>) => { readonly size: bigint; readonly key: string } | undefined;

export interface OrbitGraphOptions {
    readonly orbitOf: OrbitOf;
    /** The greatest number of nodes. */
    readonly most: number;
    readonly workLimit: WorkLimit;
}

/** The part around these states, of which only as many are asked for as there can be nodes. O(nodes · summands). */
export function exploreOrbitGraph(
    model: SequentialModel,
    starts: Iterable<Readonly<Int32Array>>,
    options: OrbitGraphOptions,
): OrbitGraph {
    const search = new OrbitSearch(model, options);
    const hasAllStarts = search.addStarts(starts);
    search.expandAll();
    const { nodes, edges } = search;
    return { nodes, edges, isWhole: hasAllStarts && nodes.every(({ isExpanded }) => isExpanded) };
}

class OrbitSearch {
    readonly nodes: OrbitNode[] = [];
    readonly edges: OrbitEdge[] = [];
    readonly #options: OrbitGraphOptions;
    readonly #successors: Successors;
    readonly #properties: Properties;
    /** Nodes by the key of their orbit. */
    readonly #known = new Map<string, number>();

    constructor(model: SequentialModel, options: OrbitGraphOptions) {
        this.#options = options;
        this.#successors = interpretedSuccessors(model);
        this.#properties = new Properties(model, undefined);
    }

    /** Whether there was room and time for all. */
    addStarts(starts: Iterable<Readonly<Int32Array>>): boolean {
        let index = 0;
        for (const start of starts) {
            if (this.#node(start, { start: index++ }) === undefined || this.#options.workLimit.isExhausted()) {
                return false;
            }
        }
        return true;
    }

    expandAll(): void {
        for (let from = 0; from < this.nodes.length && !this.#options.workLimit.isExhausted(); from++) {
            this.#expand(from);
        }
    }

    /** The node of a state; undefined if it would be one too many. */
    #node(state: Readonly<Int32Array>, origin: { readonly start: number } | Omit<OrbitEdge, 'to'>): number | undefined {
        const orbit = this.#options.orbitOf(state);
        const key = orbit?.key ?? `state ${state.join()}`;
        const known = this.#known.get(key);
        if (known !== undefined || this.nodes.length >= this.#options.most) {
            return known;
        }
        const number = this.nodes.length;
        this.#known.set(key, number);
        const findings = new Set<Finding>();
        this.#properties.checkState(state, finding => findings.add(finding));
        this.nodes.push({
            state: state.slice(),
            size: orbit?.size,
            depth: 'start' in origin ? 0 : this.nodes[origin.from].depth + 1,
            origin: 'start' in origin ? origin : { ...origin, to: number },
            findings: [...findings],
            isExpanded: false,
        });
        return number;
    }

    #expand(from: number): void {
        const node = this.nodes[from];
        const findings = new Map<string, Finding>();
        const targets = new Set<number>();
        let hasFirings = false;
        let isExpanded = true;
        this.#successors.forEachFiring(node.state, {
            fired: (summand, successor) => {
                hasFirings = true;
                const to = this.#node(successor, { from, summand });
                if (to === undefined) {
                    isExpanded = false;
                } else if (!targets.has(to)) {
                    targets.add(to);
                    this.edges.push({ from, to, summand });
                }
                return true;
            },
            faulted: (_, { kind, range }) => {
                hasFirings = true;
                if (kind !== 'outside') {
                    remembered(findings, kind, (): Finding => ({ kind: 'fault', name: kind, range }));
                }
                return true;
            },
        });
        const report = (finding: Finding): void => void findings.set(finding.name, finding);
        if (!hasFirings && this.#properties.isDeadlock(node.state, report) && this.#properties.checksDeadlock) {
            report(DEADLOCK);
        }
        this.nodes[from] = { ...node, findings: [...node.findings, ...findings.values()], isExpanded };
    }
}
