/**
 * Candidates up to the symmetries that keep the start and all that a log can say. Such a symmetry takes a candidate and
 * what a line makes of it to their images, so one candidate of each orbit decides whether a line fits
 * (docs/logs.md). Names come first: the values that they are bound to are made least, then the state under what fixes them.
 */
import { remembered } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import { FragmentCache } from '../constraints/fragment.js';
import { toDense, toSparse } from '../group/sparse-permutation.js';
import { inverse, type Permutation } from '../group/permutation.js';
import type { Model } from '../model/model.js';
import { NO_VALUE } from '../model/domain.js';
import { createCanonicalizer, type Canonicalizer } from '../representative/representative.js';
import type { LiteralImage } from '../sequential/literal-image.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { constraintsOf } from '../symmetry/constraints.js';
import { detectSymmetries } from '../symmetry/detect.js';
import { literalGroup, literalImages, type ModelGroup } from '../symmetry/model-symmetry.js';
import { NO_FOLDING, type Fold, type Folding, type Restoration } from './folding.js';
import type { FoldingOf } from './log-check.js';
import type { Bindings, LogNames } from './log-names.js';
import { leastSequence, PointNode, product } from './point-tree.js';
import { saidOf, type SaidTypes } from './said.js';

/** Finds the symmetries of each model once, within a limit; what is not found folds nothing. */
export function foldingOf(limitOf: () => WorkLimit): FoldingOf {
    const known = new WeakMap<SequentialModel, { readonly found: LogSymmetries | undefined }>();
    return (model, sequential) => names => {
        const { found } = remembered(known, sequential, () => ({
            found: symmetriesOf(model, sequential, names, limitOf()),
        }));
        return found === undefined ? NO_FOLDING : new LogFolding(found, names);
    };
}

/** Undefined if there are none, or the limit has ended the search for them. */
export function symmetriesOf(
    model: Model,
    sequential: SequentialModel,
    names: SaidTypes,
    limit: WorkLimit,
    keeps: Parameters<typeof saidOf>[3] = { keepsPlaces: false },
): LogSymmetries | undefined {
    const { problem } = constraintsOf(sequential, limit, new FragmentCache());
    if (!problem.complete) {
        return undefined;
    }
    const said = saidOf(model, problem, names, keeps, limit);
    if (said === undefined) {
        return undefined;
    }
    const { markers, firstOfType } = said;
    const { group } = detectSymmetries({ ...problem, markers }, [], [], limit);
    return group.complete && group.order > 1n
        ? new LogSymmetries(group, sequential.cells.length, firstOfType)
        : undefined;
}

/** The group, its points, and what makes states canonical under the stabilizers of bound values. */
export class LogSymmetries {
    readonly group: ModelGroup;
    readonly root: PointNode;
    readonly #cellCount: number;
    readonly #firstOfType: ReadonlyMap<string, number>;
    readonly #canonicalizers = new Map<PointNode, Canonicalizer | 'none'>();
    readonly #images = new Map<Permutation, LiteralImage>();

    constructor(group: ModelGroup, cellCount: number, firstOfType: ReadonlyMap<string, number>) {
        this.group = group;
        this.#cellCount = cellCount;
        this.#firstOfType = firstOfType;
        const degree = group.cellOfPoint.length;
        const generators = group.generators.map(generator => toDense(generator, degree));
        this.root = new PointNode({ generators, order: group.order }, degree);
    }

    /** The point of a value of an index type. */
    pointOf(type: string, code: number): number {
        return this.#firstPointOf(type) + code;
    }

    codeOf(type: string, point: number): number {
        return point - this.#firstPointOf(type);
    }

    #firstPointOf(type: string): number {
        return this.group.firstPoint[this.#cellCount + (this.#firstOfType.get(type) ?? 0)];
    }

    imageOf(state: Readonly<Int32Array>, element: Permutation): Int32Array {
        const { cells, codeOf } = remembered(
            this.#images,
            element,
            () => literalImages({ ...this.group, generators: [toSparse(element)] })[0],
        );
        const image = new Int32Array(state.length);
        for (let cell = 0; cell < state.length; cell++) {
            const code = state[cell];
            image[cells[cell]] = code === NO_VALUE ? code : (codeOf(cell, code) ?? code);
        }
        return image;
    }

    /** The representative under what fixes the points of a node. */
    representative(state: Readonly<Int32Array>, node: PointNode): Readonly<Int32Array> {
        const canonicalizer = remembered(this.#canonicalizers, node, () => this.#canonicalizerOf(node));
        if (canonicalizer === 'none') {
            return state;
        }
        const markers = this.group.cellCount - this.#cellCount;
        const marked = new Int32Array(this.group.cellCount);
        marked.set(state);
        marked.fill(0, marked.length - markers);
        const target = new Int32Array(this.group.cellCount);
        return canonicalizer.canonicalizeInto(target, marked) ? target.slice(0, this.#cellCount) : state;
    }

    /** None if representatives would not be unique, which alone make candidates one. */
    #canonicalizerOf({ group: { generators, order } }: PointNode): Canonicalizer | 'none' {
        const group = literalGroup({ ...this.group, generators: generators.map(toSparse), order });
        const canonicalizer = createCanonicalizer(group, { workPerState: 10_000_000 });
        return canonicalizer.strategy.unique ? canonicalizer : 'none';
    }
}

/** More bindings are not kept: what new instances are called may go on without end. */
const MOST_LEAST = 10_000;

const TRIVIAL = new PointNode({ generators: [], order: 1n }, 0);

class LogFolding implements Folding {
    readonly order: bigint;
    readonly #symmetries: LogSymmetries;
    readonly #names: LogNames;
    readonly #folds = new WeakMap<Bindings, Fold>();
    /** By the points of bindings that are least: one list of them for all candidates. */
    readonly #least = new Map<string, Fold>();
    readonly #moved: ReadonlySet<number>;
    readonly #sequences = new Map<string, string>();
    readonly literals: Folding['literals'];

    constructor(symmetries: LogSymmetries, names: LogNames) {
        this.order = symmetries.group.order;
        this.#symmetries = symmetries;
        this.#names = names;
        this.#moved = new Set(symmetries.group.generators.flatMap(({ points }) => [...points]));
        this.literals = {
            isKey: ({ type, code }) => code !== undefined && this.#moved.has(symmetries.pointOf(type, code)),
            mayBe: (bindings, name, code) => this.#mayBe(bindings, name, code),
        };
    }

    foldOf(bindings: Bindings): Fold {
        return remembered(this.#folds, bindings, () => this.#foldAnew(bindings));
    }

    #foldAnew(bindings: Bindings): Fold {
        const symmetries = this.#symmetries;
        const { bound } = this.#names;
        const points = bindings.map((code, place) => (code < 0 ? code : symmetries.pointOf(bound[place].type, code)));
        let node = symmetries.root;
        const moves: Permutation[] = [];
        for (let place = 0; place < points.length; place++) {
            if (points[place] < 0) {
                continue;
            }
            const { least, element } = node.toLeast(points[place]);
            if (element !== undefined) {
                for (let other = place; other < points.length; other++) {
                    points[other] = points[other] < 0 ? points[other] : element[points[other]];
                }
                moves.push(element);
            }
            // At a limit nothing more is folded.
            node = node.fixing(least) ?? TRIVIAL;
        }
        if (this.#least.size > MOST_LEAST) {
            this.#least.clear();
        }
        const fold = remembered(this.#least, points.join(), () => ({
            bindings: points.map((point, place) => (point < 0 ? point : symmetries.codeOf(bound[place].type, point))),
            stateOf: node.group.order === 1n ? state => state : state => symmetries.representative(state, node),
        }));
        return moves.length === 0
            ? fold
            : {
                  ...fold,
                  stateOf: state => fold.stateOf(moves.reduce((image, move) => symmetries.imageOf(image, move), state)),
              };
    }

    restoring(bindings: Bindings): Restoration {
        const { own, meant } = this.#literalPoints(bindings);
        const symmetries = this.#symmetries;
        const [there, back] = [meant, own].map(points => leastSequence(symmetries.root, points)?.element);
        const undo = back && inverse(back);
        const moved = there === undefined ? undo : undo === undefined ? there : product(there, undo);
        return {
            codeOf: (type, code) => {
                const point = symmetries.pointOf(type, code);
                return symmetries.codeOf(type, moved?.[point] ?? point);
            },
            imageOf: state => (moved === undefined ? Int32Array.from(state) : symmetries.imageOf(state, moved)),
        };
    }

    /** The points of the literals that are bound, and of what they are bound to. */
    #literalPoints(bindings: Bindings): { readonly own: number[]; readonly meant: number[] } {
        const own: number[] = [];
        const meant: number[] = [];
        this.#names.bound.forEach(({ type, code }, place) => {
            const held = bindings[place] ?? -1;
            if (code !== undefined && held >= 0) {
                own.push(this.#symmetries.pointOf(type, code));
                meant.push(this.#symmetries.pointOf(type, held));
            }
        });
        return { own, meant };
    }

    /** Whether all literals together are an image of themselves. */
    #mayBe(bindings: Bindings, name: { readonly type: string; readonly code?: number }, code: number): boolean {
        const symmetries = this.#symmetries;
        if (name.code === undefined) {
            return false;
        }
        if (!this.#moved.has(symmetries.pointOf(name.type, name.code))) {
            return name.code === code;
        }
        const { own, meant } = this.#literalPoints(bindings);
        own.push(symmetries.pointOf(name.type, name.code));
        meant.push(symmetries.pointOf(name.type, code));
        return this.#sequenceOf(own) === this.#sequenceOf(meant);
    }

    #sequenceOf(points: readonly number[]): string {
        return remembered(this.#sequences, points.join(), () =>
            (leastSequence(this.#symmetries.root, points)?.least ?? points).join(),
        );
    }
}
