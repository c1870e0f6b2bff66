/** Reasons of violations as a reader sees them. The numbers in them are those of the states shown beside. */
import { describe, expect, it } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { createTextOf } from '../../engine/common/source-text.js';
import { startExploration, type Reduction } from '../../engine/pipeline.js';
import type { ReasonLine } from '../../engine/reasons/reason.js';
import { analysisOf } from '../model-of-text.js';
import { patient } from '../patience.js';

/** Each line of each violation's reason, with its line in the text and what is folded into it. */
async function reasonsOf(text: string, reduction: Reduction = 'unique'): Promise<Record<string, readonly string[]>> {
    const started = startExploration(await analysisOf(text), { reduction, continueAfterViolation: true }, UNLIMITED);
    started.exploration.advance(UNLIMITED);
    const { report } = started.exploration.result();
    const written = ({ text: line, range, alike }: ReasonLine): string =>
        `${line}${alike === undefined ? '' : ` (${alike.text})`}${range === undefined ? '' : ` @${range.start.line + 1}`}`;
    return Object.fromEntries(
        (report?.violations ?? []).map(violation => [
            violation.name,
            started
                .reasonOf(
                    violation,
                    createTextOf(() => text),
                )
                .map(written),
        ]),
    );
}

const PHILOSOPHERS = `
type Seat = 0 .. 4
event get[Seat, Seat]
event put[Seat, Seat]
process Phil[i: Seat] {
    const right = (i + 1) mod 5
    loop { get[i, right]; get[i, i]; put[i, right]; put[i, i] }
}
process Fork[f: Seat] {
    const left = (f - 1) mod 5
    loop { choose { get[f, f]; put[f, f] } or { get[left, f]; put[left, f] } }
}`;

describe('the reason of a fault', () => {
    it('says of a field that is not there what the value is', async () => {
        const text = `
record R = { a: 0 .. 1 }
var x: R? = none
process P { loop { choose { read: when x.a == 0 skip } or { set: x := R(0) } } }
invariant never = x == none`;
        expect(await reasonsOf(text)).toEqual({
            case: ['`x.a`: `x` = none @4'],
            never: ['`x` = R(0), must be none @5'],
        });
    });

    it('says of a field that the case does not have what the value is', async () => {
        const text = `
enum M = { ask(a: 0 .. 1), tell(a: 0 .. 1, b: bool) }
var x: M = ask(1)
var s: set of M = { ask(0) }
process P { loop { choose { read: when x.b skip } or { other: x := ask(1) } } }`;
        expect(await reasonsOf(text)).toEqual({ case: ['`x.b`: `x` = ask(1) @5'] });
        const chosen = text.replace('{ read: when x.b skip }', 'm in s { skip; read: when m.b skip }');
        expect(await reasonsOf(chosen)).toEqual({ case: ['`m.b`: `P.m` = ask(0) @5'] });
    });
});

describe('the reason of a deadlock', () => {
    it('asks for a case as the text does', async () => {
        const text = `
enum M = { ask(a: 0 .. 1), stop }
var m: M = ask(1)
process P { loop { choose { one: when m is stop skip } or { other: when !(m is ask) skip } } }`;
        expect(await reasonsOf(text)).toEqual({
            deadlock: [
                '`P` waits, and no step is possible.',
                '`P` waits at `one` for `m is stop`: `m` = ask(1), must be stop; or at `one` for `!(m is ask)`: `m` is ask(1) @4',
            ],
        });
    });

    it('is a circle of processes that hold what the next one waits for, alike by rotation', async () => {
        expect(await reasonsOf(PHILOSOPHERS)).toEqual({
            deadlock: [
                'The 5 `Phil` wait for one another, in a circle.',
                '`Phil[0]` waits for `get[0, 0]`: `Fork[0]` is held by `Phil[4]` (and 4 more, the same by rotation) @7',
            ],
        });
    });

    it('folds alike lines also if no symmetry is known', async () => {
        const { deadlock = [] } = await reasonsOf(PHILOSOPHERS, 'none');
        expect(deadlock[1]).toMatch(/^`Phil\[0\]` waits for .* \(and 4 more, likewise\) @7$/);
    });

    it('names the variable that a process waits for, and who has changed it last', async () => {
        const text = `
var a: bool = true
var b: bool = true
process P { loop { one: when a { a := false } two: when b { b := false } back: { a := true; b := true } } }
process Q { loop { one: when b { b := false } two: when a { a := false } back: { a := true; b := true } } }`;
        expect(await reasonsOf(text, 'none')).toEqual({
            deadlock: [
                '`P` and `Q` wait for each other.',
                '`P` waits at `two` for `b`: `b` is false; last changed in step 2 by `Q` @4',
                '`Q` waits at `two` for `a`: `a` is false; last changed in step 1 by `P` @5',
            ],
        });
    });

    it('says that a channel is empty or full, and whether a message may still come', async () => {
        const text = `
channel full: 1 of 0 .. 1
channel silent: 1 of 0 .. 1
channel mutual: 1 of 0 .. 1
process Sender { full ! 0; full ! 1; mutual ! 1 }
process Deaf { var x: 0 .. 1 = 0; silent ? x }
process Patient { var x: 0 .. 1 = 0; mutual ? x }`;
        expect(await reasonsOf(text)).toEqual({
            deadlock: [
                '`Sender`, `Deaf` and `Patient` wait, and no step is possible.',
                '`Sender` waits for room in `full`, which is full @5',
                '`Deaf` waits for a message on `silent`, which is empty, and nobody can send any more @6',
                '`Patient` waits for a message on `mutual`, which is empty @7',
            ],
        });
    });

    it('tells a test of a length from a wait for a message or for room', async () => {
        const text = `
channel c: 3 of bool
process P { fill: c ! true; more: when len(c) > 1; }
process Q { room: when len(c) < 1; less: skip }
`;
        const lines = (await reasonsOf(text)).deadlock?.join(' ') ?? '';
        expect(lines).toContain('`P` waits at `more` for');
        expect(lines).not.toMatch(/empty|full/);
    });

    it('names the partner where the label of a step is shown for a meeting', async () => {
        const text = `
channel c: 0 of bool
channel d: 0 of bool
process A { s: c ! true; e: d ? _ }
process B { s: d ! true; e: c ? _ }
`;
        expect((await reasonsOf(text)).deadlock).toEqual([
            '`A` and `B` wait for each other.',
            '`A` waits at `s` for `B`: `B` is at `s` @4',
            '`B` waits at `s` for `A`: `A` is at `s` @5',
        ]);
    });

    it('is quick for a thousand instances', async () => {
        const text = `
var f: bool = false
process W[i: 0 .. 999] { a: when f; b: f := true }
`;
        const started = startExploration(await analysisOf(text), { reduction: 'none' }, UNLIMITED);
        started.exploration.advance(UNLIMITED);
        const violations = started.exploration.result().report?.violations ?? [];
        const begin = performance.now();
        expect(violations.map(violation => started.reasonOf(violation, () => undefined).length)).toEqual([2]);
        expect(performance.now() - begin).toBeLessThan(patient(5000));
    }, 60_000);

    it('counts those that may stop apart', async () => {
        const text = `
var go: bool = false
process Ends { skip }
process Waits { when go }`;
        expect((await reasonsOf(text)).deadlock).toEqual([
            '`Waits` waits, and no step is possible; 1 may stop.',
            expect.stringMatching(/^`Waits` waits .* for `go`: `go` is false @4$/),
        ]);
    });

    it('stands if the guard of a step would be a fault that a partner keeps from firing', async () => {
        const text = `
type Id = 0 .. 2
type Index = 0 .. 5
var flag: bool[Id] = false
var k: Index = 5
event meet
process Faulty { go: when flag[k] meet }
process Away { var x: Id = 0; stay: when k == 0; meet }`;
        const { deadlock = [] } = await reasonsOf(text);
        expect(deadlock).toContainEqual(expect.stringMatching(/^`Faulty` waits .*`Away` is at `stay`/));
    });
});

describe('the reason of a violated invariant', () => {
    it('is its count, the bound, and who was counted', async () => {
        const text = `
type Id = 1 .. 6
var taken: bool = false
process Worker[i: Id] {
    loop { look: when !taken; enter: { taken := true } leave: { taken := false } }
}
invariant alone = count(i in Id: Worker[i] at leave) <= 1`;
        expect(await reasonsOf(text)).toEqual({
            alone: [
                '`count(i in Id: Worker[i] at leave)` = 2, must be at most 1 @7',
                '`Worker[1]`, `Worker[2]` are at `leave`',
            ],
        });
    });

    it('is the member of a forall, both sides of an implication, the values of an expression', async () => {
        const text = `
type Id = 0 .. 2
type Value = 0 .. 9
var x: Value[Id] = 0
process W[i: Id] { loop { inc: when x[i] < 9 { x[i] := x[i] + 1 } } }
invariant near = forall i in Id: x[i] + 1 <= x[(i + 1) mod 3] + 3
invariant implied = forall i in Id: x[i] == 2 implies x[(i + 1) mod 3] != 1
invariant sum3 = sum(i in Id: x[i]) < 5
invariant differs = exists i in Id: x[i] != 1
allow deadlock`;
        expect(await reasonsOf(text)).toEqual({
            near: ['`x[0] + 1` = 4, must be at most `x[1] + 3` = 3 (`x[0]` is 3) @6'],
            implied: ['`x[0]` is 2, and `x[1]` is 1 @7'],
            sum3: ['`sum(i in Id: x[i])` = 5, must be below 5 (`x[0]` is 2, `x[1]` is 1, `x[2]` is 2) @8'],
            differs: ['`x[0]` is 1 (and 2 more; one that holds would be enough) @9'],
        });
    });

    it('writes the names of an enumeration and none', async () => {
        const text = `
enum Color = { red, green }
var c: Color = red
var o: Color? = none
process P { paint: { c := green } give: { o := c } }
invariant red1 = c == red
invariant none1 = o == none
invariant either = o == none || o == red
allow deadlock`;
        expect(await reasonsOf(text)).toEqual({
            red1: ['`c` = green, must be red @6'],
            none1: ['`o` = green, must be none @7'],
            either: ['`o` = green, must be none or red @8'],
        });
    });

    it('asks about a set as the text does', async () => {
        const text = `
var s: set of 1 .. 3 = {}
var n: 0 .. 3 = 1
process P { loop { choose x in 1 .. 3 { add: s := s union { x } } } }
invariant size = len(s) <= n
invariant unlike = !(2 in s)`;
        expect(await reasonsOf(text, 'none')).toEqual({
            size: ['`len(s)` = 2, must be at most `n` = 1 @5', 'true: `1 in s`, `2 in s`'],
            unlike: ['`2 in s` is true @6'],
        });
        const waiting = 'var s: set of 1 .. 3 = { 3 }\nprocess P { b: when empty(s) skip }';
        expect(await reasonsOf(waiting)).toEqual({
            deadlock: ['`P` waits, and no step is possible.', '`P` waits at `b` for `!(3 in s)`: `3 in s` is true @2'],
        });
    });
});

describe('the reason of a fault', () => {
    it.each([
        ['got[(k + 1) mod 3] := 2 + k', 'range', '`got[0] := 2 + k`: 4 is not in `0 .. 3`'],
        ['got[k + 1] := 0', 'index', '`got[k + 1]`: the index `k + 1` = 3 is not in `0 .. 2`'],
        ['k := 4 div (k - 2)', 'division', '`4 div (k - 2)`: `k - 2` = 0, and nothing is divided by zero'],
        ['assert k < 2 || got[0] == 1', 'assert', '`k` = 2, must be below 2, and `got[0]` = 0, must be 1'],
        ['assert k < 2, "k is small"', 'assert', 'k is small: `k` = 2, must be below 2'],
        ['got[0] := small(k)', 'assert', 'only small ones: an assertion does not hold'],
        ['few := few union { 0, k }', 'range', '`k` = 2 is outside its type'],
        ['few := few union { k + 1 }', 'range', '`k + 1` = 3 is outside its type'],
        ['few := { 0, k }', 'range', '`{ 0, k }`: a value is outside its type'],
        [
            'if k == 2 { var i: Small = 0; while i < 3 { got[i + 1] := 0; i := i + 1 } }',
            'index',
            '`got[P.i + 1]`: the index `P.i + 1` = 3 is not in `0 .. 2`',
        ],
    ])('%s', async (statement, kind, reason) => {
        const text = `
type Id = 0 .. 2
type Small = 0 .. 3
var got: Small[Id] = 0
var k: Small = 0
var few: set of 0 .. 1 = {}
function small(n: Small): Small { assert n < 2, "only small ones"; return n }
process P { count: { k := 2 } fails: { ${statement} } }
allow deadlock`;
        const reasons = await reasonsOf(text);
        expect(Object.keys(reasons)).toEqual([kind]);
        expect(reasons[kind]?.[0]).toContain(reason);
    });

    it('is that of the participant that has the reported kind', async () => {
        const text = `
type Id = 0 .. 2
type Small = 0 .. 3
var got: Small[Id] = 0
var k: Small = 3
var l: Small = 3
event meet
process First { meet { l := l + 1 } }
process Second { meet { got[k] := 1 } }`;
        expect(await reasonsOf(text)).toEqual({ index: ['`got[k]`: the index `k` = 3 is not in `0 .. 2` @9'] });
    });

    it('is told also if a property faults', async () => {
        const text = `
type Id = 0 .. 2
var got: bool[Id] = false
var k: 0 .. 3 = 0
process P { count: { k := 3 } }
invariant free = !got[k]
allow deadlock`;
        expect(await reasonsOf(text)).toEqual({ index: ['`got[k]`: the index `k` = 3 is not in `0 .. 2` @6'] });
    });

    it('keeps the message that is taken beside the index of the channel', async () => {
        const text = `
channel c[1 .. 2]: bag 1 of 1 .. 2
var k: 0 .. 2 = 1
process P { away: k := 0; take: c[k] ? == 1 }
allow deadlock`;
        expect(await reasonsOf(text)).toEqual({ index: ['`c[k][1]`: the index `k` = 0 is not in `1 .. 2` @4'] });
    });

    it.each([
        ['make: l := spawn W();', 'when f[l] { l := none }', '`Main.l` = W#1, which has ended'],
        ['make: spawn W();', 'when f[l] { l := none }', '`Main.l` = none, which is no instance'],
        ['make: l := spawn W();', 'when !alive(l) m[l] ! true;', '`Main.l` = W#1, which has ended'],
    ])('is an instance that does not live: %s %s', async (made, used, reason) => {
        const text = `
var f: bool[W] = false
channel m[W]: 1 of bool
process Main { var l: W? = none ${made} joined: when count(w in W: true) == 0; use: ${used} }
process W() { stop: skip }
allow deadlock`;
        expect(await reasonsOf(text)).toEqual({ index: [`${reason} @4`] });
    });
});
