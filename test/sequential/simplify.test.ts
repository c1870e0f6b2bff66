import { expect, test } from 'vitest';
import { NOWHERE } from '../../engine/common/source-range.js';
import type { Cell, SequentialExpression } from '../../engine/sequential/sequential-model.js';
import { binary, boundsOf, conditional, constant } from '../../engine/sequential/simplify.js';
import { integers } from '../arbitrary/model-builder.js';

test('parts that expressions share are looked at once: bounds of a sum that is doubled fifty times', () => {
    const cells: Cell[] = [
        {
            name: 'x',
            domain: integers(0, 1),
            kind: 'shared',
            variable: 0,
            instance: -1,
            indices: [],
            mayBeAbsent: false,
            declaration: NOWHERE,
        },
    ];
    const cell: SequentialExpression = { kind: 'cell', cell: 0, range: NOWHERE };
    let doubled: SequentialExpression = cell;
    for (let times = 0; times < 50; times++) {
        // As a tree it has 2^50 leaves.
        const isZero = binary('==', doubled, constant(0), NOWHERE);
        doubled = conditional(isZero, doubled, binary('+', doubled, doubled, NOWHERE), NOWHERE);
    }
    expect(boundsOf(doubled, cells)).toEqual({ low: 0, high: 2 ** 50, mayBeNone: false, mayFault: false });
});
