/** What a hover says of variables: no more than the symmetries do. */
import { expect, test } from 'vitest';
import { symmetryOf } from '../model-of-text.js';

async function rolesIn(text: string): Promise<Readonly<Record<string, readonly string[]>>> {
    const { report } = await symmetryOf(text, { explain: false });
    return Object.fromEntries(report.variables.map(({ name, roles }) => [name, roles]));
}

test('values that only rotate are not said to be interchangeable', async () => {
    const roles = await rolesIn(`
        type Ticket = 0 .. 3
        var next: Ticket = any
        var serving: Ticket = next
        process P[i: 1 .. 2] {
            var mine: Ticket
            loop {
                draw: { mine := next; next := (next + 1) mod 4 }
                wait: when serving == mine { serving := (serving + 1) mod 4 }
            }
        }
    `);
    expect(roles).toEqual({
        next: ['Symmetries permute the values 0, 1, 2 and 3.'],
        serving: ['Symmetries permute the values 0, 1, 2 and 3.'],
        'P.mine': ['Symmetries permute the values 0, 1, 2 and 3.', 'It moves with its process P.'],
    });
});

test('cells that keep their neighbors are not said to be interchangeable', async () => {
    const roles = await rolesIn(`
        type C = 0 .. 3
        enum Color = { red, green, blue }
        var ring: Color?[C] = none
        var heap: bool[C] = false
        process Paint {
            loop {
                choose c in C, d in Color { paint: when ring[(c + 1) mod 4] != d { ring[c] := d } }
                or c in C { heap[c] := !heap[c] }
            }
        }
    `);
    expect(roles).toMatchObject({
        ring: ['Values red, green and blue are interchangeable.', 'Symmetries permute its elements.'],
        heap: ['Its elements are interchangeable.'],
    });
});

test('what has a row for each process may have columns that change places', async () => {
    const sets = (pair: string): string => `
        type Replica = 0 .. 2
        type Element = 0 .. 3
        var has: bool[Replica, Element] = false
        process Merge[r: Replica, s: Replica where ${pair}] { loop { { for e in Element { has[r, e] := has[s, e] } } } }
        process Client[r: Replica] { loop { choose e in Element { add: has[r, e] := true } } }
    `;
    expect(await rolesIn(sets('r != s'))).toMatchObject({
        has: ['It moves with its process Client.', 'Symmetries permute its elements.'],
    });
    // Of a chain of replicas none goes to the place of another one.
    expect(await rolesIn(sets('s == r + 1'))).toMatchObject({ has: ['Symmetries permute its elements.'] });
});

test('a variable that changes places with another one is said to', async () => {
    const roles = await rolesIn(`
        type C = 0 .. 1
        var left: bool[C] = false
        var right: bool[C] = false
        process Raise { loop { choose c in C { left[c] := true } or c in C { right[c] := true } } }
        process Lower { loop { choose c in C { left[c] := false } or c in C { right[c] := false } } }
    `);
    expect(roles).toMatchObject({
        left: ['Its elements are interchangeable.', 'It is interchangeable with right[0].'],
    });
});
