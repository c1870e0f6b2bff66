/** Why instances are not alike: the place is named where there is one, and nothing is said where nothing is known. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createWorkLimit, UNLIMITED, withinQuestions, type WorkLimit } from '../../engine/common/work-limit.js';
import { createTextOf, type TextOfRange } from '../../engine/common/source-text.js';
import type { SymmetryReport } from '../../engine/describe/report.js';
import { familyModel } from '../arbitrary/family-model.js';
import { symmetryOf } from '../model-of-text.js';

async function reportOf(text: string, workLimit: WorkLimit = UNLIMITED): Promise<SymmetryReport> {
    return (await symmetryOf(text, { workLimit, textOf: createTextOf(() => text) })).report;
}

/** Of each explanation the group that is expected and the places that break it, as the model writes them. */
async function explanationsOf(text: string): Promise<[string, string[]][]> {
    const { broken } = await reportOf(text);
    return broken.map(({ expected, locations }) => [expected, locations.map(location => location.text)]);
}

function modelText(name: string): string {
    return readFileSync(join(import.meta.dirname, `../../models/${name}.orbit`), 'utf8');
}

const EDITED_RING = modelText('token-ring').replace('rule1: when !leader[u]', 'rule1: when u != 0 && !leader[u]');

/** Counters that count to 2; `flaw` stands in the step. */
function counters(flaw: string, initial = '0'): string {
    return `
model Counters
type Id = 0 .. 3
var x: 0 .. 2[Id] = ${initial}
process P[i: Id] {
    loop { when x[i] < 2 { x[i] := x[i] + 1; ${flaw} } }
}
allow deadlock
`;
}

describe('a place that breaks the symmetry is named', () => {
    test('a guard that is different for one agent of the ring', async () => {
        expect(EDITED_RING).not.toBe(modelText('token-ring'));
        expect(await explanationsOf(EDITED_RING)).toEqual([['C5', ['u != 0']]]);
    });

    test('a left-handed philosopher', async () => {
        const text = `
model LeftHanded
type Seat = 0 .. 3
var taken: bool[Seat] = false
process Phil[i: Seat] {
    const right = (i + 1) mod 4
    loop {
        if i == 3 {
            when !taken[i] { taken[i] := true }
        } else {
            when !taken[right] { taken[right] := true }
        }
        taken[i] := false
    }
}
`;
        const [[, places] = []] = await explanationsOf(text);
        expect(places).toEqual(['i == 3']);
    });

    test('a write to a fixed element', async () => {
        expect(await explanationsOf(counters('x[0] := 0'))).toEqual([['S4', ['x[0]']]]);
    });

    test('an initial value', async () => {
        const text = counters('')
            .replace('= 0\nprocess', '= 0\nvar first: Id = 2\nprocess')
            .replace('x[i] := x[i] + 1;', 'x[i] := if first == i then 2 else x[i] + 1;');
        // Where it starts anywhere, nobody is the first.
        expect(await explanationsOf(text)).toEqual([['S4', ['first = 2']]]);
    });
});

test('three places of which none can be left out are named together', async () => {
    // Neither what lies ahead nor where the cabin moves treats all floors alike.
    expect(await explanationsOf(modelText('elevator'))).toEqual([
        ['S4', ['f > floor', 'f < floor', 'floor := if direction == up then floor + 1 else floor - 1']],
    ]);
});

test('a loop over all, one after the other, is named with its steps', async () => {
    // What `while` goes through by hand.
    expect(await explanationsOf(modelText('bakery'))).toEqual([['C2', ['j := 1', 'i <= j', 'j := j + 1']]]);
});

test('where the search for places ended at its budget, that is said', async () => {
    // As many flaws as this take more trials than a model of this size gets.
    const flaws = Array.from({ length: 8 }, (_, k) => `x[${5 * k}] := 0`).join('; ');
    const { broken, unexplained } = await reportOf(counters(flaws).replace('0 .. 3', '0 .. 99'));
    expect(broken).toEqual([]);
    expect(unexplained).toEqual(['instances of `P`: the search for what makes the difference ended at its budget']);
    expect((await reportOf(modelText('peterson'))).unexplained).toBeUndefined();
});

test('where the time is over before it is known whether similar processes are interchangeable, that is said', async () => {
    const text = readFileSync(join(import.meta.dirname, 'broken/twin-without-a-guard.orbit'), 'utf8');
    let cutCount = 0;
    for (let questions = 100; questions < 400; questions += 10) {
        const report = await reportOf(text, withinQuestions(UNLIMITED, questions));
        const { complete, verified, undescribed, broken, unexplained = [] } = report;
        if (complete && verified && undescribed === undefined) {
            expect(broken.length + unexplained.length, `${questions} questions`).toBe(1);
            cutCount += unexplained.length;
        }
    }
    expect(cutCount).toBeGreaterThan(0);
});

describe('values that a table or an order tells apart on purpose', () => {
    const model = (guard: string): string => `
model Limits
type Id = 1 .. 4
const most: 0 .. 2[Id] = [1, 1, 1, 2]
var x: 0 .. 2[Id] = any
process P[i: Id] {
    loop {
        choose { go: when x[i] < most[i] ${guard} { x[i] := x[i] + 1 } }
        or     { back: x[i] := 0 }
    }
}
`;

    test('are no damage', async () => {
        const { broken } = await reportOf(model(''));
        expect(broken.map(({ isIntended }) => isIntended)).toEqual([true]);
    });

    test('do not hide a slip beside them, which costs those that are alike', async () => {
        // Only the fourth differs by the table, so without the slip the other three are interchangeable.
        const [slip] = (await reportOf(model('&& i != 1'))).broken;
        expect(slip).toMatchObject({ expected: 'S3', locations: [{ text: 'i != 1' }] });
        expect(slip?.isIntended).toBeUndefined();
        expect(slip?.repairs.map(({ title }) => title)).toEqual(['Remove `i != 1`: the symmetry is back']);
    });

    test('and where an order leaves nothing alike anyway, a slip costs nothing', async () => {
        const { broken } = await reportOf(model('&& (forall j in Id: x[j] == 0 || i <= j) && i != 1'));
        expect(broken.every(({ isIntended }) => isIntended)).toBe(true);
    });
});

describe('nothing is named', () => {
    test.each(['token-ring', 'peterson', 'dining-philosophers', 'semaphore-mutex', 'readers-writers'])(
        'in %s, which has the symmetry that its declarations suggest',
        async name => {
            const { broken, families } = await reportOf(modelText(name));
            expect(families.every(({ orbits }) => orbits.length === 1)).toBe(true);
            expect(broken).toEqual([]);
        },
    );

    test('when the budget is over', async () => {
        let now = 0;
        for (const budgetMilliseconds of [0, 100, 1000]) {
            const limit = createWorkLimit({ now: () => now++, budgetMilliseconds: now + budgetMilliseconds });
            const { broken, complete } = await reportOf(EDITED_RING, limit);
            expect(complete || broken.length === 0).toBe(true);
        }
        const { broken } = await reportOf(EDITED_RING, { isExhausted: () => true });
        expect(broken).toEqual([]);
    });
});

test('similar processes of a model that is too large to try anything are left unexplained before any place is looked for', async () => {
    let quotes = 0;
    const textOf: TextOfRange = () => {
        quotes++;
        return undefined;
    };
    const { report } = await symmetryOf(familyModel(40), { textOf });
    const budget = 'the search for what makes the difference ended at its budget';
    expect(report.unexplained).toContainEqual(expect.stringMatching(`^processes .*: ${budget}$`));
    // Each place has its words in the text.
    expect(quotes).toBe(0);
});
