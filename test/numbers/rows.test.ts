/** Systems of the literature whose numbers grow without end: classes, orbits and steps are those of another interpreter. */
import { expect, test } from 'vitest';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { explored, isExact } from './explored.js';
import { LARGE_ROWS, LARGEST_ROW, PAXOS } from './large-texts.js';
import { PROTOCOL_ROWS, SEQLOCK } from './protocol-texts.js';
import { ROWS, TICKET, TREIBER, type Row } from './texts.js';

const ALL_ROWS = [...ROWS, ...PROTOCOL_ROWS, ...LARGE_ROWS];

function exploredRow(
    { text, parameters, leastDistances }: Row,
    reduction: 'none' | 'unique',
): Promise<ExplorationReport> {
    return explored(text, { reduction, ...(leastDistances !== undefined && { leastDistances }) }, parameters);
}

test.each(ALL_ROWS)('$name $parameters has $all classes and steps', async row => {
    const report = await exploredRow(row, 'none');
    expect(report).toMatchObject({ verdict: 'holds', states: row.all[0], transitions: row.all[1] });
    expect(isExact(report)).toBe(row.isExact);
    expect(Math.max(...(report.numbers ?? []).map(({ kept }) => kept))).toBe(row.kept);
});

test.each(ALL_ROWS.filter(({ reduced }) => reduced !== undefined))(
    '$name $parameters has $reduced orbits and steps',
    async row => {
        const report = await exploredRow(row, 'unique');
        const [states, transitions] = row.reduced ?? [];
        expect(report).toMatchObject({ verdict: 'holds', states, transitions });
    },
);

test('Paxos with three acceptors has two million orbits', { tags: 'thorough', timeout: 120_000 }, async () => {
    const { text, parameters, reduced } = LARGEST_ROW;
    const report = await explored(text, { reduction: 'unique' }, parameters);
    expect(report).toMatchObject({ verdict: 'holds', states: reduced[0], transitions: reduced[1] });
});

// Two voters choose a value in six steps, and so do they another one.
test('a proposer that passes over earlier votes is found after twelve steps', async () => {
    const text = PAXOS.replace(' && (value[p] == none || value[p] == v)', '');
    const { verdict, violations } = await explored(text, { reduction: 'unique' });
    expect([verdict, violations.map(({ trace }) => trace.length - 1)]).toEqual(['violated', [12]]);
});

// Twice N and one more: who waits, in order, and whether the first one is served.
test('the ticket lock of twelve processes has 25 orbits', async () => {
    expect(await explored(TICKET, { reduction: 'unique' }, { N: 12 })).toMatchObject({ verdict: 'holds', states: 25 });
});

test('a lock that lets the next but one in is violated after four steps', async () => {
    const text = TICKET.replace('mine == serving', 'mine <= serving + 1');
    for (const reduction of ['none', 'unique'] as const) {
        const { verdict, violations } = await explored(text, { reduction }, { N: 2 });
        expect(verdict).toBe('violated');
        expect(violations.map(({ name, trace }) => [name, trace.length - 1])).toEqual([['mutex', 4]]);
    }
});

test('without the test of a token an old holder writes after a newer one, after five steps', async () => {
    const text = `
        type Client = 1 .. 2
        var last: nat = 0
        var top: nat = 0
        var holder: Client? = none
        process C[i: Client] {
            var mine: nat
            loop {
                lease: when holder == none { last := last + 1; mine := last; holder := i }
                loop {
                    choose { write: { assert mine >= top; top := mine } }
                    or { release: { if holder == i { holder := none } } break }
                }
            }
        }
        process Clock { loop { expire: when holder != none { holder := none } } }`;
    const { verdict, violations } = await explored(text);
    expect(verdict).toBe('violated');
    // Lease, expire, lease, write by the second, and the write of the first that is refused.
    expect(violations.map(({ trace }) => trace.length - 1)).toEqual([5]);
});

// The first reads the top and what is below it, the others pop both, and the first of them pushes its node again: only the
// swing of the first is wrong then.
test('a stack without versions is violated after twelve steps of three processes', async () => {
    const text = TREIBER.replaceAll(/ && version == seen| \|\| version != seen|version := version \+ 1;/g, '');
    for (const reduction of ['none', 'unique'] as const) {
        const { verdict, violations } = await explored(text, { reduction }, { N: 3 });
        expect(verdict).toBe('violated');
        expect(violations.map(({ name, trace }) => [name, trace.length - 1])).toEqual([['owned', 12]]);
    }
});

// The writer begins and writes the first value; the reader starts, reads both and finds the same odd version: six steps. The
// seventh uses what it has read.
test('a reader that looks at odd versions sees half a write after six steps', async () => {
    const { verdict, violations } = await explored(SEQLOCK.replace('when version mod 2 == 0 ', ''));
    expect(verdict).toBe('violated');
    expect(violations.map(({ kind, trace }) => [kind, trace.length - 1])).toEqual([['fault', 7]]);
});
