/** Indices of alike processes, and the relations between them that some group of permutations keeps. */
export const STRUCTURE_KINDS = ['all', 'rotations', 'reflections', 'pairs', 'families', 'markers'] as const;

/** `markers`: the processes have no cells of their own, so symmetries move only what their steps are called. */
export type StructureKind = (typeof STRUCTURE_KINDS)[number];

export interface IndexStructure {
    readonly kind: StructureKind;
    /** Indices are 0 … size - 1. */
    readonly size: number;
    /** The orbits of the group. */
    readonly families: readonly (readonly number[])[];
    /** By relation, then by index: the indices that are related to it, never itself. At least one relation. */
    readonly relations: readonly (readonly (readonly number[])[])[];
}

/** With about `size` indices, as the kind allows. */
export function indexStructure(kind: StructureKind, size: number): IndexStructure {
    switch (kind) {
        case 'all':
        case 'markers':
            return structure(kind, size, [() => true]);
        case 'rotations':
            return structure(kind, size, [
                (index, other) => other === (index + 1) % size,
                (index, other) => index === (other + 1) % size,
            ]);
        case 'reflections':
            return structure(kind, Math.max(3, size), [
                (index, other) => [1, Math.max(3, size) - 1].includes(Math.abs(index - other)),
            ]);
        case 'pairs':
            return structure(kind, 4, [
                (index, other) => isSamePair(index, other),
                (index, other) => !isSamePair(index, other),
            ]);
        case 'families': {
            const first = size >> 1;
            const isFirst = (index: number): boolean => index < first;
            return {
                ...structure(kind, size, [
                    (index, other) => isFirst(index) === isFirst(other),
                    (index, other) => isFirst(index) !== isFirst(other),
                ]),
                families: [indicesBelow(first), indicesBelow(size).slice(first)],
            };
        }
    }
}

function isSamePair(index: number, other: number): boolean {
    return index >> 1 === other >> 1;
}

function structure(
    kind: StructureKind,
    size: number,
    relations: readonly ((index: number, other: number) => boolean)[],
): IndexStructure {
    const indices = indicesBelow(size);
    return {
        kind,
        size,
        families: [indices],
        relations: relations.map(isRelated =>
            indices.map(index => indices.filter(other => other !== index && isRelated(index, other))),
        ),
    };
}

function indicesBelow(size: number): number[] {
    return Array.from({ length: size }, (_, index) => index);
}
