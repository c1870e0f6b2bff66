/** Variables hold no value where they are written before anybody reads them again; symmetries stay what they are. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { NO_VALUE } from '../../engine/model/domain.js';
import { LiveCells } from '../../engine/passes/live-cells.js';
import { preparePasses } from '../../engine/passes/passes.js';
import type { LiteralImage } from '../../engine/sequential/literal-image.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { literalImages } from '../../engine/symmetry/model-symmetry.js';
import { explore, exploreText } from './explore-text.js';
import { cases } from '../cases.js';
import { analysisOf } from '../model-of-text.js';

/** Each process draws a number into a cell of its own, looks at it once, and rests. */
const LOTTERY = (properties: string, rest = 'skip'): string => `
model Lottery
type Id = 0 .. 1
var drawn: 0 .. 2[Id] = 0
var won: bool[Id] = false
process P[i: Id] { loop { choose v in 0 .. 2 { draw: { drawn[i] := v } } look: { won[i] := drawn[i] == 2 } rest: ${rest} } }
${properties}`;

test('an element that its process writes before it reads it again holds nothing meanwhile', async () => {
    const { report, passes } = await exploreText(LOTTERY(''), { passes: ['reset'] });
    expect(passes).toEqual([{ name: 'reset', variablesReset: 4 }]);
    // Nobody reads who has won. So for each process: before it draws, three numbers, and before it rests.
    expect(report.states).toBe(5 * 5);
    // As written: three numbers before it draws and before it rests, and three that may have followed on a win or not.
    expect((await exploreText(LOTTERY(''), { passes: [] })).report.states).toBe(12 * 12);
});

test('what a checked property reads keeps its value', async () => {
    const text = LOTTERY('invariant one = !(won[0] && won[1]) invariant low = drawn[0] < 3');
    const all = await exploreText(text, { passes: ['reset'] });
    // Without reduction nobody asks for drawn[1].
    expect(all.passes).toEqual([{ name: 'reset', variablesReset: 1 }]);
    expect(all.report.violations.map(({ name }) => name)).toEqual(['one']);
    const low = await exploreText(text, { passes: ['reset'], properties: ['low'] });
    expect(low.passes).toEqual([{ name: 'reset', variablesReset: 3 }]);
    expect(low.report.verdict).toBe('holds');
});

test('the last one who reads a variable leaves nothing in it', async () => {
    const text = `
model Readers allow deadlock
var x: 0 .. 2 = any
process Reader[i: 0 .. 1] { look: when x != 1 skip }`;
    const { report, passes } = await exploreText(text, { passes: ['reset'] });
    expect(passes).toEqual([{ name: 'reset', variablesReset: 1 }]);
    // Three numbers where both may read, two where one has, and none where both have.
    expect(report).toMatchObject({ verdict: 'holds', states: 3 + 2 * 2 + 1 });
    expect((await exploreText(text, { passes: [] })).report.states).toBe(1 + 2 * 4);
});

test('who writes to where another one no longer looks leaves nothing there', async () => {
    const text = `
model Late allow deadlock
var note: 0 .. 2 = 0 var open: bool = true
process Writer { loop { choose v in 0 .. 2 { write: when v != 1 || open { note := v } } } }
process Reader { read: when note == 2; close: { open := false } }`;
    const { report } = await exploreText(text, { passes: ['reset'] });
    // Before it reads three notes; nobody looks at them when it closes and after it has closed.
    expect(report).toMatchObject({ verdict: 'holds', states: 5 });
    expect((await exploreText(text, { passes: [] })).report.states).toBe(9);
});

test('a fault that reads a variable is not lost', async () => {
    const text = `
model Divides
var by: 0 .. 2 = 1 var sum: 0 .. 9 = 0
process P { loop { choose v in 0 .. 2 { draw: { by := v } } divide: { sum := 2 div by } } }`;
    const { report } = await exploreText(text, { passes: ['reset'] });
    expect(report.violations.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['fault division']);
    expect(report.violations[0]?.trace.map(({ state }) => state['by'])).toEqual([1, 0, 0]);
});

test('a trace shows the values that are reset', async () => {
    const { report } = await exploreText(LOTTERY('invariant awake = !(P[0] at rest && P[1] at rest)'), {
        passes: ['reset'],
    });
    const shown = report.violations[0]?.trace.map(({ state }) => [state['drawn[0]'], state['won[0]']]);
    expect(shown?.every(([drawn, won]) => drawn !== undefined && won !== undefined)).toBe(true);
});

test('initial values that nobody reads are one, and a wrong one is still told', async () => {
    const text = (initial: string): string => `
model Begins
var x: 0 .. 3 ${initial} var y: 0 .. 1 = 0
process P { loop { set: { x := 1 } get: { y := x } } }
invariant bit = y < 2`;
    const { report } = await exploreText(text('= any'), { passes: ['reset'] });
    // Before it is set and y is 0, before it is got and y is 0, and both with y = 1.
    expect(report.states).toBe(4);
    expect((await exploreText(text('= any'), { passes: [] })).report.states).toBe(4 + 1 + 2);
    await expect(exploreText(text('= 5 - 1'), { passes: ['reset'] })).rejects.toThrow();
});

test('a cell from which another one gets its initial value keeps its own', async () => {
    const { report, passes } = await exploreText(
        `model Chain
         var a: 0 .. 2 = any var b: 0 .. 2 = 2 - a
         process P { loop { set: { a := 1 } get: { b := a } } }
         invariant low = b < 2`,
        { passes: ['reset'] },
    );
    expect(passes).toEqual([{ name: 'reset', variablesReset: 0 }]);
    expect(report.violations[0]?.trace.map(({ state }) => state)).toMatchObject([{ a: 0, b: 2 }]);
});

test.each([
    ['in one branch', 'if k == 0 { x[0] := 0 }'],
    ['in rounds that there may not be', 'while k > 0 { x[0] := 0; k := k - 1 }'],
    ['to an element that is not known', 'x[k] := 0'],
])('a write %s leaves what was there live', async (_, write) => {
    const { report } = await exploreText(
        `model Maybe
         var x: 0 .. 2[0 .. 1] = 0 var k: 0 .. 1 = any var y: 0 .. 2 = 0
         process P { loop { choose v in 0 .. 2 { draw: { x[0] := v } } maybe: { ${write} } look: { y := x[0] } } }
         invariant never = y < 2`,
        { passes: ['reset'] },
    );
    expect(report.violations.map(({ name }) => name)).toEqual(['never']);
});

test('what decides whether a process may stop keeps its value', async () => {
    const { report } = await exploreText(
        'model Stuck var x: 0 .. 1 = any process P { if x == 1 { while true { } } } process Q { skip }',
        { passes: ['reset'] },
    );
    expect(report).toMatchObject({ states: 4, deadlocks: 1 });
});

test('a wrong initial value is told, also where nobody reads it', async () => {
    const text = `model Wrong allow deadlock
        var a: 0 .. 5 = any var c: 0 .. 3 = 3 - a
        process P { when a > 2 skip }`;
    await expect(exploreText(text, { passes: ['reset'] })).rejects.toThrow(
        'initial value `-1` of `c` is outside its type',
    );
});

test('what one reads in a joint step the other one does not reset', async () => {
    const joint = (other: string): string => `
model Joint allow deadlock
event go
var x: 0 .. 2 = 0 var y: bool = false var z: bool = false
process P { loop { choose v in 0 .. 2 { draw: { x := v } } go { y := x == 2 } } }
process Q { ${other} }
invariant right = y in {false, true} && z in {false, true}`;
    const one = await exploreText(joint('loop { go }'), { passes: ['reset'] });
    // y, and before `draw`, or one of three numbers.
    expect(one.passes).toEqual([{ name: 'reset', variablesReset: 1 }]);
    expect(one.report).toMatchObject({ verdict: 'holds', states: 8 });
    const both = await exploreText(joint('go { z := x == 1 }'), { passes: ['reset'] });
    expect(both.passes).toEqual([{ name: 'reset', variablesReset: 0 }]);
    expect(both.report.verdict).toBe('holds');
});

test('what is live is closed under symmetries, whatever the texts of symmetric steps look like', async () => {
    // Both do alike; only the text of Q reads in vain, when it rests, what it has drawn.
    const { sequential, symmetry } = await analysisOf(`
model Unlike
var x: 0 .. 2[0 .. 1] = 0 var y: bool[0 .. 1] = false
process P { loop { choose v in 0 .. 2 { draw: { x[0] := v } } look: { y[0] := x[0] == 2 } rest: skip } }
process Q { loop { choose v in 0 .. 2 { draw: { x[1] := v } } look: { y[1] := x[1] == 2 } rest: when x[1] == x[1] skip } }
invariant one = !(y[0] && y[1])`);
    const { instances } = sequential!;
    const rests = instances.map(({ locations }) => locations.findIndex(({ name }) => name === 'rest'));
    expect(symmetry?.group.order).toBe(2n);
    const isLive = (live: LiveCells): boolean[] => rests.map((rest, process) => live.isLiveAt(process, process, rest));
    expect(isLive(new LiveCells(sequential!, []))).toEqual([false, true]);
    const closed = new LiveCells(sequential!, literalImages(symmetry!.group));
    expect(isLive(closed)).toEqual([true, true]);
    expect([closed.isAlwaysLive(0), closed.isLiveAt(0, 1, rests[1]!)]).toEqual([false, false]);
});

/** All states of a model that has no more than `most`. */
function statesOf(model: SequentialModel, most: number): Int32Array[] | undefined {
    const known = new Map<string, Int32Array>();
    const add = (state: Readonly<Int32Array>): void => {
        known.set(state.join(), known.get(state.join()) ?? state.slice());
    };
    const initial = new InitialStates(model);
    const state = new Int32Array(model.cells.length);
    while (known.size <= most && initial.nextInto(state, UNLIMITED)) {
        add(state);
    }
    const successors = interpretedSuccessors(model);
    for (const reached of known.values()) {
        successors.forEachFiring(reached, { fired: (_, next) => (add(next), true), faulted: () => true });
        if (known.size > most) {
            return undefined;
        }
    }
    return [...known.values()];
}

function imageOf(state: Readonly<Int32Array>, { cells, codeOf }: LiteralImage): Int32Array {
    const image = new Int32Array(state.length);
    state.forEach((code, cell) => (image[cells[cell]!] = code === NO_VALUE ? NO_VALUE : codeOf(cell, code)!));
    return image;
}

/** The number of orbits that meet these states; images of these need not be among them. */
function orbitCount(states: readonly Int32Array[], symmetries: readonly LiteralImage[]): number {
    const known = new Set<string>();
    let count = 0;
    for (const state of states) {
        count += known.has(state.join()) ? 0 : 1;
        const open = known.has(state.join()) ? [] : [state];
        for (let next = open.pop(); next !== undefined; next = open.pop()) {
            known.add(next.join());
            open.push(...symmetries.map(each => imageOf(next, each)).filter(image => !known.has(image.join())));
        }
    }
    return count;
}

/** What a process of a family does with cells of its own, of its neighbor, and with such as belong to nobody. */
const STEPS = [
    'choose v in Bit { draw: { a[i] := v } }',
    'copy: { b[i] := a[i] }',
    'choose v in Bit { redraw: { b[i] := v } }',
    'give: { a[(i + 1) mod N] := b[i] }',
    'tell: { told := b[i] }',
    'hear: { a[i] := told }',
    'wait: when a[i] != told skip',
    'sign: { last := i }',
    'turn: when last != i skip',
    'both: when last == i && a[i] == b[i] { told := 0 }',
    'go',
    'go { b[i] := told }',
    'if b[i] == 0 { zero: skip }',
];

const families = fc
    .record({
        size: fc.constantFrom(2, 3),
        steps: fc.array(fc.constantFrom(...STEPS), { minLength: 2, maxLength: 4 }),
        property: fc.constantFrom('', '', 'invariant low = forall i in Id: a[i] < 1', 'invariant told0 = told < 1'),
    })
    .map(
        ({ size, steps, property }) => `model Family
const N = ${size}
type Id = 0 .. N - 1
type Bit = 0 .. 1
event go
var a: Bit[Id] = 0 var b: Bit[Id] = any
var told: Bit = 0 var last: Id = any
process P[i: Id] { loop { ${steps.join('; ')} } }
${property}`,
    );

const namesOf = ({ violations }: ExplorationReport): string[] => violations.map(({ name }) => name).sort();

test('symmetries of a model are symmetries of what is left, and reduction stores its orbits', async () => {
    let fewer = 0;
    let symmetric = 0;
    for (const text of fc.sample(families, { seed: 5, numRuns: cases(75) })) {
        const analysis = await analysisOf(text);
        const { sequential, symmetry } = analysis;
        const states = statesOf(sequential!, 2000);
        if (states === undefined) {
            continue;
        }
        const symmetries = literalImages(symmetry!.explorationGroup);
        const { passed } = preparePasses(sequential!, { passes: ['reset'], workLimit: UNLIMITED }).run(symmetries);
        const left = statesOf(passed.searched, states.length)!;
        const orbits = orbitCount(left, symmetries);
        const { report } = explore(analysis, { passes: ['reset'], reduction: 'unique' });
        expect(report.states, text).toBe(orbits);
        const narrowed = explore(analysis, { passes: ['reset', 'narrow'], reduction: 'unique' }).report;
        expect(narrowed.states, text).toBe(orbits);
        const plain = explore(analysis, { passes: [] }).report;
        expect([namesOf(report), namesOf(narrowed)], text).toEqual([namesOf(plain), namesOf(plain)]);
        fewer += left.length < states.length ? 1 : 0;
        symmetric += left.length < states.length && orbits < left.length ? 1 : 0;
    }
    expect(fewer).toBeGreaterThanOrEqual(cases(30));
    expect(symmetric).toBeGreaterThanOrEqual(cases(25));
});
