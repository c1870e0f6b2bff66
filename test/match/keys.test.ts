/** What keys of a line mean with and without a step, of created instances too: what fits, what does not, and what is wrong. */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { NO_FOLDING } from '../../engine/match/folding.js';
import { LogCheck, type FoldingOf } from '../../engine/match/log-check.js';
import { foldingOf } from '../../engine/match/symmetries.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { parseMapping, type LogMapping } from '../../logs/log-mapping.js';
import { modelOf } from '../model-of-text.js';

type Line = Readonly<Record<string, unknown>>;

/** `fits`, `misfit` or the code of what is wrong, with the keys that are ignored. */
async function answer(text: string, lines: readonly Line[], mapping: object = {}): Promise<string> {
    const model = await modelOf(text);
    const sequential = linearize(model).sequential!;
    const { settings } = parseMapping(JSON.stringify(mapping)) as LogMapping;
    const judged = (folding: FoldingOf): string => {
        const check = new LogCheck(model, sequential, { ...settings, maxCandidates: 1000 }, folding, () => undefined);
        lines.every((line, at) => check.take(at + 1, line));
        const { state } = check;
        const ignored = [...check.reader.unknownKeys].map(key => ` without ${key}`).join('');
        return (state.kind === 'wrong' ? state.problem.code : state.kind) + ignored;
    };
    const folded = judged(foldingOf(() => UNLIMITED));
    expect(judged(() => () => NO_FOLDING)).toBe(folded);
    return folded;
}

const JOBS = `type Slot = 1 .. 2
    var held: Job? = none
    var marks: bool[Job] = false
    var n: 0 .. 3 = 0
    process Job() { var k: 0 .. 2 = 0  work: when k < 2 { k := k + 1; marks[self] := true }; rest: when k > 0 { k := 0 }; done: n := 3 }
    process Main[s: Slot] {
        var mine: Job? = none
        loop {
            choose { start: when mine == none { mine := spawn Job() } }
            or { keep: when mine != none && held == none { held := mine } }
            or { drop: mine := none }
            or { free: held := none }
        }
    }
    allow deadlock`;
const started = { step: 'start', process: 'Main[a]', Job: 'h1' };

test.each<[verdict: string, lines: readonly Line[], mapping?: object]>([
    ['fits', [started, { step: 'work', process: 'Job[h1]', k: 1 }]],
    ['misfit', [started, { step: 'work', process: 'Job[h2]' }]],
    ['misfit', [started, { step: 'work', process: 'Job[h1]', k: 2 }]],
    // A place of an instance is of one that lives or is held; a name for none is no explanation.
    ['fits', [started, { 'Job[h1].k': 0 }]],
    ['misfit', [{ 'Job[h1].k': 0 }]],
    ['misfit', [{ 'marks[h1]': false }]],
    ['fits', [started, { 'marks[h1]': false }]],
    ['misfit', [started, { 'marks[h1]': true }]],
    ['misfit', [started, { 'marks[h1]': false, 'marks[h2]': false }]],
    ['misfit', [started, { 'Job[h1] at': 'rest' }]],
    ['fits', [started, { 'Job[h1] at': 'work' }]],
    ['misfit', [{ 'Job[h1] at': 'end' }]],
    ['fits', [started, { step: 'work', self: 'h1', marks: true }]],
    ['misfit', [started, { step: 'work', self: 'h2' }]],
    ['misfit', [started, { step: 'work', marks: false }]],
    ['fits', [started, { step: 'work', before: { marks: false }, marks: true }]],
    ['misfit', [started, { step: 'work', before: { marks: true } }]],
    ['fits', [started, { step: 'keep', held: 'h1' }]],
    ['misfit', [started, { step: 'keep', held: 'h2' }]],
    ['fits', [started, { step: 'keep', before: { held: null }, held: 'h1', 'Main[a].mine': 'h1' }]],
    ['misfit', [started, { step: 'keep', before: { held: 'h1' } }]],
    // It may end and be named in one line, and is gone then.
    [
        'fits',
        [{ step: 'start' }, { step: 'work' }, { step: 'rest' }, { step: 'drop' }, { step: 'done', process: 'Job[h1]' }],
    ],
    [
        'misfit',
        [
            { step: 'start' },
            { step: 'work' },
            { step: 'rest' },
            { step: 'drop' },
            { step: 'done', process: 'Job[h1]' },
            { process: 'Job[h1]' },
        ],
    ],
    // Of a step only.
    ['log/key', [started, { Job: 'h1' }]],
    ['log/key', [started, { step: 'drop', Job: 'h2' }]],
    ['log/key', [{ step: 'start', before: { Job: 'h1' } }]],
    ['log/value', [{ step: 'start', Job: ['h1'] }]],
    ['log/value', [{ step: 'start', Job: 1 }]],
    ['misfit', [started, { ...started, process: 'Main[b]' }]],
    ['fits', [started, { ...started, process: 'Main[b]', Job: 'h2' }]],
    // About a process.
    ['fits', [started, { process: 'Job[h1]', k: 0 }]],
    ['misfit', [started, { process: 'Job[h1]', k: 1 }]],
    ['misfit', [started, { process: 'Job[h2]', 'Job[h1].k': 0 }]],
    ['misfit', [{ process: 'Job' }]],
    ['fits', [started, { process: 'Job', marks: false }]],
    ['misfit', [started, { process: 'Job', marks: true }]],
    ['fits', [started, { process: 'Main[a]', mine: 'h1' }]],
    ['misfit', [started, { process: 'Main[b]', mine: 'h1' }]],
    ['fits', [started, { process: 'Main[b]', mine: null }]],
    ['log/key', [{ mine: null }]],
    ['log/key', [{ s: 'a' }]],
    ['log/key', [{ before: { process: 'Main[a]' } }]],
    ['log/key', [{ process: 'Main[a]', who: 'Main[b]' }], { keys: { who: 'process' } }],
    ['log/value', [{ process: 'Main[]' }]],
    ['log/key', [{ process: 'Main[a, b]' }]],
    ['log/key', [{ process: 3 }]],
    // Others.
    ['fits without level', [{ step: 'start', level: 'info' }]],
    ['fits without Main', [{ step: 'start', Main: 'x' }]],
    ['fits without before', [{ step: 'start', before: null }]],
    ['fits without level', [{ step: 'start', before: { level: 'info' } }]],
    ['log/key', [{ step: 'start', who: 1 }], { keys: { who: 'nobody' } }],
    ['log/value', [started, { n: 4 }]],
    ['log/value', [started, { n: '' }]],
    ['log/value', [started, { held: 2 }]],
    ['log/value', [started, { 'Job[h1] at': 'nowhere' }]],
    ['log/value', [started, { 'Job[h1] at': 3 }]],
])('of created instances: %s %j', async (verdict, lines, mapping) => {
    expect(await answer(JOBS, lines, mapping)).toBe(verdict);
});

const PLACES = `type Id = 1 .. 3
    enum Color = { red, green }
    record R = { case: Color, n: 0 .. 1 }
    var x: 0 .. 2[Id] = [i in Id: i - 1]
    var y: bool[0 .. 2] = false
    var q: seq 3 of Id = [2, 3]
    var r: R = R(red, 1)
    var best: Id = 2
    var message: 0 .. 1 = 0
    process P[i: Id] {
        var t: Id = i
        loop {
            choose j in places(q) { pick: t := q[j] }
            or { set: when best == i { best := t; t := i } }
            or { paint: y[1] := true }
        }
    }
    allow deadlock`;

test.each<[verdict: string, lines: readonly Line[], mapping?: object]>([
    ['fits', [{ 'q[0]': 'a', 'q[1]': 'b' }, { q: ['a', 'b'] }]],
    ['misfit', [{ 'q[0]': 'a', 'q[1]': 'a' }]],
    ['misfit', [{ 'q[2]': 'a' }]],
    ['log/key', [{ 'q[3]': 'a' }]],
    ['log/key', [{ 'q[]': 'a' }]],
    ['log/key', [{ 'q[x]': 'a' }]],
    ['fits', [{ 'y[0]': false }]],
    ['log/key', [{ 'y[7]': false }]],
    ['fits', [{ 'x[a]': 0 }]],
    ['fits', [{ 'x[1]': 0 }]],
    ['misfit', [{ 'x[1]': 1 }]],
    ['misfit', [{ 'x[a]': 0, 'x[b]': 0 }]],
    ['log/key', [{ 'x[]': 0 }]],
    // A number in another notation is a name.
    ['fits', [{ 'x[01]': 2 }]],
    ['fits', [{ 'x[1e0]': 1 }]],
    ['log/key', [{ 'x.n': 0 }]],
    ['log/key', [{ 'x[a][b]': 0 }]],
    ['fits', [{ r: { case: 'red', n: 1 } }]],
    ['misfit', [{ r: { case: 'green' } }]],
    ['log/value', [{ r: { case: 'blue' } }]],
    ['fits', [{ message: 0 }]],
    ['misfit', [{ step: 'paint', message: 1 }]],
    ['fits', [{ step: 'pick', i: 1, j: 1, t: 3 }]],
    ['misfit', [{ step: 'pick', i: 1, j: 1, t: 2 }]],
    ['log/value', [{ step: 'pick', j: 7 }]],
    ['misfit', [{ step: 'paint', j: 1 }]],
    // Indices of a mapping may be choices and locals of the step, and values that are meant as they are.
    ['fits', [{ step: 'pick', j: 1, got: 3 }], { keys: { got: 'q[j]' } }],
    ['misfit', [{ step: 'pick', j: 1, got: 2 }], { keys: { got: 'q[j]' } }],
    ['fits', [{ step: 'pick', i: 1, j: 1, load: 2 }], { keys: { load: 'x[t]' } }],
    ['misfit', [{ step: 'pick', i: 1, j: 1, load: 0 }], { keys: { load: 'x[t]' } }],
    ['misfit', [{ first: 1 }], { keys: { first: 'x[1]' }, opaque: ['Id'] }],
    ['fits', [{ first: 0 }], { keys: { first: 'x[1]' }, opaque: ['Id'] }],
    ['fits', [{ 'x[1]': 1 }], { opaque: ['Id'] }],
    ['log/key', [{ got: 2 }], { keys: { got: 'q[j]' } }],
    ['log/key', [{ step: 'paint', got: 2 }], { keys: { got: 'q[j]' } }],
])('of places: %s %j', async (verdict, lines, mapping) => {
    expect(await answer(PLACES, lines, mapping)).toBe(verdict);
});

const TWICE = `type Id = 1 .. 2
    enum Color = { red, green }
    var x: bool[Id] = false
    var last: Color = red
    process P {
        loop {
            choose j in Id { a: skip; b: x[j] := true }
            or j in Id { c: skip; d: x[j] := false }
            or j in Color { e: skip; f: last := j }
            or { g: skip }
        }
    }`;

test.each<[verdict: string, lines: readonly Line[]]>([
    [
        'fits',
        [
            { step: 'a', j: 1 },
            { step: 'b', j: 1 },
        ],
    ],
    [
        'misfit',
        [
            { step: 'a', j: 1 },
            { step: 'b', j: 2 },
        ],
    ],
    [
        'fits',
        [
            { step: 'c', j: 1 },
            { step: 'd', j: 1 },
        ],
    ],
    [
        'misfit',
        [
            { step: 'c', j: 1 },
            { step: 'd', j: 2 },
        ],
    ],
    ['fits', [{ step: 'c', j: 'n' }, { 'P.j': 'n' }]],
    ['misfit', [{ step: 'c', j: 1 }, { 'P.j': 2 }]],
    [
        'misfit',
        [
            { step: 'c', j: 1 },
            { process: 'P', j: 2 },
        ],
    ],
    [
        'fits',
        [
            { step: 'e', j: 'green' },
            { step: 'f', j: 'green' },
        ],
    ],
    [
        'misfit',
        [
            { step: 'e', j: 'green' },
            { step: 'f', j: 'red' },
        ],
    ],
    ['misfit', [{ step: 'e', j: 'green' }, { 'P.j': 'red' }]],
    ['log/value', [{ step: 'e', j: 1 }]],
    ['misfit', [{ step: 'g', j: 1 }]],
])('of one name in several alternatives: %s %j', async (verdict, lines) => {
    expect(await answer(TWICE, lines)).toBe(verdict);
});
