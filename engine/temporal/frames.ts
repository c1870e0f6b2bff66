/**
 * Frames of a component of a quotient. The component stands for several components of the whole graph, which the
 * symmetries exchange; one of them, D, is looked at. Each node gets a *frame*, a symmetry h that takes its state into D,
 * along a search tree. A firing from r whose successor g takes to r' leads in D from h r to h g⁻¹ r', so the other edges
 * give generators of the symmetries that map D onto itself [Schreier]: constraints that they exchange are one class, and
 * are asked and met together.
 */
import { remembered } from '../common/list-map.js';
import { UnionFind } from '../common/union-find.js';
import type { Component, Components } from './components.js';
import type { MarkedEdges, MarkerImages } from './marked-canonicalizer.js';
import type { Product } from './product.js';

/** How the symmetries of a quotient move constraints. */
export interface ConstraintSymmetry {
    /** By marker of a member and constraint; equal for constraints that symmetries of the member exchange. */
    readonly orbitsOf: readonly (readonly number[])[];
    readonly edges: MarkedEdges;
}

export interface Frames {
    /** The class of a constraint at a node, seen from D. */
    readonly classOf: (node: number, constraint: number) => number;
    /** The constraint of D that a constraint at a node is. */
    readonly inRoot: (node: number, constraint: number) => number;
}

/** `'whole orbits'` as soon as each asked orbit is known to be one class. Yields now and then. */
export function* framesOf(
    component: Component,
    product: Product,
    components: Components,
    { orbitsOf, edges }: ConstraintSymmetry,
    askedOrbits: readonly number[],
    root: number = component.nodes[0],
): Generator<undefined, Frames | 'whole orbits'> {
    const orbit = orbitsOf[product.memberAt(root)];
    const constraintCount = orbit.length;
    const classes = new UnionFind(constraintCount);
    const known = new Map<string, MarkerImages>();
    const interned = (images: MarkerImages): MarkerImages => remembered(known, images.join(), () => images);
    const frames = new Map<number, MarkerImages>();
    const isAsked = new Set(askedOrbits);
    let classesLeft = orbit.filter(key => isAsked.has(key)).length - isAsked.size;
    frames.set(
        root,
        Uint32Array.from({ length: constraintCount }, (_, constraint) => constraint),
    );
    for (const [node, frame] of frames) {
        const state = Math.floor(node / product.width);
        const place = node - state * product.width;
        const ways = product.transitions[place];
        for (const { target, stepClass, images } of edges(state)) {
            let moved: MarkerImages | undefined;
            for (const way of ways) {
                const next = target * product.width + product.placeAfter(place, way, images);
                const isInside = components.isIn(next, component.id) && product.applies(way, state, stepClass);
                if (!isInside || !components.hasEdge(node, target, stepClass)) {
                    continue;
                }
                moved ??= interned(afterInverse(frame, images, constraintCount));
                const before = frames.get(next);
                if (before === undefined) {
                    frames.set(next, moved);
                } else if (before !== moved) {
                    for (let constraint = 0; constraint < constraintCount; constraint++) {
                        const isNew = classes.union(before[constraint], moved[constraint]);
                        classesLeft -= isNew && isAsked.has(orbit[before[constraint]]) ? 1 : 0;
                    }
                }
            }
        }
        if (classesLeft === 0) {
            return 'whole orbits';
        }
        yield;
    }
    return {
        classOf: (node, constraint) => classes.find(frames.get(node)?.[constraint] ?? constraint),
        inRoot: (node, constraint) => frames.get(node)?.[constraint] ?? constraint,
    };
}

/** `frame` after the inverse of `images`, on constraints. */
function afterInverse(frame: MarkerImages, images: MarkerImages, constraintCount: number): MarkerImages {
    const moved = new Uint32Array(constraintCount);
    for (let constraint = 0; constraint < constraintCount; constraint++) {
        moved[images[constraint]] = frame[constraint];
    }
    return moved;
}
