/** What every way to fold up a graph must do, for the tests of each of them. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { WorkLimit } from '../../../engine/common/work-limit.js';
import { UNLIMITED } from '../../../engine/common/work-limit.js';
import { BasePoints } from '../../../engine/graph/folding/base-points.js';
import type { BundledGraph } from '../../../engine/graph/folding/bundled-graph.js';
import { unbundled } from '../../../engine/graph/folding/bundled-graph.js';
import { Certifier, isAutomorphism } from '../../../engine/graph/certify.js';
import type { ColoredGraph } from '../../../engine/graph/colored-graph.js';
import { Kernel } from '../../../engine/graph/folding/kernel.js';
import { Scratch } from '../../../engine/graph/scratch.js';
import { allAutomorphisms } from '../../reference/brute-force-automorphisms.js';
import { dense, sparse } from '../permutations.js';
import { closure } from '../../reference/brute-force-group.js';

type Fold = (stage: BundledGraph, kernel: Kernel, scratch: Scratch) => BundledGraph | 'stopped';

export interface Folded {
    readonly rest: BundledGraph | 'stopped';
    readonly kernel: Kernel;
}

export function foldWith(fold: Fold, graph: ColoredGraph, workLimit: WorkLimit = UNLIMITED): Folded {
    const kernel = new Kernel(new Certifier(graph), workLimit, new BasePoints(undefined));
    const scratch = new Scratch();
    return { rest: fold(unbundled(graph, scratch), kernel, scratch), kernel };
}

/** The product of the orbit lengths that a kernel accounts for. */
export function kernelOrder(kernel: Kernel): bigint {
    let order = 1n;
    kernel.forEachLevel((_, orbitLength) => (order *= BigInt(orbitLength)));
    return order;
}

/**
 * Folds the graph and tries all permutations of both graphs: each symmetry of the folded one must become one of the graph,
 * those written down must generate what the levels say, and together they must be all.
 */
function expectExact(fold: Fold, graph: ColoredGraph): void {
    const { rest, kernel } = foldWith(fold, graph);
    if (rest === 'stopped') {
        expect.unreachable('nothing is stopped without a limit');
    }
    expect([...rest.bundle].sort((a, b) => a - b)).toEqual([...Array(graph.vertexCount).keys()]);
    const all = allAutomorphisms(graph);
    const ofRest = allAutomorphisms(rest.graph);
    for (const images of ofRest) {
        expect(isAutomorphism(graph, sparse(lifted(images, rest)))).toBe(true);
    }
    const inside = [...kernel.generators()].map(generator => dense(generator, graph.vertexCount));
    expect(BigInt(closure(inside, graph.vertexCount).length)).toBe(kernelOrder(kernel));
    expect(kernelOrder(kernel) * BigInt(ofRest.length)).toBe(BigInt(all.length));
}

/** The same for many small graphs. */
export function expectExactOn(fold: Fold, graphs: fc.Arbitrary<ColoredGraph>, numRuns: number): void {
    fc.assert(
        fc.property(graphs, graph => expectExact(fold, graph)),
        { numRuns },
    );
}

function lifted(images: readonly number[], { bundle, bundleStart }: BundledGraph): number[] {
    const result = Array.from(bundle, () => -1);
    images.forEach((image, vertex) => {
        for (let i = bundleStart[vertex]!; i < bundleStart[vertex + 1]!; i++) {
            result[bundle[i]!] = bundle[bundleStart[image]! + i - bundleStart[vertex]!]!;
        }
    });
    return result;
}
