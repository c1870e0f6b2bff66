/** Steps that are written alike share a form only where their cells hold the same values. */
import { expect, test } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { encode, encodeModel } from '../../engine/constraints/encode.js';
import { FragmentCache, SummandFragment } from '../../engine/constraints/fragment.js';
import { cellKey, Localizer, type LocalForm } from '../../engine/constraints/local-form.js';
import { printConstraintProblem } from '../../engine/constraints/print-constraints.js';
import type { Cell, Summand } from '../../engine/sequential/sequential-model.js';
import { sequentialOf } from '../model-of-text.js';

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
    const sequential = await sequentialOf(ALIKE);
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

test('what all processes do with each other and with their names is worked out once', async () => {
    const counted = async (processes: number): Promise<number> => {
        const sequential = await sequentialOf(`model Alike
            type Id = 1 .. ${processes}
            var holder: Id? = none
            var wants: bool[Id] = false
            process P[i: Id, j: Id where i != j] {
                loop {
                    ask: when !wants[i] { wants[i] := true };
                    take: when holder == none && wants[i] && (forall k in Id where k != i: !wants[k]) { holder := i };
                    pass: when holder == i && wants[j] { holder := j }
                }
            }`);
        return encodeModel(sequential, UNLIMITED, new FragmentCache()).counts.encoded;
    };
    expect(await counted(7)).toBe(await counted(4));
});

class NothingShared extends FragmentCache {
    override summandFragment(form: LocalForm<Summand>): SummandFragment {
        return new SummandFragment(form.localCells(), form.local);
    }
}

test('constraints are the same whether steps that are alike share them or not', async () => {
    const random = createRandom(3);
    const shared = new FragmentCache();
    for (let count = 0; count < 60; count++) {
        const type = (): string => ['-1 .. 3', '1 .. 3', '0 .. 3'][random.below(3)]!;
        const value = 2 + random.below(2);
        const sequential = await sequentialOf(`model Alike
            var x: ${type()} = 3
            var y: -3 .. 4 = 0
            process P { loop { a: skip; b: when x == 3 { x := ${value} }; c: y := x; d: skip } }
            process Q {
                loop { var k: ${type()} = 3 a: k := 3; b: when k == 3 { k := ${value} }; c: y := k; d: skip }
            }`);
        const together = printConstraintProblem(encode(sequential, UNLIMITED, shared));
        shared.forgetUnused();
        expect(together).toBe(printConstraintProblem(encode(sequential, UNLIMITED, new NothingShared())));
    }
});

test('steps share a form over other values only where they compare and copy them', async () => {
    const isShared = async (step: (value: number) => string): Promise<boolean> => {
        const { cells, summands } = await sequentialOf(
            `model Values
            var v: 0 .. 3 = 0
            var w: 0 .. 3 = 0
            var few: 0 .. 2 = 0
            var list: bool[0 .. 3] = false
            process P { loop { choose { ${step(1)} } or { ${step(2)} } } }`,
        );
        const localizer = new Localizer(cells);
        const keys = summands.map(summand => localizer.summand(summand).key);
        expect(keys.length).toBe(2);
        return keys[0] === keys[1];
    };
    expect(await isShared(value => `when v == ${value} { w := v; v := ${value + 1} }`)).toBe(true);
    expect(await isShared(value => `when v == ${value} && v == w + 1 { v := 0 }`)).toBe(false);
    expect(await isShared(value => `when v == ${value} && w + 1 == v { v := 0 }`)).toBe(false);
    expect(await isShared(value => `when v == ${value} { v := w + 1 }`)).toBe(false);
    expect(await isShared(value => `when v == ${value} && v < w { v := 0 }`)).toBe(false);
    expect(await isShared(value => `when v == ${value} { list[v] := true }`)).toBe(false);
    expect(await isShared(value => `when v == ${value} { few := v }`)).toBe(false);
    // The first values that v and w cannot have, and one further off.
    for (const none of [-1, 4, 7]) {
        expect(await isShared(value => `when v == ${value} { if w != ${none} { v := 0 }; w := v }`)).toBe(false);
    }
    // What is done to one of two equal cells before they are compared counts for both.
    expect(await isShared(value => `when v < 2 && w == v && w == ${value} { v := 0 }`)).toBe(false);
    expect(await isShared(value => `when w < 2 && w == v && w == ${value} { v := 0 }`)).toBe(false);
});
