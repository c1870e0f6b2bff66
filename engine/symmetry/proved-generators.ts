/**
 * Symmetries that a proof for all values of the parameters gives, as permutations of literals for the values at hand.
 *
 * The proof is about the text (family); what comes in here says how the values of each place of the
 * declarations are permuted. Cells move with their indices and with those of their instance. Nothing is taken on trust:
 * the result goes through the check by running like generators that are found.
 */
import { codeOfValue, valueOfCode, type Value } from '../model/domain.js';
import type { Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { SparsePermutation } from '../group/sparse-permutation.js';
import { indexDomainsOf, keyOf, permuteLiterals } from './declared-action.js';
import type { LiteralPoints } from './model-symmetry.js';

/** The image of a value; `none` stays where it is. */
export type ValueImage = (value: Value) => Value;

/** The images of the values of a variable and of its indices. */
export interface VariableImages {
    readonly indices: readonly ValueImage[];
    readonly element: ValueImage;
}

/** How one symmetry permutes the values of each place of the declarations of a model. */
export interface PlaceImages {
    /** By index in `Model.variables`. */
    readonly variables: readonly VariableImages[];
    /** By index in `Model.channels`; `message` has an image for each scalar. */
    readonly channels: readonly { readonly indices: readonly ValueImage[]; readonly message: readonly ValueImage[] }[];
    /** By index in `Model.processes`. */
    readonly processes: readonly {
        readonly indices: readonly ValueImage[];
        readonly locals: readonly VariableImages[];
    }[];
}

/** By images: the permutation of literals; undefined if it leads to a literal that cannot occur. */
export function uniformGenerators(
    model: Model,
    sequential: SequentialModel,
    points: LiteralPoints,
    all: readonly PlaceImages[],
): (SparsePermutation | undefined)[] {
    const cellOfKey = new Map<string, number>();
    sequential.cells.forEach((cell, index) => {
        const owner = sequential.instances[cell.instance];
        cellOfKey.set(keyOf(cell, owner, owner?.indices ?? [], cell.indices), index);
    });
    const cells = sequential.cells.flatMap(({ kind }, index) => (kind === 'temporary' ? [] : [index]));
    return all.map(images =>
        permuteLiterals(points, cells, number => {
            const cell = sequential.cells[number];
            const owner = sequential.instances[cell.instance];
            const process = owner === undefined ? undefined : images.processes[owner.process];
            const { indices, element } = imagesOfCell(images, cell, owner?.process);
            const target = cellOfKey.get(
                keyOf(
                    cell,
                    owner,
                    (owner?.indices ?? []).map((value, position) => process?.indices[position]?.(value) ?? value),
                    cell.indices.map((value, position) => indices[position]?.(value) ?? value),
                ),
            );
            // The length of a channel and the place of control are no values of the text.
            const isCount =
                cell.kind === 'counter' || (cell.kind === 'channel' && cell.indices.length === indices.length);
            return target === undefined
                ? undefined
                : {
                      target,
                      mapCode: code =>
                          isCount ? code : codeOfValue(cell.domain, element(valueOfCode(cell.domain, code))),
                  };
        }),
    );

    function imagesOfCell(
        images: PlaceImages,
        cell: SequentialModel['cells'][number],
        process: number | undefined,
    ): VariableImages {
        const stays: ValueImage = value => value;
        switch (cell.kind) {
            case 'shared':
                return images.variables[cell.variable];
            case 'local':
                return images.processes[process!].locals[cell.variable];
            case 'channel': {
                const { indices, message } = images.channels[cell.variable];
                const scalar = cell.indices[indexDomainsOf(cell, model, process).length + 1];
                return { indices, element: scalar === undefined ? stays : message[scalar] };
            }
            case 'counter':
            case 'temporary':
                return { indices: [], element: stays };
        }
    }
}
