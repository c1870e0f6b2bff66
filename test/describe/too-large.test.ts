/** What is too large to be compared is named, in the words of the model, and nothing else is blamed for it. */
import { expect, test } from 'vitest';
import { AnalysisMemory } from '../../engine/analysis-memory.js';
import type { SymmetryAnalysis } from '../../engine/pipeline.js';
import { createTextOf } from '../../engine/common/source-text.js';
import { symmetryOf } from '../model-of-text.js';

function analyzed(text: string, memory = new AnalysisMemory()): Promise<SymmetryAnalysis> {
    return symmetryOf(text, { why: true, textOf: createTextOf(() => text), memory });
}

/** What is said, of what place of the text, and of which cells. */
async function heldFixedIn(text: string): Promise<[string, string, readonly string[]][]> {
    const { report } = await analyzed(text);
    const textOf = createTextOf(() => text);
    return (report.heldFixed ?? []).map(({ message, range, cells }) => [message, textOf(range) ?? '', cells]);
}

/** Two thousands of values each: the product of two is a million combinations, which are too many to go through. */
const PRODUCT = `
model Product
type Id = 0 .. 1
var x: 0 .. 999[Id] = any
process P[i: Id] { loop { go: when x[0] * x[1] < 500 { x[i] := 0 } } }
`;

const GO = '`go` of `P` is too large to be compared, so nothing that it touches may move';

test('a step that is too large is named once for all instances, with the cells that it touches', async () => {
    expect(await heldFixedIn(PRODUCT)).toEqual([[GO, 'when x[0] * x[1] < 500 { x[i] := 0 }', ['x[0]', 'x[1]']]]);
});

test('a step that is too large is blamed, and no expression in it', async () => {
    // The product does not depend on the order of its factors, so the two instances are alike.
    const { complete, report } = await analyzed(PRODUCT);
    expect(complete).toBe(false);
    expect(report).toMatchObject({ complete: false, verified: true, broken: [] });
    expect(report.unexplained).toEqual([`instances of \`P\`: ${GO}`]);
    const [instances] = report.why ?? [];
    expect(instances).toMatchObject({ found: 'trivial', isAll: false, locations: [] });
});

test('instances whose only step is too large are not said to be interchangeable', async () => {
    // The first guard tells them apart, the second does not: what is too large to be compared leaves both open.
    for (const guard of ['x[0] * (x[1] + i) < 500', 'x[0] * x[1] < 500']) {
        const { report } = await analyzed(`
model Twins
type Id = 0 .. 1
var x: 0 .. 999[2] = any
process P[i: Id] { loop { go: when ${guard} { x[0] := x[1] } } }
process Left { loop { go: when x[0] * x[1] < 500 { x[0] := 1 } } }
process Right { loop { go: when x[0] * x[1] < 500 { x[0] := 2 } } }
assert symmetric P
assert symmetric values of Id
`);
        expect(report.assertions.map(({ verdict }) => verdict)).toEqual(['undecided', 'undecided']);
        expect(report.why?.map(({ subject, found }) => [subject, found])).toEqual([
            ['instances of `P` and values of `Id`', 'trivial'],
            ['processes `Left` and `Right`', 'trivial'],
        ]);
        expect(report.families[0]?.structure).toBe('trivial');
        expect(report.broken).toEqual([]);
        // Which step it is: the first of those that are held fixed, and how many others there are.
        const reason = `${GO}; so are 2 others; trivial was found`;
        expect(report.why?.map(({ message }) => message)).toEqual([reason, reason]);
        expect(report.assertions.map(({ message }) => message)).toEqual([
            `it is not known whether the instances of \`P\` are interchangeable: ${reason}`,
            `it is not known whether the values of \`Id\` are interchangeable: ${reason}`,
        ]);
    }
});

test('what shares nothing with the step that is too large is explained as without it', async () => {
    const { report } = await analyzed(`${PRODUCT}
type Ring = 0 .. 2
var z: 0 .. 2[Ring] = 0
process Q[r: Ring] { loop { up: when r != 0 { z[r] := (z[r] + 1) mod 3 } } }
`);
    expect(report.broken.map(({ subject, expected, found }) => [subject, expected, found])).toEqual([
        ['instances of Q', 'S3', 'C2'],
    ]);
    expect(report.broken[0]?.locations.map(({ text }) => text)).toEqual(['r != 0']);
    expect(report.unexplained).toEqual([`instances of \`P\`: ${GO}`]);
});

test('a step without a label, and one of two partners, have the names that a trace gives them', async () => {
    const partners = `
model Partners
event go
var x: 0 .. 999 = any
var y: 0 .. 999 = any
process A { loop { when x * y < 500 go { x := 0 } } }
process B { loop { go { y := 0 }; when x * y > 100000 { y := 1 } } }
`;
    const messages = (await heldFixedIn(partners)).map(([message]) => message);
    expect(messages).toEqual([
        '`go` of `A` and `B` is too large to be compared, so nothing that it touches may move',
        '`line 7` of `B` is too large to be compared, so nothing that it touches may move',
    ]);
});

test('what is said of initial states is named where it is too large', async () => {
    const start = `
model Start
var x: 0 .. 999 = any
var y: 0 .. 999 = any
var z: bool = x * y < 500
init x * y != 7
process P { loop { go: x := 0; y := 0 } }
`;
    expect(await heldFixedIn(start)).toEqual([
        [
            'the initial value of `z` is too large to be compared, so nothing that it is about may move',
            'x * y < 500',
            ['x', 'y', 'z'],
        ],
        [
            'this condition on the initial states is too large to be compared, so nothing that it is about may move',
            'x * y != 7',
            ['x', 'y'],
        ],
    ]);
});

test('a variable with too many values to be listed is named, with the step that changes it', async () => {
    const counter = `
model Counter
var big: 0 .. 100000 = 0
process P { loop { up: big := (big + 7) mod 100001 } }
`;
    expect(await heldFixedIn(counter)).toEqual([
        ['`big` has too many values to be listed, so nothing moves it or its values', 'big', ['big']],
        [
            '`up` of `P` is too large to be compared, so nothing that it touches may move',
            'big := (big + 7) mod 100001',
            ['big'],
        ],
    ]);
});

test('nothing is held fixed where only a property is too large, and the group of the model is complete', async () => {
    const stated = PRODUCT.replace('when x[0] * x[1] < 500 {', 'when x[i] != 0 {');
    const { constraints, report } = await analyzed(`${stated}\ninvariant small = x[0] * x[1] < 500\n`);
    expect(constraints.properties.some(({ pinned }) => pinned.length > 0)).toBe(true);
    expect(report.complete).toBe(true);
    expect(report).not.toHaveProperty('heldFixed');
    expect(report.families[0]?.structure).toBe('C2');
});

test('the cells that are named are those that no symmetry moves', async () => {
    const { constraints, report } = await analyzed(PRODUCT);
    const { cells } = constraints.sequential;
    const named = new Set((report.heldFixed ?? []).flatMap(held => held.cells));
    expect([...named].sort()).toEqual(constraints.pinned.map(cell => cells[cell]?.name).sort());
    expect(report.variableOrbits.every(orbit => orbit.length === 1)).toBe(true);
});

test('after an edit of comments what is held fixed is at its new place, and nothing is searched', async () => {
    const memory = new AnalysisMemory();
    const before = await analyzed(PRODUCT, memory);
    const after = await analyzed(`// moved\n${PRODUCT}`, memory);
    expect(after.report.work.searches).toBe(0);
    const [first] = before.report.heldFixed ?? [];
    const [second] = after.report.heldFixed ?? [];
    expect(second?.message).toBe(GO);
    expect(second?.range.start.line).toBe(first!.range.start.line + 1);
    expect(after.complete).toBe(false);
});
