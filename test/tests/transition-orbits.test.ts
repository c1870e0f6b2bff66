/**
 * Orbits of transitions are those that brute force finds: all transitions of the model, put together under exchanges of
 * members that are written down here. The models of select-tests.test.ts are further rows of the same comparison.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { imagesOfRuns } from '../../engine/tests/members.js';
import {
    allTransitions,
    exchange,
    inNumbers,
    keyOf,
    orbitsUnder,
    shownPassing,
    type Renaming,
} from './all-transitions.js';
import { testsOf } from './tests-of-text.js';

interface Row {
    readonly name: string;
    readonly parameters?: Readonly<Record<string, number>>;
    /** Of all symmetries that keep the start, labels, families and places of the text. */
    readonly generators: readonly Renaming[];
}

const exchanges = (count: number, first = 1): readonly Renaming[] =>
    Array.from({ length: count - 1 }, (_, index) => inNumbers(exchange(`${first + index}`, `${first + index + 1}`)));

const inPlaces =
    (places: RegExp, image: (member: string) => string): Renaming =>
    text =>
        text.replace(places, (_, before: string, member: string) => `${before}${image(member)}`);

const ROWS: readonly Row[] = [
    { name: 'semaphore-mutex', generators: exchanges(4) },
    { name: 'msi-bus', generators: exchanges(4) },
    {
        name: 'stabilizing-matching',
        generators: [inNumbers(seat => `${(Number(seat) + 1) % 4}`), inNumbers(seat => `${(4 - Number(seat)) % 4}`)],
    },
    { name: 'dekker', generators: [inNumbers(exchange('0', '1'))] },
    {
        name: 'leader-election-complete',
        generators: exchanges(4, 0).map(renaming => text => (text.startsWith('rule') ? text : renaming(text))),
    },
    { name: 'readers-writers', generators: [inNumbers(exchange('0', '1'))] },
    {
        name: 'leader-election-ring',
        generators: [inPlaces(/^((?:leader|bullet|shield|Link)\[)(\d)/, seat => `${(Number(seat) + 1) % 3}`)],
    },
    // Who yields to whom is no exchange: the values that the two write differ.
    { name: 'kessels', generators: [] },
];

/** Chosen after the others were equal. */
const HELD_OUT: readonly Row[] = [
    { name: 'token-mutex', generators: [inNumbers(seat => `${(Number(seat) + 1) % 4}`)] },
    { name: 'mcs-lock', parameters: { N: 2 }, generators: exchanges(2) },
    {
        name: 'bounded-buffer',
        generators: [
            inPlaces(/^(expected\[|Produce\[|buffer\[\d\]\.from = )(\d)/, exchange('1', '2')),
            inPlaces(/^(Consume\[)(\d)/, exchange('1', '2')),
        ],
    },
    { name: 'tcp-connection', generators: [inPlaces(/(\b(?:state|hasBlock|net|P)\[)(\d)/g, exchange('0', '1'))] },
    { name: 'szymanski', parameters: { N: 2 }, generators: [] },
];

async function compare(text: string, { parameters, generators }: Omit<Row, 'name'>): Promise<number> {
    const selection = await testsOf(text, 'transitions', parameters);
    const { sequential, orbits } = selection;
    const { all } = allTransitions(sequential);
    const orbitOf = orbitsUnder(all, generators);
    const found = orbits.transitions.map(({ passing }) => orbitOf.get(keyOf(shownPassing(sequential, passing))));
    expect(found).not.toContain(undefined);
    // None twice, and none is missing.
    expect(new Set(found).size).toBe(found.length);
    expect(found.length).toBe(new Set(orbitOf.values()).size);
    return found.length;
}

describe('orbits of transitions are those of brute force', () => {
    it.each([...ROWS, ...HELD_OUT])(
        'of $name',
        async row => {
            expect(await compare(await readFile(`models/${row.name}.orbit`, 'utf8'), row)).toBeGreaterThan(0);
        },
        300_000,
    );
});

/** The steps let members be exchanged; the start is that of member 1. */
const TOKEN = `model Token
type Id = 1 .. 3
var token: Id = 1
var had: bool[Id] = false
process P[i: Id] {
    loop { choose j in Id where token == i && !had[i] { pass: { had[i] := true; token := j } } }
}
allow deadlock
`;

describe('a start that the symmetries of the steps move', () => {
    it('is kept: who has the token at first is nobody else', async () => {
        // By hand: to oneself or on, then from member 2 to each of three, and then from member 3.
        expect(await compare(TOKEN, { generators: [inNumbers(exchange('2', '3'))] })).toBe(2 + 3 + 3);
        const { sequential, orbits } = await testsOf(TOKEN);
        expect(() => orbitsUnder(allTransitions(sequential).all, exchanges(3))).toThrow('is no transition');
        // Nobody else may have it at first, so each test and each image of it begins there.
        const selection = await testsOf(TOKEN);
        const images = imagesOfRuns(selection, 6, createRandom(2));
        expect(Math.max(...images.map(({ length }) => length))).toBe(2);
        const [start] = orbits.states;
        images.flat().forEach(({ initial }) => {
            expect([...initial]).toEqual([...(start?.state ?? [])]);
        });
    });
});
