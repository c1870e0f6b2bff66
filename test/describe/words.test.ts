import { describe, expect, test } from 'vitest';
import { NOWHERE } from '../../engine/common/source-range.js';
import { RING_REPORT } from '../lsp/ring.js';
import type { FamilyReport, PropertyReport } from '../../engine/describe/report.js';
import {
    formatBytes,
    formatCount,
    formatBroken,
    formatExample,
    formatFactor,
    formatFair,
    formatFamily,
    formatHolds,
    formatLargeCount,
    formatNumberOf,
    formatPlainValue,
    formatProperty,
    formatRoundedCount,
    formatSeconds,
    formatGain,
    formatSymmetryCount,
    formatSymmetryInWords,
    formatMovedValues,
    formatViolation,
} from '../../engine/describe/words.js';

test.each([
    [0n, '0'],
    [999n, '999'],
    [32768n, '32,768'],
    [479001600n, '479,001,600'],
    [999999999999999n, '999,999,999,999,999'],
    [1270000000000000n, '≈ 1.27 × 10^15'],
    [1279000000000000n, '≈ 1.28 × 10^15'],
    [9999999999999999n, '≈ 1.00 × 10^16'],
])('%s reads %s', (count, text) => {
    expect(formatRoundedCount(count)).toBe(text);
});

test('one thing is singular', () => {
    expect(formatNumberOf(1, 'symmetry', 'symmetries')).toBe('1 symmetry');
    expect(formatNumberOf(10n, 'symmetry', 'symmetries')).toBe('10 symmetries');
});

function family(structure: string, orbits: readonly (readonly string[])[]): FamilyReport {
    const instances = orbits.flat().length;
    return { name: 'P', range: NOWHERE, instances, orbits, structure, order: ORDERS[structure] ?? '0' };
}

function orbitOf(size: number): readonly string[] {
    return Array.from({ length: size }, (_, index) => `P[${index}]`);
}

const ORDERS: Readonly<Record<string, string>> = { S3: '6', C3: '3', D3: '6', S2: '2', trivial: '1' };

test.each([
    ['S3', [['P[1]', 'P[2]', 'P[3]']], '3 instances, interchangeable'],
    ['C3', [['P[1]', 'P[2]', 'P[3]']], '3 instances, a ring'],
    ['D3', [['P[1]', 'P[2]', 'P[3]']], '3 instances, a mirrored ring'],
    ['S2', [['P[1]', 'P[2]'], ['P[3]']], '3 instances, 2 of them interchangeable'],
    ['C3', [['P[1]', 'P[2]', 'P[3]'], ['P[4]']], '4 instances, 3 of them a ring'],
    ['trivial', [['P[1]'], ['P[2]'], ['P[3]']], '3 instances, all different'],
    ['trivial', [['P']], '1 instance'],
    // Two servers of three clients each and one of two; tables of two, two and three; the corners of a cube.
    ['(S3 wr C2) x C2', [orbitOf(6), orbitOf(2)], '8 instances, 2 exchangeable groups of 3, and 2 more'],
    ['S3 wr C2', [orbitOf(6)], '6 instances, 2 exchangeable groups of 3'],
    ['S3 x C2 x C2', [orbitOf(2), orbitOf(2), orbitOf(3)], '7 instances, 2, 2 and 3 interchangeable'],
    ['S4 x C2', [orbitOf(8)], '8 instances, alike'],
    ['C2', [orbitOf(2), orbitOf(2)], '4 instances, of 2 kinds'],
])('a family under %s with orbits %j is described as "%s"', (structure, orbits, text) => {
    expect(formatFamily(family(structure, orbits), { complete: true })).toBe(text);
});

test.each([
    ['S2', [['P[1]', 'P[2]'], ['P[3]']], '3 instances, 2 of them interchangeable, as far as was searched'],
    ['trivial', [['P[1]'], ['P[2]'], ['P[3]']], '3 instances'],
    ['trivial', [['P']], '1 instance'],
])('of a family under %s, with orbits %j, a search that was stopped says "%s"', (structure, orbits, text) => {
    expect(formatFamily(family(structure, orbits), { complete: false })).toBe(text);
});

test.each([
    ['S3', [3], 'values interchangeable'],
    ['S3', [3, 1], '3 of 4 values interchangeable'],
    ['S3', [6], undefined],
    ['C2', [2], 'values interchangeable'],
    ['C2', [2, 1, 1], '2 of 4 values interchangeable'],
    ['C2', [2, 2], undefined],
    ['C4', [4], 'values move with P'],
    ['S3 wr C2', [6], undefined],
])('of the values of a type under %s with orbits of %j is said "%s"', (structure, orbitSizes, text) => {
    expect(formatMovedValues({ structure, orbitSizes }, [{ name: 'P', structure: 'C4' }])).toBe(text);
});

test.each([
    [
        ['deadlock', 'alone', 'served'],
        '3280',
        '32768',
        'no deadlock, alone, served hold in all 32,768 states; 3,280 explored (10x)',
    ],
    [['deadlock'], '31', '162', 'no deadlock in all 162 states; 31 explored (5.2x)'],
    [['alone'], '7', '7', 'alone holds in all 7 states'],
    [[], '1', '1', 'no fault in its one state'],
    [['a', 'b', 'c', 'd', 'e'], '3280', undefined, 'a, b, c, 2 more hold in 3,280 orbits'],
])('of %j in %s orbits of %s states is said "%s"', (checked, states, allStates, text) => {
    const reduction = { order: '10', unique: true, strategy: 'sort' };
    const document = { states: Number(states), checked, reduction, ...(allStates !== undefined && { allStates }) };
    expect(formatHolds(document)).toBe(text);
});

test('of created instances the states are those that differ in more than names', () => {
    const document = {
        states: 227,
        checked: [],
        reduction: { order: '4', unique: true, strategy: 'sort' },
        templates: [],
    };
    expect(formatHolds(document)).toBe('no fault in 227 states, renamed ones not counted');
});

test.each([
    ['C5', 'P', [26], '5 P would be a ring without line 26'],
    ['S5', 'P', [36, 39, 36], '5 P would be interchangeable without lines 36 and 39'],
    ['D5', 'P', [3], '5 P would be a mirrored ring without line 3'],
    ['S3', 'P', [16], '5 P would be more alike without line 16'],
])('of a lost %s on the instances of %s by lines %j is said "%s"', (expected, name, lines, text) => {
    const families = [{ name: 'P', instances: 5 }];
    expect(formatBroken({ subject: `instances of ${name}`, expected }, lines, families)).toBe(text);
});

test.each([
    [{ constraints: 5, orbits: 1 }, 'fair to each of 5, alike'],
    [{ constraints: 3, orbits: 3 }, 'fair to each of 3, all different'],
    [{ constraints: 6, orbits: 2 }, 'fair to each of 6, of 2 kinds'],
    [{ constraints: 6 }, 'fair to each of 6'],
    [{ constraints: 1, orbits: 1 }, 'fair to one'],
])('of fairness with %j a lens says "%s"', (place, text) => {
    expect(formatFair(place)).toBe(text);
});

describe('a model in words', () => {
    const ofFamilies = (families: readonly FamilyReport[], order: string): string =>
        formatSymmetryInWords({ ...RING_REPORT, families, types: [], order, structure: 'X' });
    const three = (name: string): readonly string[] => ['1', '2', '3'].map(index => `${name}[${index}]`);
    const named = (name: string, structure: string): FamilyReport => ({ ...family(structure, [three(name)]), name });

    test('says what its families do, and leaves out one that moves along with another', () => {
        expect(ofFamilies([named('Phil', 'C3')], '3')).toBe('3 Phil in a ring');
        expect(ofFamilies([named('Worker', 'S3')], '6')).toBe('3 Worker interchangeable');
        expect(ofFamilies([named('Seat', 'D3')], '6')).toBe('3 Seat in a mirrored ring');
        expect(ofFamilies([named('Phil', 'C3'), named('Fork', 'C3')], '3')).toBe('3 Phil in a ring');
        expect(ofFamilies([named('A', 'S3'), named('B', 'S3')], '36')).toBe('3 A interchangeable, 3 B interchangeable');
        expect(ofFamilies([named('A1', 'S3'), named('A2', 'S3')], '36')).toBe('2 times 3 A* interchangeable');
    });

    test('says which values are exchanged, a part of a family, and where the search has ended', () => {
        const action = { structure: 'C2', order: '2', orbitSizes: [2] };
        const report = { ...RING_REPORT, families: [], types: [{ name: 'Bit', range: NOWHERE, action }], order: '2' };
        expect(formatSymmetryInWords(report)).toBe('values of Bit interchangeable');
        const part = { ...family('S2', [['P[1]', 'P[2]'], ['P[3]']]), order: '2' };
        expect(ofFamilies([part], '2')).toBe('2 of 3 P interchangeable');
        expect(formatSymmetryInWords({ ...report, complete: false })).toBe(
            'values of Bit interchangeable, the search was stopped',
        );
        expect(formatSymmetryInWords({ ...RING_REPORT, order: '1' })).toBe('no symmetry');
    });

    test('says how many fewer states that makes, by an estimate or at most', () => {
        expect(formatGain(RING_REPORT)).toBe('about 4.8x fewer states');
        const { reachable: _, ...without } = RING_REPORT;
        expect(formatGain(without)).toBe('up to 2x fewer states');
        const trivial = { order: '1', structure: 'trivial' };
        expect(formatGain({ ...RING_REPORT, ...trivial, explored: trivial })).toBeUndefined();
    });
});

test('symmetries that time did not suffice to check by running the model are said to be so', () => {
    expect(formatSymmetryCount(RING_REPORT)).toBe('C6 · 6 symmetries');
    expect(formatSymmetryCount({ ...RING_REPORT, verified: false })).toBe(
        'C6 · 6 symmetries, not checked by running the model',
    );
    const none = { ...RING_REPORT, order: '1', structure: 'trivial', verified: false };
    expect(formatSymmetryCount(none)).toBe('no symmetry');
});

test('an example says what changes places with what, and no cycles', () => {
    expect(formatExample('(P[1] P[2])(flag[1] flag[2])(turn[1]=1 turn[1]=2)')).toBe('`P[1]` and `P[2]` change places');
    expect(formatExample('(P[0] P[1] P[2])(token[0] token[1] token[2])')).toBe(
        '`P[0]`, `P[1]` and `P[2]` move round by one',
    );
    expect(formatExample('(P[0, 1] P[1, 0])(P[0, 2] P[2, 0])')).toBe(
        '`P[0, 1]` and `P[1, 0]` change places and `P[0, 2]` and `P[2, 0]` change places',
    );
    const many = Array.from({ length: 40 }, (_, index) => `(x[${index}]=0 x[${index}]=1)`).join('');
    expect(formatExample(many)).toBe(
        '`x[0]=0` and `x[0]=1` change places, `x[1]=0` and `x[1]=1` change places and so on',
    );
    const ring = `(${Array.from({ length: 9 }, (_, index) => `P[${index}]`).join(' ')})`;
    expect(formatExample(ring)).toBe('`P[0]`, `P[1]`, `P[2]` and others move round by one');
});

test('numbers are written for people', () => {
    expect([0, 999, 1000, 479001600].map(count => formatCount(count))).toEqual(['0', '999', '1,000', '479,001,600']);
    // The square of 15!, beyond what a number holds exactly: orders are bigint.
    expect(formatCount(1307674368000n ** 2n)).toBe('1,710,012,252,724,199,424,000,000');
    expect(formatLargeCount(10n ** 24n - 1n)).toBe(formatCount(10n ** 24n - 1n));
    expect(formatLargeCount(12688693218588416410343338933516n)).toBe('about 1.27 × 10^31');
    expect([0.0123, 3.21, 42, 125].map(formatSeconds)).toEqual(['12 ms', '3.2 s', '42 s', '2 min 5 s']);
    expect([12, 2048, 2 ** 31].map(bytes => formatBytes(bytes))).toEqual(['12 bytes', '2.0 KB', '2.0 GB']);
});

test('a number that is rounded up may need the next unit', () => {
    expect(formatLargeCount(9_996n * 10n ** 26n)).toBe('about 1.00 × 10^30');
    expect([0.9996, 9.96, 119.7, 179.7].map(formatSeconds)).toEqual(['1.0 s', '10 s', '2 min 0 s', '3 min 0 s']);
    expect([1023, 9.96 * 2 ** 10, 2 ** 20 - 1].map(bytes => formatBytes(bytes))).toEqual([
        '1023 bytes',
        '10 KB',
        '1.0 MB',
    ]);
});

test('numbers of any length have their digits in groups, bytes a unit, values the form of the language', () => {
    expect(formatCount('8683317618811886495518194401280000000')).toBe(
        '8,683,317,618,811,886,495,518,194,401,280,000,000',
    );
    expect([0, 1023, 1024, 655360, 3 * 2 ** 30].map(bytes => formatBytes(bytes, 'B'))).toEqual([
        '0 B',
        '1023 B',
        '1.0 KB',
        '640 KB',
        '3.0 GB',
    ]);
    expect([2 ** 20 - 1, 2 ** 30 - 1, 9.96 * 2 ** 10].map(bytes => formatBytes(bytes, 'B'))).toEqual([
        '1.0 MB',
        '1.0 GB',
        '10 KB',
    ]);
    expect(formatPlainValue([true, 'red', null], '–')).toBe('[true, red, –]');
    expect(formatPlainValue({ kind: 'get', from: 2 }, '–')).toBe('(kind: get, from: 2)');
});

test('of invariants that symmetries exchange the first speaks for the set, and the others name it', () => {
    const textOf = (property: Partial<PropertyReport>): string =>
        formatProperty({ name: 'p', kind: 'invariant', order: '2', structure: 'C2', ...property }, RING_REPORT);
    const alike = (...names: string[]): Partial<PropertyReport> => ({ alike: { names, order: '6', structure: 'C6' } });
    expect(textOf({})).toBe('keeps 2 of 6 symmetries');
    expect(textOf(alike('p', 'q'))).toBe('with its image `q` keeps 6 of 6 symmetries');
    expect(textOf(alike('p', 'q', 'r'))).toBe('with its images `q`, `r` keeps 6 of 6 symmetries');
    expect(textOf(alike('p', 'q', 'r', 's', 't', 'u', 'v'))).toBe(
        'with its images `q`, `r`, `s`, `t` and 2 more keeps 6 of 6 symmetries',
    );
    expect(textOf({ alikeTo: 'p' })).toBe('an image of `p` by symmetry');
});

test('a fault in an invariant names it', () => {
    const trace = { length: 3 };
    expect(formatViolation({ kind: 'fault', name: 'division', trace })).toBe('Fault in step 2');
    expect(formatViolation({ kind: 'fault', name: 'division', invariant: 'p', trace })).toBe(
        'Fault in `p` after 2 steps',
    );
});

// 8 × 10^44 / 287 = 2.787… × 10^42, computed by hand.
test.each([
    ['3', 2, '1.5x'],
    ['32768', 3280, '10x'],
    [`8${'0'.repeat(44)}`, 287, '≈ 2.79 × 10^42x'],
])('%s states for %i orbits are %s', (all, orbits, text) => {
    expect(formatFactor(all, orbits)).toBe(text);
});
