/**
 * A component of the product in which a fair run can stay that never fulfills less than it promises: a violation. In a
 * quotient the constraints move along the edges, so a component stands for several of the whole graph, and it is decided
 * for one of them [frames.ts]. What asks a constraint that is met nowhere is removed, and the rest is searched again:
 * a constraint is unmet at most once along a chain.
 */
import type { FairnessConstraint, TemporalAtom, TemporalFormula } from '../sequential/sequential-model.js';
import type { PositionTest } from './atom-tests.js';
import type { AtomTruth } from './atom-truth.js';
import type { Component, Components } from './components.js';
import { framesOf, type ConstraintSymmetry } from './frames.js';
import type { Product } from './product.js';

/** A fairness constraint over the positions of a stored graph. */
export interface ConstraintTests {
    readonly asked: PositionTest;
    readonly met: PositionTest;
    /** Whether it depends on the step that leaves the state, not only on the state. */
    readonly asksSteps: boolean;
    readonly meetsSteps: boolean;
}

/** The constraints as tests. They are the first markers of `truth`. */
export function constraintTests(constraints: readonly FairnessConstraint[], truth: AtomTruth): ConstraintTests[] {
    return constraints.map(({ asked, met, atoms }, marker) => ({
        asked: truth.test(asked, marker),
        met: truth.test(met, marker),
        asksSteps: isAboutSteps(asked, atoms),
        meetsSteps: isAboutSteps(met, atoms),
    }));
}

function isAboutSteps(formula: TemporalFormula, atoms: readonly TemporalAtom[]): boolean {
    switch (formula.kind) {
        case 'atom':
            return atoms[formula.atom].kind === 'taken';
        case 'and':
        case 'or':
            return formula.operands.some(operand => isAboutSteps(operand, atoms));
        default:
            return false;
    }
}

/** Numbers constraints at a node: those with one number are asked and met together. */
type Classes = (node: number, constraint: number) => number;

const NODES_BETWEEN_YIELDS = 1 << 10;

export class FairComponents {
    readonly #product: Product;
    readonly #components: Components;
    readonly #constraints: readonly ConstraintTests[];
    /** Absent without symmetries: each constraint is an orbit. */
    readonly #symmetry: ConstraintSymmetry | undefined;
    /** Each constraint by itself. */
    readonly #own: readonly number[];

    constructor(
        product: Product,
        components: Components,
        constraints: readonly ConstraintTests[],
        symmetry: ConstraintSymmetry | undefined,
    ) {
        this.#product = product;
        this.#components = components;
        this.#constraints = constraints;
        this.#symmetry = symmetry;
        this.#own = constraints.map((_, constraint) => constraint);
    }

    /** The first one that these nodes lead to; undefined if there is none. Yields now and then. */
    *find(roots = this.#product.initial): Generator<undefined, Component | undefined> {
        return yield* this.#fairAmong(this.#components.all(roots));
    }

    *#fairAmong(found: Generator<Component | undefined>): Generator<undefined, Component | undefined> {
        for (const component of found) {
            if (component === undefined) {
                yield;
                continue;
            }
            const fair = yield* this.#fairIn(component);
            if (fair !== undefined) {
                return fair;
            }
        }
        return undefined;
    }

    *#fairIn(component: Component): Generator<undefined, Component | undefined> {
        if (yield* this.#isPutOffForEver(component)) {
            return undefined;
        }
        const orbitsAt = (node: number): readonly number[] =>
            this.#symmetry?.orbitsOf[this.#product.memberAt(node)] ?? this.#own;
        const byOrbit: Classes = (node, constraint) => orbitsAt(node)[constraint];
        const { asked, met } = yield* this.#collect(component, byOrbit);
        if (asked.every(key => met.has(key))) {
            const orbits = orbitsAt(component.nodes[0]);
            const isDecided = asked.every(key => orbits.filter(other => other === key).length === 1);
            if (isDecided || this.#symmetry === undefined) {
                return component;
            }
            return yield* this.#fairByFrames(component, this.#symmetry, asked);
        }
        return yield* this.#withoutUnmet(component, byOrbit, key => !met.has(key));
    }

    /** Whether some until is put off by all edges. */
    *#isPutOffForEver({ id, nodes }: Component): Generator<undefined, boolean> {
        let putOff = this.#product.promises;
        for (let index = 0; index < nodes.length && putOff !== 0; index++) {
            this.#components.forEachEdgeIn(id, nodes[index], (_, promised) => (putOff &= promised));
            if (index % NODES_BETWEEN_YIELDS === 0) {
                yield;
            }
        }
        return putOff !== 0;
    }

    *#fairByFrames(
        component: Component,
        symmetry: ConstraintSymmetry,
        askedOrbits: readonly number[],
    ): Generator<undefined, Component | undefined> {
        const frames = yield* framesOf(component, this.#product, this.#components, symmetry, askedOrbits);
        if (frames === 'whole orbits') {
            return component;
        }
        const { asked, met } = yield* this.#collect(component, frames.classOf);
        return asked.every(key => met.has(key))
            ? component
            : yield* this.#withoutUnmet(component, frames.classOf, key => !met.has(key));
    }

    /** What is left without the nodes and edges that ask for an unmet class. */
    *#withoutUnmet(
        component: Component,
        classOf: Classes,
        isUnmet: (key: number) => boolean,
    ): Generator<undefined, Component | undefined> {
        const { graph, width } = this.#product;
        const removed = new Set<number>();
        for (const [index, node] of component.nodes.entries()) {
            const state = Math.floor(node / width);
            this.#constraints.forEach(({ asked, asksSteps }, constraint) => {
                if (!isUnmet(classOf(node, constraint))) {
                    return;
                }
                if (!asksSteps) {
                    if (asked(state, 0)) {
                        removed.add(node);
                    }
                    return;
                }
                this.#components.forEachEdgeIn(component.id, node, (_target, _promised, edge) => {
                    if (asked(state, graph.stepClassOf(edge))) {
                        this.#components.removeEdge(node, edge);
                    }
                });
            });
            if (index % NODES_BETWEEN_YIELDS === 0) {
                yield;
            }
        }
        return yield* this.#fairAmong(this.#components.within(component, node => removed.has(node)));
    }

    /** The classes that are asked for somewhere in a component, and those that are met. */
    *#collect(
        { id, nodes }: Component,
        classOf: Classes,
    ): Generator<undefined, { readonly asked: readonly number[]; readonly met: ReadonlySet<number> }> {
        const { graph, width } = this.#product;
        const asked = new Set<number>();
        const met = new Set<number>();
        for (let index = 0; index < nodes.length; index++) {
            const node = nodes[index];
            const state = Math.floor(node / width);
            let looksAtSteps = false;
            this.#constraints.forEach((tests, constraint) => {
                const key = classOf(node, constraint);
                if (!asked.has(key)) {
                    if (tests.asksSteps) {
                        looksAtSteps = true;
                    } else if (tests.asked(state, 0)) {
                        asked.add(key);
                    }
                }
                if (!met.has(key)) {
                    if (tests.meetsSteps) {
                        looksAtSteps = true;
                    } else if (tests.met(state, 0)) {
                        met.add(key);
                    }
                }
            });
            if (looksAtSteps) {
                this.#components.forEachEdgeIn(id, node, (_target, _promised, edge) => {
                    const stepClass = graph.stepClassOf(edge);
                    this.#constraints.forEach((tests, constraint) => {
                        const key = classOf(node, constraint);
                        if (tests.asksSteps && !asked.has(key) && tests.asked(state, stepClass)) {
                            asked.add(key);
                        }
                        if (tests.meetsSteps && !met.has(key) && tests.met(state, stepClass)) {
                            met.add(key);
                        }
                    });
                });
            }
            if (index % NODES_BETWEEN_YIELDS === 0) {
                yield;
            }
        }
        return { asked: [...asked], met };
    }
}
