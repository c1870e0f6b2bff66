/** What is said of temporal properties and fairness, counted by hand. */
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import type { FairnessReport, PropertyReport, SymmetryReport } from '../../engine/describe/report.js';
import { formatProperty, formatPropertyAtLength } from '../../engine/describe/words.js';
import { symmetryProblems } from '../../language-server/lsp/diagnostics/symmetry-problems.js';
import { symmetryOf } from '../model-of-text.js';

/** Four processes that want one lock. */
const LOCK = `
model Lock
type Proc = 0 .. 3
var free: bool = true
process P[i: Proc] {
    loop { try: skip; enter: when free { free := false } leave: free := true }
}
`;

async function reportOf(text: string): Promise<SymmetryReport> {
    return (await symmetryOf(text)).report;
}

function propertyIn({ properties }: SymmetryReport, name = 'it'): PropertyReport {
    const found = properties.find(property => property.name === name);
    invariant(found !== undefined, 'the model states it');
    return found;
}

function fairnessIn({ fairness }: SymmetryReport): FairnessReport {
    invariant(fairness !== undefined, 'the model states it');
    return fairness;
}

test.each([
    // All processes are alike; one that is kept leaves three.
    ['forall i in Proc: P[i] at enter leads to P[i] at leave', 4, 1, ['24', 'S4'], ['6', 'S3']],
    // Of two processes that are told from the others, either is kept or both are exchanged.
    ['forall i in Proc where i < 2: P[i] at enter leads to P[i] at leave', 2, 1, ['4', 'C2 x C2'], ['6', 'S3']],
    // Ordered pairs: those of one process, which say nothing, and the others.
    ['forall i, j in Proc: always (P[i] at enter implies eventually P[j] at try)', 16, 2, ['24', 'S4'], ['6', 'S3']],
    ['P[0] at enter leads to P[0] at leave', 1, 1, ['6', 'S3'], ['6', 'S3']],
    ['infinitely often (exists i in Proc: P[i] at leave)', 1, 1, ['24', 'S4'], ['24', 'S4']],
])('%s', async (formula, members, orbits, [order, structure], [left, leftStructure]) => {
    const property = propertyIn(await reportOf(`${LOCK}property it = ${formula}`));
    expect(property).toMatchObject({
        kind: 'property',
        order,
        structure,
        runs: { members, orbits, stabilizer: { order: left, structure: leftStructure } },
    });
});

test.each([
    ['forall i in Proc: P[i] at enter leads to P[i] at leave', 'one of 4 interchangeable processes is checked'],
    [
        'forall i, j in Proc: (infinitely often P[i] at try) || (infinitely often P[j] at enter)',
        '2 of 16 members are checked, one of each orbit',
    ],
    ['forall b in bool: infinitely often free == b', 'each of 2 members is checked'],
    ['infinitely often P[0] at try', 'keeps 6 of 24 symmetries'],
])('a property that says %s is told in words', async (formula, words) => {
    const report = await reportOf(`${LOCK}property it = ${formula}`);
    expect(formatProperty(propertyIn(report), report)).toBe(words);
});

test('the group of the search is told at length', async () => {
    const report = await reportOf(`${LOCK}property it = forall i in Proc: infinitely often P[i] at try`);
    expect(formatPropertyAtLength(propertyIn(report), report)).toBe(
        'one of 4 interchangeable processes is checked, with 6 symmetries that keep it (S3)',
    );
});

test('fairness that treats all processes alike keeps all symmetries, place by place', async () => {
    const fair = LOCK.replace('process', 'fair process').replace('enter:', 'strong fair enter:');
    const report = await reportOf(`${fair}property it = infinitely often free`);
    expect(fairnessIn(report)).toMatchObject({
        constraints: 8,
        orbits: 2,
        keeps: { order: '24', structure: 'S4' },
        places: [
            { constraints: 4, orbits: 1, range: { start: { line: 4 } } },
            { constraints: 4, orbits: 1, range: { start: { line: 5 } } },
        ],
    });
    expect(symmetryProblems(report)).toEqual([]);
});

/** Two switches in one process that are alike. */
const SWITCHES = `
model Switches
var on: bool[0 .. 1] = false
process P {
    loop { choose { left: on[0] := !on[0] } or { right: on[1] := !on[1] } }
}
`;

test('strong fairness of one of two alike labels costs their exchange, and is named', async () => {
    const strong = SWITCHES.replace('left:', 'strong fair left:');
    const report = await reportOf(`${strong}property it = infinitely often (on[0] == on[1])`);
    expect(report).toMatchObject({ order: '2', fairness: { constraints: 1, orbits: 1, keeps: { order: '1' } } });
    expect(fairnessIn(report).cost?.locations.map(({ text }) => text)).toEqual(['strong fair left']);
    const [problem, ...others] = symmetryProblems(report).filter(({ code }) => code === 'symmetry/property');
    expect(others).toEqual([]);
    expect(problem?.message).toMatch(
        /^fairness keeps 1 of 2 symmetries; properties of runs are checked with only those: `strong fair left` tells /,
    );
    expect(problem?.range.start).toMatchObject({ line: 4 });
    // Without a property of runs nothing is checked with fewer symmetries.
    expect(symmetryProblems(await reportOf(strong))).toEqual([]);
});

test('strong fairness of both costs nothing', async () => {
    const strong = SWITCHES.replace('left:', 'strong fair left:').replace('right:', 'strong fair right:');
    const report = await reportOf(`${strong}property it = infinitely often (on[0] == on[1])`);
    expect(fairnessIn(report)).toMatchObject({ constraints: 2, orbits: 1, keeps: { order: '2', structure: 'C2' } });
    expect(fairnessIn(report).cost).toBeUndefined();
});

test('an assumption about one process costs what moves it, and the fairness of all does not', async () => {
    const fair = LOCK.replace('process', 'fair process');
    const report = await reportOf(`${fair}assume calm = infinitely often P[1] at try
property it = forall i in Proc: infinitely often P[i] at try`);
    expect(fairnessIn(report)).toMatchObject({ constraints: 5, orbits: 3, keeps: { order: '6', structure: 'S3' } });
    expect(fairnessIn(report).cost).toMatchObject({
        message: '`assume calm` pins P[1]: S4 becomes S3, 6 of 24 symmetries remain',
        locations: [{ text: 'assume calm', range: { start: { line: 7, character: 7 } } }],
    });
    // Of the process that is kept and the others, one each. The property itself costs nothing.
    expect(propertyIn(report).runs).toMatchObject({ members: 4, orbits: 2 });
    expect(symmetryProblems(report)).toHaveLength(1);
});

test('a symmetry that moves constraints only is none of the model', async () => {
    // Either process turns the same switch, so exchanging them moves nothing but who is treated fairly.
    const { order, fairness } = await reportOf(`
model Same
var x: bool = any
fair process P[i: 0 .. 1] { loop { flip: x := !x } }
property it = forall i in 0 .. 1: infinitely often P[i] takes flip
`);
    expect([order, fairness?.constraints, fairness?.orbits, fairness?.keeps]).toEqual([
        '2',
        2,
        1,
        { order: '2', structure: 'C2' },
    ]);
});

test('a property without members is kept by all symmetries', async () => {
    const nobody = 'forall i in Proc where i > 3: infinitely often P[i] at try';
    // With an assumption it is not checked as an invariant.
    const report = await reportOf(`${LOCK}assume open = infinitely often (free)\nproperty it = ${nobody}`);
    expect(propertyIn(report)).toMatchObject({ order: '24', runs: { members: 0, orbits: 0 } });
    expect(propertyIn(report).runs?.stabilizer).toBeUndefined();
});

test('a property of runs that is one of states is reported as an invariant, at its name and with its cost', async () => {
    const report = await reportOf(
        `${LOCK}property it = forall i in Proc where i != 2: always !(P[i] at enter && free)`,
    );
    expect(propertyIn(report)).toMatchObject({
        kind: 'invariant',
        order: '6',
        range: { start: { line: 7, character: 9 } },
        cost: { message: '`i != 2` pins P[2]: S4 becomes S3, 6 of 24 symmetries remain' },
    });
    expect(propertyIn(report).runs).toBeUndefined();
});

test('a property of runs that costs symmetries says by which conditions', async () => {
    const report = await reportOf(`${LOCK}property it = P[3] at enter leads to free`);
    expect(propertyIn(report).cost?.message).toBe(
        '`P[3] at enter` pins P[3]: S4 becomes S3, 6 of 24 symmetries remain',
    );
    expect(symmetryProblems(report)).toMatchObject([{ code: 'symmetry/property', range: { start: { line: 7 } } }]);
});

test('at its limit an analysis leaves the part out and says so', async () => {
    const text = `${LOCK.replace('process', 'fair process')}property it = forall i in Proc: infinitely often P[i] at try`;
    let questions = 0;
    await symmetryOf(text, { workLimit: { isExhausted: () => ++questions < 0 }, explain: false });
    const cuts = Array.from({ length: 12 }, (_, part) => Math.floor((questions * part) / 12));
    let described = 0;
    for (const most of cuts) {
        let asked = 0;
        const { report } = await symmetryOf(text, { workLimit: { isExhausted: () => ++asked > most }, explain: false });
        const { runs, order } = propertyIn(report);
        const isCut = runs?.orbits === undefined || report.fairness?.keeps === undefined;
        expect(report.undescribed === true || !report.complete || !isCut).toBe(true);
        expect([runs?.members, report.fairness?.constraints]).toEqual([4, 4]);
        expect(runs?.orbits === undefined ? order : '1').toBe('1');
        expect(symmetryProblems(report)).toEqual([]);
        described += isCut ? 0 : 1;
    }
    expect(described).toBeLessThan(cuts.length);
});

test('of a model that says nothing of runs nothing is told', async () => {
    const report = await reportOf(`${LOCK}invariant it = count(i in Proc: P[i] at leave) <= 1`);
    expect('fairness' in report).toBe(false);
    expect(report.properties.every(property => !('runs' in property))).toBe(true);
});
