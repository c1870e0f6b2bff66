import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Selection } from '../../engine/tests/select-tests.js';
import {
    allTransitions,
    exchange,
    inNumbers,
    keyOf,
    orbitsUnder,
    shownPassing,
    type Renaming,
    type ShownTransition,
} from './all-transitions.js';
import { testsOf } from './tests-of-text.js';

/** Of a design that was counted by another program: what there is, and the most that its tests took. */
interface Row {
    readonly name: string;
    readonly parameters?: Readonly<Record<string, number>>;
    readonly states: number;
    readonly transitions: number;
    readonly orbits: number;
    readonly runs: number;
    readonly steps?: number;
    readonly pairs?: number;
    readonly generators: readonly Renaming[];
}

const inRaft =
    (image: (member: string) => string): Renaming =>
    text =>
        text
            .replace(/^(node|Campaign)\[(\d+)/, (_, name: string, member: string) => `${name}[${image(member)}`)
            .replace(/^Hear\[(\d+), (\d+)/, (_, i: string, j: string) => `Hear[${image(i)}, ${image(j)}`)
            .replace(
                /^vote\[(\d+), (\d+)\] = (\w+)/,
                (_, i: string, term: string, j: string) => `vote[${image(i)}, ${term}] = ${image(j)}`,
            )
            .replace(/^(winner\[\d+\] = )(\w+)/, (_, place: string, member: string) => `${place}${image(member)}`);

const inPeterson =
    (image: (member: string) => string): Renaming =>
    text =>
        text
            .replace(/^(flag|P)\[(\d+)/, (_, name: string, member: string) => `${name}[${image(member)}`)
            .replace(/^(turn\[\d+\] = )(\w+)/, (_, place: string, member: string) => `${place}${image(member)}`);

const inClients =
    (image: (client: string) => string): Renaming =>
    text =>
        text.replace(/Client\(\d, \d\)/g, image);

const exchangedClients = (one: string, other: string): Renaming =>
    inClients(exchange(`Client(${one})`, `Client(${other})`));

const exchangedServers: Renaming = text =>
    text.replace(
        /(Client\(|started\[)([01])/g,
        (_, before: string, server: string) => `${before}${1 - Number(server)}`,
    );

const inGerman =
    (image: (member: string) => string): Renaming =>
    text =>
        text
            .replace(/(\w)\[(\d)\]/, (_, before: string, member: string) => `${before}[${image(member)}]`)
            .replace(/^(Home\.[ij] = )(\d)/, (_, before: string, member: string) => `${before}${image(member)}`);

const ROWS: readonly Row[] = [
    {
        name: 'two-phase-commit',
        parameters: { N: 4 },
        states: 1_568,
        transitions: 8_176,
        orbits: 572,
        runs: 131,
        steps: 1_229,
        pairs: 2_031,
        generators: [exchange('1', '2'), exchange('2', '3'), exchange('3', '4')].map(inNumbers),
    },
    {
        name: 'raft-election',
        states: 1_203,
        transitions: 2_355,
        orbits: 399,
        runs: 157,
        steps: 1_127,
        pairs: 679,
        generators: [exchange('1', '2'), exchange('2', '3')].map(inRaft),
    },
    {
        name: 'resource-allocator',
        states: 1_920,
        transitions: 7_828,
        orbits: 994,
        runs: 192,
        steps: 2_226,
        pairs: 2_846,
        generators: [
            exchangedClients('0, 0', '0, 1'),
            exchangedClients('1, 0', '1, 1'),
            exchangedClients('2, 0', '2, 1'),
            exchangedClients('2, 1', '2, 2'),
        ],
    },
    {
        name: 'three-tier',
        states: 7_840,
        transitions: 62_720,
        orbits: 2_123,
        runs: 116,
        steps: 3_000,
        pairs: 10_489,
        generators: [
            exchangedClients('0, 0', '0, 1'),
            exchangedClients('0, 1', '0, 2'),
            exchangedClients('2, 0', '2, 1'),
            exchangedServers,
        ],
    },
    {
        name: 'peterson',
        parameters: { N: 3 },
        states: 572,
        transitions: 1_296,
        orbits: 228,
        runs: 35,
        generators: [exchange('1', '2'), exchange('2', '3')].map(inPeterson),
    },
    {
        name: 'dining-philosophers',
        parameters: { N: 5 },
        states: 392,
        transitions: 1_250,
        orbits: 250,
        runs: 19,
        generators: [inNumbers(seat => String((Number(seat) + 1) % 5))],
    },
    {
        name: 'german-cache',
        parameters: { N: 2 },
        states: 1_644,
        transitions: 4_140,
        orbits: 2_070,
        runs: 454,
        generators: [inGerman(exchange('1', '2'))],
    },
];

function shownSteps({ sequential, runs }: Selection): readonly (readonly ShownTransition[])[] {
    return runs.map(({ passings }) => passings.map(passing => shownPassing(sequential, passing)));
}

describe('tests of shipped models', () => {
    it.each(ROWS)(
        'take one of each orbit of transitions of $name, in no more runs and steps than known',
        async row => {
            const text = await readFile(`models/${row.name}.orbit`, 'utf8');
            const selection = await testsOf(text, 'transitions', row.parameters);
            const { states, all } = allTransitions(selection.sequential);
            const orbits = orbitsUnder(all, row.generators);
            expect({ states, transitions: all.length }).toEqual({ states: row.states, transitions: row.transitions });
            expect(new Set(orbits.values()).size).toBe(row.orbits);
            expect(selection.orbits.transitions.length).toBe(row.orbits);

            const steps = shownSteps(selection);
            const taken = steps.flat().map(step => orbits.get(keyOf(step)));
            expect(taken).not.toContain(undefined);
            expect(new Set(taken).size).toBe(row.orbits);
            steps.forEach(run => {
                const starts = run.map(({ before }) => before);
                expect(starts.slice(1)).toEqual(run.slice(0, -1).map(({ after }) => after));
            });
            expect(steps.length).toBeLessThanOrEqual(row.runs);
            expect(taken.length).toBeLessThanOrEqual(row.steps ?? Infinity);
        },
        300_000,
    );

    it.each(ROWS.filter(({ pairs }) => pairs !== undefined))(
        'take one of each pair of orbits that follow each other in $name',
        async row => {
            const text = await readFile(`models/${row.name}.orbit`, 'utf8');
            const selection = await testsOf(text, 'pairs', row.parameters);
            expect(selection.itemCount).toBe(row.pairs);
            const pairs = selection.runs.flatMap(({ orbits }) =>
                orbits.slice(1).map((orbit, index) => `${orbits[index]} ${orbit}`),
            );
            expect(new Set(pairs).size).toBe(row.pairs);
            expect(new Set(selection.runs.flatMap(({ orbits }) => orbits)).size).toBe(row.orbits);
        },
        300_000,
    );
});
