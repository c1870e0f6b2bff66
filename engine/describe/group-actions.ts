/**
 * The actions of a group on numbered things: instances, values, cells. Often many of them are equal, and an edit that
 * changes names only keeps them. So the properties of an action are found once and kept with the group.
 */
import { appendTo } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import { orbits } from '../group/orbits.js';
import { equalsSparse, sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import { describeQuotient, type GroupStructure } from '../group/structure.js';
import { findSymmetricAction, type SymmetricAction } from '../group/symmetric-action.js';
import { isCube, isPolygon } from './known-shapes.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';

/** A group of permutations of 0 … degree - 1 by generators, and what is known of it. */
export class GroupAction {
    readonly generators: readonly SparsePermutation[];
    readonly degree: number;
    private readonly structures = new Map<string, GroupStructure>();
    private natural: { readonly action: SymmetricAction | undefined } | undefined;
    private knownOrbits: readonly (readonly number[])[] | undefined;
    private readonly shapes = new Map<string, boolean>();
    private readonly blocks: { readonly blocks: Int32Array; readonly action: GroupAction }[] = [];

    constructor(generators: readonly SparsePermutation[], degree: number) {
        this.generators = generators;
        this.degree = degree;
    }

    /** The structure, as a quotient of a group with the structure `whole`; without a name if the limit is reached. */
    structureWithin(whole: GroupStructure, limit: WorkLimit): GroupStructure {
        const key = `${whole.order} ${whole.name}`;
        let structure = this.structures.get(key);
        if (structure === undefined) {
            structure = describeQuotient(this.generators, this.degree, whole, limit);
            if (!limit.isExhausted()) {
                this.structures.set(key, structure);
            }
        }
        return structure;
    }

    /** The symmetric groups in it, if each point stands for an element of one of them. */
    get naturalAction(): SymmetricAction | undefined {
        if (this.natural === undefined) {
            const action = findSymmetricAction(this.generators, this.degree);
            // The tables of other actions are large and not used.
            this.natural = { action: action?.elementCount === this.degree ? action : undefined };
        }
        return this.natural.action;
    }

    get orbits(): readonly (readonly number[])[] {
        this.knownOrbits ??= orbits(this.generators, this.degree);
        return this.knownOrbits;
    }

    /** The action on blocks of points of one size that it maps onto each other. */
    onBlocks(blockOfPoint: Int32Array, blockCount: number): GroupAction {
        const known = this.blocks.find(({ blocks }) => blocks.every((block, point) => block === blockOfPoint[point]));
        if (known !== undefined) {
            return known.action;
        }
        const generators = this.generators.map(({ points, images }) => {
            const target = new Map<number, number>();
            points.forEach((point, i) => target.set(blockOfPoint[point], blockOfPoint[images[i]]));
            return sparsePermutation(target);
        });
        const moving = generators.filter(({ points }) => points.length > 0);
        const action = new GroupAction(moving, blockCount);
        this.blocks.push({ blocks: blockOfPoint, action });
        return action;
    }

    /** Whether it permutes the points of a ring. */
    get isPolygon(): boolean {
        return this.hasShape('polygon', () => isPolygon(this.generators, this.degree));
    }

    /** Whether it permutes the corners of a cube of so many dimensions. */
    isCube(dimension: number): boolean {
        return this.hasShape(`cube ${dimension}`, () => isCube(this.generators, this.degree, dimension));
    }

    private hasShape(name: string, ask: () => boolean): boolean {
        const answer = this.shapes.get(name) ?? ask();
        this.shapes.set(name, answer);
        return answer;
    }
}

/** Actions by their generators: equal actions are one object. */
export class GroupActions {
    private readonly actions = new Map<string, GroupAction[]>();

    of(generators: readonly SparsePermutation[], degree: number): GroupAction {
        const moved = generators.reduce((sum, { points }) => sum + points.length, 0);
        const key = `${degree} ${generators.length} ${moved}`;
        const known = this.actions
            .get(key)
            ?.find(action => action.generators.every((generator, i) => equalsSparse(generator, generators[i])));
        if (known !== undefined) {
            return known;
        }
        const action = new GroupAction(generators, degree);
        appendTo(this.actions, key, action);
        return action;
    }
}

/** The known actions of a group of model symmetries. */
export function groupActionsOf(group: ModelGroup): GroupActions {
    let actions = actionsOfGroups.get(group);
    if (actions === undefined) {
        actions = new GroupActions();
        actionsOfGroups.set(group, actions);
    }
    return actions;
}

const actionsOfGroups = new WeakMap<ModelGroup, GroupActions>();
