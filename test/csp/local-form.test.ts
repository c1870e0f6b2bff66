/** Steps that are written alike share a form only where their cells hold the same values. */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { encode } from '../../engine/csp/encode.js';
import { cellKey } from '../../engine/csp/local-form.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type { Cell } from '../../engine/sequential/sequential-model.js';
import { loadModel } from '../../language-server/load-model.js';

/** `P.b` and `R.b` read alike, and so would their cells: -1 .. 3, and 1 .. 3 or no value. */
const ALIKE = `model Alike

var low:  -1 .. 3 = 2
var seen: bool = false

process P {
    loop {
        a: skip;
        b: when low == 2 { low := 3 };
        c: skip;
        d: skip
    }
}

process R {
    loop {
        var x: 1 .. 3 = 1
        a: x := 2;
        b: when x == 2 { x := 3 };
        c: when x == 3 { seen := true };
        d: skip
    }
}
`;

test('a cell that may have no value is not taken for one with a negative value', async () => {
    const { model, problems } = await loadModel(ALIKE, 'file:///alike.orbit', []);
    expect(problems).toEqual([]);
    const sequential = model && linearize(model).sequential;
    if (sequential === undefined) {
        throw new Error('the model is right');
    }
    const { domains } = encode(sequential, UNLIMITED);
    const codesOf = Object.fromEntries(sequential.cells.map(({ name }, cell) => [name, domains[cell]]));
    expect(codesOf).toEqual({
        low: [3, 4],
        seen: [0, 1],
        'P.at': [0, 1, 2, 3],
        'R.x': [-1, 1, 2],
        'R.at': [0, 1, 2, 3],
    });
});

test('cells with different values have different keys', () => {
    const ranges = [-3, -1, 0, 1, 3].flatMap(low =>
        [0, 1, 3].map(size => ({ kind: 'range', low, high: low + size }) as const),
    );
    const domains = [
        { kind: 'boolean' } as const,
        ...ranges,
        ...ranges.map(base => ({ kind: 'optional', base }) as const),
    ];
    const cells = domains.flatMap(domain =>
        [false, true].flatMap(mayBeAbsent =>
            (['shared', 'channel', 'temporary'] as const).map(kind => ({ kind, domain, mayBeAbsent }) as Cell),
        ),
    );
    expect(new Set(cells.map(cellKey)).size).toBe(cells.length);
});
