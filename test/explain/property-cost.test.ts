/** What a property costs: the smallest conditions in it, and what they keep from moving. */
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { symmetryOf } from '../model-of-text.js';

/** Five processes that take turns; their colors move with them. */
const MODEL = `
model Turns
type Id = 0 .. 4
enum Color = { red, green, blue }
var x: Color[Id] = any
var k: 0 .. 5 = 0
process P[i: Id] {
    loop { try: when k == 0 { k := 1 }; critical: skip; leave: { k := 0; x[i] := red } }
}
`;

/** Of the only invariant, how many symmetries it keeps, and message and places of its cost. */
async function costOf(condition: string): Promise<[bigint, string | undefined, string[]]> {
    const { report } = await symmetryOf(`${MODEL}invariant it = ${condition}`);
    const property = report.properties.find(({ name }) => name === 'it');
    invariant(property !== undefined, 'the model states it');
    return [BigInt(property.order), property.cost?.message, (property.cost?.locations ?? []).map(({ text }) => text)];
}

// Green and blue may be exchanged in each cell of x, and the processes with their cells: 2^5 * 5! symmetries.
test.each([
    // 2 * (2^4 * 4!)
    ['!(P[0] at critical)', 768n, '`P[0] at critical` pins P[0]: ', ['P[0] at critical']],
    // 5!
    ['forall i in Id: x[i] != blue', 120n, '`x[i] != blue` tells x[0]=green from x[0]=blue: ', ['x[i] != blue']],
    // 2^3 for the cells that it does not name, 3! for their processes, 2 * 1 for P[1], whose color is not asked
    [
        'P[1] at leave || x[2] != blue',
        2n * (2n ** 3n * 6n),
        '`x[2] != blue` and `P[1] at leave` pin P[1] and P[2]: ',
        ['x[2] != blue', 'P[1] at leave'],
    ],
    // Only what costs something is named.
    ['k < 5 && (count(i in Id: P[i] at critical && i != 3) <= 1)', 768n, '`i != 3` pins P[3]: ', ['i != 3']],
    ['forall i in Id where i < 4: k == 0 || x[i] == red', 768n, '`i < 4` pins P[4]: ', ['i < 4']],
])('%s', async (condition, order, beginning, places) => {
    const [kept, message, found] = await costOf(condition);
    expect(kept).toBe(order);
    expect(message).toContain(beginning);
    expect(message).toMatch(new RegExp(`: C2 wr S5 becomes .*, ${order} of 3,840 symmetries remain$`));
    expect(found).toEqual(places);
});

test('a property that keeps everything costs nothing', async () => {
    expect(await costOf('count(i in Id: P[i] at critical) <= 1')).toEqual([3840n, undefined, []]);
});

test('what is too large to be compared is said to be, and costs the model nothing', async () => {
    const text = `
model Large
type Id = 1 .. 4
var a: 0 .. 150[Id] = 0
process P[i: Id] { loop { up: when a[i] < 150 { a[i] := a[i] + 1 } } }
invariant products = a[1] * a[2] >= a[2] * a[1]
`;
    const { report } = await symmetryOf(text);
    expect(report.order).toBe('24');
    expect(report.broken).toEqual([]);
    expect(report.properties.find(({ name }) => name === 'products')?.cost?.message).toBe(
        '`a[1] * a[2] >= a[2] * a[1]` pins P[1] and P[2]: S4 becomes C2, 2 of 24 symmetries remain; ' +
            'it is too large to be compared, so nothing that it reads may move',
    );
});

test('more conditions than a reader takes in are one', async () => {
    const condition = 'x[0] == red || x[1] == red || x[2] == red || x[3] == red';
    const [, , places] = await costOf(condition);
    expect(places).toEqual([condition]);
});
