/**
 * Invariants that symmetries exchange. A symmetry that keeps a set of properties maps each invariant of the set onto one
 * that says the same of the image of a state: its vertex in the graph shows which. So one of them is violated in a state
 * exactly if its image is violated in the image of the state, and members of an orbit are *alike*.
 */
import { invariant, InvariantViolation } from '../common/assert.js';
import { appendTo } from '../common/list-map.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import { orbits } from '../group/orbits.js';
import {
    composeSparse,
    imageOf,
    SPARSE_IDENTITY,
    sparsePermutation,
    type SparsePermutation,
} from '../group/sparse-permutation.js';
import { encodePropertiesAlone, type PropertySelection } from './graph-encoding.js';
import { GraphExtension } from './graph-extension.js';
import type { LiteralPoints } from './model-symmetry.js';

/** The invariants of a selection as a group of symmetries that keeps their set exchanges them. */
export class AlikeProperties {
    /** Indices into `ConstraintProblem.properties`, ascending, of each orbit of more than one. */
    readonly sets: readonly (readonly number[])[];
    /** The names in each of the sets. */
    readonly names: readonly (readonly string[])[];
    /** Those of them that the text declares, where they are more than one. */
    readonly declaredNames: readonly (readonly string[])[];
    readonly #propertyNumbers: readonly number[];
    /** Of the group. */
    readonly generators: readonly SparsePermutation[];
    /** Each generator on vertices of properties. */
    readonly #actions: readonly SparsePermutation[];
    readonly #vertexOf: ReadonlyMap<string, number>;
    /** By name of an invariant in one of the sets. */
    readonly #classesOf = new Map<string, readonly (readonly string[])[]>();

    /** The generators may be those of a part of the cells, if that holds all cells of the properties. */
    constructor(
        problem: ConstraintProblem,
        { generators, ...points }: LiteralPoints & { readonly generators: readonly SparsePermutation[] },
        selection: PropertySelection,
    ) {
        const invariants = selection.filter(index => problem.properties[index].kind !== 'deadlock');
        const encoding = encodePropertiesAlone(problem, invariants);
        const extension = new GraphExtension(encoding, points);
        const membersOf = new Map<number, number[]>();
        encoding.propertyVertex.forEach((vertex, index) => {
            appendTo(membersOf, vertex, invariants[index]);
        });
        const nameOf = (index: number): string => problem.properties[index].name;
        this.#vertexOf = new Map(invariants.map((index, number) => [nameOf(index), encoding.propertyVertex[number]]));
        this.#propertyNumbers = [...problem.properties.keys()];
        this.generators = generators;
        this.#actions = generators.map(generator => {
            const extended = extension.extend(generator);
            invariant(extended !== undefined, 'the symmetries of an exploration keep the set of what it checks');
            return extended;
        });
        const vertices = [...membersOf.keys()];
        const numberOf = new Map(vertices.map((vertex, number) => [vertex, number]));
        const sets: (readonly number[])[] = [];
        for (const orbit of orbits(
            this.#actions.map(action => restricted(action, vertices, numberOf)),
            vertices.length,
        )) {
            // Two invariants that say the same are no images of each other.
            if (orbit.length > 1) {
                const classes = orbit.map(number => membersOf.get(vertices[number]) ?? []);
                const members = classes.flat().sort((first, second) => first - second);
                const names = classes.map(members => members.map(nameOf));
                members.forEach(member => this.#classesOf.set(nameOf(member), names));
                sets.push(members);
            }
        }
        this.sets = sets.sort(([first], [second]) => first - second);
        this.names = this.sets.map(set => set.map(nameOf));
        this.declaredNames = this.sets
            .map(set => set.filter(index => problem.properties[index].isImage !== true).map(nameOf))
            .filter(({ length }) => length > 1);
    }

    /** By property of the problem: the first of its set, or itself. */
    classNumbers(): readonly number[] {
        const numbers = [...this.#propertyNumbers];
        this.sets.forEach(set => {
            set.forEach(member => (numbers[member] = set[0]));
        });
        return numbers;
    }

    /** The names in the orbit of an invariant, in the order of the text. Undefined if it is alone. */
    namesWith(name: string): readonly string[] | undefined {
        return this.names.find(names => names.includes(name));
    }

    /** The same names with those in one list that say the same. */
    classesOf(name: string): readonly (readonly string[])[] | undefined {
        return this.#classesOf.get(name);
    }

    /** A symmetry that takes the states that violate one invariant to those that violate another one of its orbit. */
    movement(from: string, to: string): SparsePermutation {
        const [start, end] = [this.#vertexOf.get(from), this.#vertexOf.get(to)];
        invariant(start !== undefined && end !== undefined, 'alike properties are among those that are checked');
        const ways = new Map([[start, SPARSE_IDENTITY]]);
        for (const [vertex, way] of ways) {
            if (vertex === end) {
                return way;
            }
            this.#actions.forEach((action, index) => {
                const next = imageOf(action, vertex);
                if (!ways.has(next)) {
                    ways.set(next, composeSparse(way, this.generators[index]));
                }
            });
        }
        throw new InvariantViolation('alike properties are in one orbit');
    }
}

/** The action on the numbers of some vertices, which are mapped onto each other. */
function restricted(
    action: SparsePermutation,
    vertices: readonly number[],
    numberOf: ReadonlyMap<number, number>,
): SparsePermutation {
    return sparsePermutation(
        vertices.map((vertex, number): [number, number] => {
            const image = numberOf.get(imageOf(action, vertex));
            invariant(image !== undefined, 'the image of an invariant is an invariant');
            return [number, image];
        }),
    );
}
