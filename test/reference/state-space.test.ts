import { expect, test } from 'vitest';
import { interpret } from './interpreter.js';
import { parseModel } from './parse.js';
import { printModel } from './print.js';
import { specialize } from './specialize.js';
import { exploreAll, type StateSpace } from './state-space.js';

function spaceOf(text: string, parameters: Record<string, number> = {}): StateSpace {
    return exploreAll(interpret(specialize(parseModel(text), new Map(Object.entries(parameters)))))!;
}

const SEMAPHORE = `
model SemaphoreMutex
param N: 1 .. 64 = 3
type Proc = 0 .. N - 1
var taken: bool = false
process P[i: Proc] {
    loop {
        skip;                                 // N to T
        enter: when !taken { taken := true }  // T to C
        critical: { taken := false }          // C to N
    }
}
invariant mutex = count(i in Proc: P[i] at critical) <= 1
`;

test('the semaphore mutex has 2^n + n·2^(n-1) states and keeps its promise', () => {
    for (const n of [1, 2, 3, 4, 5]) {
        const space = spaceOf(SEMAPHORE, { N: n });
        expect(space.states.size).toBe(2 ** n + n * 2 ** (n - 1));
        expect(space.violations).toEqual(new Map());
    }
});

// Wahl and Donaldson 2010, Figure 10: 22 states with two readers and one writer.
test('readers and writers, 2 + 1, have 22 states', () => {
    const space = spaceOf(`
        model ReadersWriters
        type Local = 0 .. 2
        type Reader = 0 .. 1
        var r: Local[Reader] = 0
        var w: Local = 0
        process Read[i: Reader] {
            loop { choose { when r[i] == 0 { r[i] := 1 } } or { when r[i] == 2 { r[i] := 0 } }
                or { when r[i] == 1 && (forall j in Reader: r[j] != 2) && w != 2 { r[i] := 2 } }
                or { when r[i] == 1 && w != 2 { r[i] := 2 } } }
        }
        process Write {
            loop { choose { when w == 0 { w := 1 } } or { when w == 2 { w := 0 } }
                or { when w == 1 && (forall j in Reader: r[j] != 2) && w != 2 { w := 2 } } }
        }`);
    expect(space.states.size).toBe(22);
    expect(space.violations).toEqual(new Map());
});

const DINING = `
model DiningPhilosophers
param N: 2 .. 64 = 5
type Seat = 0 .. N - 1
event get[Seat, Seat]
event put[Seat, Seat]
event eat[Seat]
process Phil[i: Seat] {
  const right = (i + 1) mod N
  loop { get[i, right]; get[i, i]; eat[i]; put[i, right]; put[i, i] }
}
process Fork[f: Seat] {
  const left = (f - 1) mod N
  loop {
    choose { get[f, f];    put[f, f] }
    or     { get[left, f]; put[left, f] }
  }
}`;

/** The same system as guarded commands on two arrays (Zhang et al. 2013, PAT's model), counted by hand-written code. */
function diningStates(n: number): number {
    const initial = [...Array<number>(2 * n).fill(0)];
    const seen = new Set([initial.join()]);
    const pending = [initial];
    for (const state of pending) {
        for (let i = 0; i < n; i++) {
            const right = n + ((i + 1) % n);
            const left = n + i;
            const rules: [boolean, [number, number][]][] = [
                [
                    state[i] === 0 && state[right] === 0,
                    [
                        [i, 1],
                        [right, 2],
                    ],
                ],
                [
                    state[i] === 1 && state[left] === 0,
                    [
                        [i, 2],
                        [left, 1],
                    ],
                ],
                [state[i] === 2, [[i, 3]]],
                [
                    state[i] === 3,
                    [
                        [i, 4],
                        [right, 0],
                    ],
                ],
                [
                    state[i] === 4,
                    [
                        [i, 0],
                        [left, 0],
                    ],
                ],
            ];
            for (const [enabled, writes] of rules) {
                const next = [...state];
                writes.forEach(([cell, value]) => (next[cell] = value));
                if (enabled && !seen.has(next.join())) {
                    seen.add(next.join());
                    pending.push(next);
                }
            }
        }
    }
    return seen.size;
}

test('dining philosophers agree with their formulation as guarded commands, with one deadlock', () => {
    for (const n of [2, 3, 4]) {
        const space = spaceOf(DINING, { N: n });
        expect(space.states.size).toBe(diningStates(n));
        expect(space.deadlocks.length).toBe(1);
        expect(space.violations).toEqual(new Map([['deadlock', n]]));
    }
});

test('a token ring of 4 has 4096 states from any start', () => {
    const space = spaceOf(`
        model TokenRing
        param N: 2 .. 64 = 4
        type Agent = 0 .. N - 1
        type Bit = 0 .. 1
        var leader: bool[Agent] = any
        var token: Bit[Agent] = any
        var label: Bit[Agent] = any
        process Link[u: Agent] {
          const v = (u + 1) mod N
          loop {
            choose {
              rule1: when !leader[u] && leader[v] && label[u] == label[v]
                     { token[u] := 0; token[v] := 1; label[v] := 1 - label[u] }
            } or {
              rule2: when !leader[v] && label[u] != label[v]
                     { token[u] := 0; token[v] := 1; label[v] := label[u] }
            }
          }
        }
        allow deadlock`);
    expect(space.states.size).toBe(4096);
    expect(space.violations).toEqual(new Map());
});

test('a start that is far beyond the limit is not listed', () => {
    // 2^60 combinations of values, of which one is let through.
    const text = `
        model Masks
        type Bit = 0 .. 59
        var mask: bool[Bit] = any
        process P { loop { skip; } }
        init forall i in Bit: mask[i]`;
    expect(exploreAll(interpret(specialize(parseModel(text), new Map())), 10)).toBeUndefined();
});

const PETERSON = `
model Peterson
param N: 2 .. 64 = 3
type Proc = 1 .. N
var flag: 0 .. N - 1[Proc]   = 0
var turn: Proc?[1 .. N - 1]  = none
process P[i: Proc] {
  var k: 1 .. N = 1
  loop {
    while k < N {
      setFlag: flag[i] := k;
      setTurn: turn[k] := i;
      pass: when turn[k] != i || (forall j in Proc where j != i: flag[j] < k) { k := k + 1 }
    }
    critical: skip;
    exit: { flag[i] := 0; k := 1 }
  }
}
invariant mutex = count(i in Proc: P[i] at critical) <= 1`;

test('the filter lock excludes, and has the states of its formulation as guarded commands', () => {
    for (const n of [2, 3]) {
        const space = spaceOf(PETERSON, { N: n });
        expect(space.violations).toEqual(new Map());
        expect(space.states.size).toBe(petersonStates(n));
    }
});

/** pc, k and flag of each process, then turn of each level; the commands of Zhang et al. 2013. */
function petersonStates(n: number): number {
    const initial = [...Array<number>(n).fill(0), ...Array<number>(n).fill(1), ...Array<number>(2 * n - 1).fill(0)];
    const seen = new Set([initial.join()]);
    const pending = [initial];
    for (const state of pending) {
        for (let i = 0; i < n; i++) {
            const next = [...state];
            const k = state[n + i]!;
            const turn = 3 * n + k - 1;
            switch (state[i]) {
                case 0:
                    next[2 * n + i] = k;
                    next[i] = 1;
                    break;
                case 1:
                    next[turn] = i + 1;
                    next[i] = 2;
                    break;
                case 2: {
                    const others = state.slice(2 * n, 3 * n).filter((_, j) => j !== i);
                    if (state[turn] !== i + 1 || others.every(flag => flag < k)) {
                        next[i] = k + 1 < n ? 0 : 3;
                        next[n + i] = k + 1 < n ? k + 1 : k;
                    }
                    break;
                }
                case 3:
                    next[i] = 4;
                    break;
                default:
                    next[2 * n + i] = 0;
                    next[n + i] = 1;
                    next[i] = 0;
            }
            if (!seen.has(next.join())) {
                seen.add(next.join());
                pending.push(next);
            }
        }
    }
    return seen.size;
}

test('a while without a step waits, and its end merges into the step that follows', () => {
    const space = spaceOf(`
        model TestAndSet
        var taken: bool = false
        process P[i: 0 .. 1] {
            while taken { }
            enter: taken := true;
            leave: taken := false
        }`);
    // None, P[0] or P[1] inside; one or both done before or after: (idle, in, done)² without (in, in).
    expect(space.states.size).toBe(8);
    expect(space.violations).toEqual(new Map());
});

test('a local holds a value only where it is read later', () => {
    const space = spaceOf(`
        model Dead
        var y: 0 .. 2 = any
        process P {
            var x: 0 .. 2 = any
            loop { { x := y }; { y := x } }
        }`);
    // At the first step x is dead: 3 states; at the second it equals y: 3 more.
    expect(space.states.size).toBe(6);
    expect(space.initial.length).toBe(3);
});

test('faults end a firing and are found where they arise', () => {
    const space = spaceOf(`
        model Faults
        var x: 0 .. 2 = 0
        var a: bool[0 .. 1] = false
        process P { loop { choose { { x := x + 1 } } or { when x == 2 { a[x] := true } } or { when x > 0 { assert x < 2 } } } }`);
    expect(space.states.size).toBe(3);
    expect(space.violations).toEqual(
        new Map([
            ['fault range', 2],
            ['fault index', 2],
            ['fault assert', 2],
        ]),
    );
    expect(space.faultyFirings).toBe(3);
});

test('a break leaves the innermost loop, and a body that ends has terminated', () => {
    const space = spaceOf(`
        model Break
        var x: 0 .. 3 = 0
        process P { loop { loop { { x := 1 }; break; }  { x := 2 }; break; } last: { x := 3 } }`);
    expect(space.states.size).toBe(4);
    expect(space.violations).toEqual(new Map());
    expect(space.deadlocks).toEqual([]);
});

test('two writers of a cell in one event race', () => {
    const space = spaceOf(`
        model Race
        event meet
        var a: bool[0 .. 1] = false
        var p: 0 .. 1[0 .. 1] = any
        process P[i: 0 .. 1] { meet { a[p[i]] := true } }`);
    expect(space.violations).toEqual(new Map([['fault race', 0]]));
    expect(space.faultyFirings).toBe(2);
    expect(space.states.size).toBe(6);
});

test('printing and parsing are inverse', () => {
    for (const text of [SEMAPHORE, DINING, PETERSON]) {
        const printed = printModel(parseModel(text));
        expect(printModel(parseModel(printed))).toBe(printed);
    }
});
