import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listElements } from '../../engine/group/elements.js';
import { leadingCells, type LeadingCells } from '../../engine/representative/first-compared-cells.js';
import { createLiteralAction } from '../../engine/group/literal-action.js';
import {
    familyGroup,
    literalGroups,
    reflection,
    rotation,
    toSparseGenerators,
    type LiteralGroupSample,
} from '../arbitrary/literal-groups.js';

/** With the cells that each element brings there. */
function leadingOf({ domainSizes, generators }: LiteralGroupSample): LeadingCells & { readonly sources: Set<string> } {
    const action = createLiteralAction({
        cellCount: domainSizes.length,
        domainSizes,
        generators: toSparseGenerators(generators),
    });
    const elements = listElements(action, 10_000)!;
    const leading = leadingCells(action, elements);
    const sources = elements.map(element => {
        const cells = action.cells.filter(cell =>
            leading.cells.includes(action.cellOfPoint[element[action.firstPoint[cell]!]!]!),
        );
        return cells.join();
    });
    return { ...leading, sources: new Set(sources) };
}

test('unless they stay where they are, elements bring different cells to the leading ones', () => {
    fc.assert(
        fc.property(literalGroups(), sample => {
            const { areFixed, cells, sources } = leadingOf(sample);
            expect(areFixed ? sources.size === 1 : sources.size > 1 || cells.length === 0).toBe(true);
        }),
    );
});

test('an agent of a ring comes with its neighbors, and with more of its own in place of all agents', () => {
    const color = { kind: 'array', plainValues: 3, namesElements: false } as const;
    const bit = { kind: 'array', plainValues: 2, namesElements: false } as const;
    // Cells 0 … 4 are colors, 5 … 9 the first bits, 10 … 14 the second bits.
    const ring = familyGroup(5, [color, bit, bit], [rotation(5), reflection(5)]);
    const { cells, sources } = leadingOf(ring);
    expect(cells).toEqual([0, 5, 10, 1, 4, 6, 9]);
    expect(sources.size).toBe(5);
});
