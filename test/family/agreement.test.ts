/** Views of random families beside the exploration of their instances, and views that keep too little. */
// @module-tag long
import { describe, expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { ASKS, hiddenAsk, PLACES } from '../arbitrary/hidden-asks.js';
import { cases } from '../cases.js';
import { compareFamily, randomOf, type FamilyComparisonOptions } from './agreement.js';
import { narrowFamilyOf, viewsOf } from './family.js';
import { compareHidden } from './hidden.js';

const OPTIONS: FamilyComparisonOptions = { mostSize: 4, mostViewSize: 1, mostConfigurations: 500 };

test('what holds in views holds in all instances that are explored', async () => {
    let agreed = 0;
    for (let index = 0; index < cases(25, 2); index++) {
        const comparison = await compareFamily(randomOf(Number(process.env['ORBIT_SEED'] ?? 2013), index), OPTIONS);
        expect(comparison.kind === 'wrong' ? comparison : undefined).toBeUndefined();
        agreed += comparison.kind === 'agreed' ? 1 : 0;
    }
    // So many of the first models of any seed are proved at least; otherwise the test would say nothing.
    expect(agreed).toBeGreaterThan(3);
}, 120_000);

test('what needs five members is not proved with fewer, wherever it stands', async () => {
    const seed = Number(process.env['ORBIT_SEED'] ?? 0);
    const asks = Object.entries(ASKS);
    const wrong: string[] = [];
    let open = 0;
    for (const [index, [name, place]] of Object.entries(PLACES).entries()) {
        const [ask, text] = asks[(seed + index) % asks.length] ?? ['', ''];
        const comparison = await compareHidden(hiddenAsk(text, place), 200);
        open += comparison === 'open' ? 1 : 0;
        if (comparison === 'wrong') {
            wrong.push(`${ask} in ${name}`);
        }
    }
    expect(wrong).toEqual([]);
    // The others are refused; otherwise the test would say nothing.
    expect(open).toBeGreaterThan(20);
}, 120_000);

/** One who starts sees others on both sides: then nobody may rest, which four processes can violate. */
const SIDES = `param N: 1 .. 9 = 3
type Proc = 1 .. N
enum Side = { start, left, right, rest }
var side: Side[Proc] = start
var seen: bool = false
process P[i: Proc] {
    loop {
        choose { when side[i] == start && !seen { side[i] := left } }
        or     { when side[i] == start && !seen { side[i] := right } }
        or     { when side[i] == start && !seen { side[i] := rest } }
        or     { when side[i] == start && (exists j in Proc: side[j] == left) && (exists j in Proc: side[j] == right) { seen := true } }
    }
}
invariant never = forall i in Proc: seen implies side[i] != rest
allow deadlock
`;

/** Who is named may be in a state of its own. */
const OWNER = `param N: 1 .. 9 = 3
type Proc = 1 .. N
enum State = { idle, first, second }
var owner: Proc? = none
var state: State[Proc] = idle
process P[i: Proc] {
    loop {
        choose { when owner == none { owner := i; state[i] := first } }
        or     { when owner != none && owner != i && state[i] == idle && (exists j in Proc: owner == j && state[j] == first) { state[i] := second } }
    }
}
invariant never = forall i in Proc: state[i] != second
allow deadlock
`;

describe('views that keep too little', () => {
    test('with one witness less than the text needs, a violation is missed', async () => {
        const { narrow } = await narrowFamilyOf(SIDES);
        // The process itself and a witness for each of two conditions.
        expect(narrow.extra).toBe(3);
        expect(viewsOf(narrow, 1).end?.kind).toBe('suspicion');
        expect(viewsOf({ ...narrow, extra: 2 }, 1).end).toBeUndefined();
    });

    test('where a named process is not kept, a violation is missed', async () => {
        const { narrow } = await narrowFamilyOf(OWNER);
        expect(viewsOf(narrow, 1).end?.kind).toBe('suspicion');
        // As if the variable were an ordinary one that names nobody.
        const withoutNames = (sizes: readonly number[]): ReturnType<typeof narrow.instanceAt> => {
            const instance = narrow.instanceAt(sizes);
            invariant(!('problems' in instance), 'the instances of a narrow text are alike');
            const { layout } = instance;
            const namedByCode = layout.shared.namedByCode.map(named => named?.map(() => -1));
            return { ...instance, layout: { ...layout, shared: { ...layout.shared, namedByCode } } };
        };
        expect(viewsOf({ ...narrow, instanceAt: withoutNames }, 1).end).toBeUndefined();
    });

    test('with fewer members than a violation has, it is missed', async () => {
        const text = `param N: 1 .. 9 = 3
type Proc = 1 .. N
var inside: bool[Proc] = false
process P[i: Proc] { loop { when !inside[i] { inside[i] := true } } }
invariant few = count(i in Proc: inside[i]) <= 2
allow deadlock
`;
        const { narrow } = await narrowFamilyOf(text);
        expect(narrow.invariants[0]?.members).toBe(3);
        expect(viewsOf(narrow, 1).end?.kind).toBe('suspicion');
        const less = narrow.invariants.map(each => ({ ...each, members: 2 }));
        expect(viewsOf({ ...narrow, invariants: less }, 1).end).toBeUndefined();
    });
});
