/**
 * Models on which a careless choice among the steps of a state loses a violation, each with what is found and after how many
 * steps; a choice must find the same.
 */
// @module-tag long
import { expect, test } from 'vitest';
import type { PassName } from '../../engine/passes/pass-names.js';
import { drawsAll } from '../cases.js';
import { compareViolations } from './violations.js';

interface Trap {
    readonly name: string;
    readonly text: string;
    /** Faults are not looked for, as in a search for one property. */
    readonly ignoresFaults?: true;
    /** In place of all passes. */
    readonly passes?: readonly PassName[];
    /** Kinds and names of violations, with the steps of a shortest run. */
    readonly finds: string;
}

const TRAPS: readonly Trap[] = [
    {
        name: 'a process that spins for ever hides nothing',
        text: `var x: 0 .. 1 = 0
            var s: bool = false
            process Spin { loop { s := !s } }
            process P[i: 0 .. 1] { a: x := 1 }
            invariant low = x == 0`,
        finds: 'invariant low 1',
    },
    {
        name: 'a fault beside a fault: each place is a goal',
        text: `var x: 0 .. 1 = 1
            var y: 0 .. 1 = 1
            process P { loop { a: x := x + 1 } }
            process Q { b: skip; c: y := y + 1 }
            allow deadlock`,
        finds: 'fault range 1; fault range 2',
    },
    {
        name: 'a fault is no key: it has no successor',
        text: `var x: 0 .. 1 = any
            var v: 0 .. 1 = any
            var y: bool = false
            init x == v
            process P { a: x := x + 1 }
            process Q[i: 0 .. 1] { b: when v == 1 { y := true } }
            invariant calm = !y
            allow deadlock`,
        finds: 'fault range 1; invariant calm 1',
    },
    {
        name: 'nor is a step that leaves the constraint',
        text: `var x: 0 .. 2 = any
            var v: 0 .. 1 = any
            var y: bool = false
            init x == v
            process P { a: x := x + 1 }
            process Q[i: 0 .. 1] { b: when v == 1 { y := true } }
            constraint x <= 1
            invariant calm = !y
            allow deadlock`,
        finds: 'invariant calm 1',
    },
    {
        name: 'the order of tests: a false test behind one that may fault',
        text: `var x: 0 .. 1 = 1
            var y: bool = false
            process P { a: when 1 div x == 1 && y { skip } }
            process Q { b: x := 0 }
            process Spin { var s: bool = false loop { s := !s } }
            allow deadlock`,
        finds: 'fault division 2',
    },
    {
        name: 'sums: two increments accord but at the bound',
        text: `var x: 0 .. 3 = 2
            var y: bool = false
            process P { a: x := x + 1 }
            process Q { b: { x := x + 1; y := true } }
            invariant low = !y`,
        finds: 'fault range 2; fault range 2; invariant low 1',
    },
    {
        name: 'equal values accord, others do not, nor does a read',
        text: `var x: 0 .. 2 = 0
            var y: 0 .. 2 = 0
            process P { a: x := 1 }
            process Q { b: x := 2 }
            process R { c: y := x }
            invariant never = !(x == 2 && y == 1)`,
        finds: 'invariant never 3',
    },
    {
        name: 'channels: two senders and one free place',
        text: `channel c: 1 of 0 .. 1
            var got: 0 .. 2 = 2
            process S[i: 0 .. 1] { a: c ! i }
            process R { b: c ? got }
            invariant one = got != 1`,
        finds: 'invariant one 2',
    },
    {
        name: 'rendezvous: a disabled joint step has several false tests',
        text: `event e
            var ready: bool = false
            var hit: bool = false
            process P { a: skip; b: e { hit := true } }
            process Q { c: when ready e }
            process R { d: ready := true }
            process Spin { var s: bool = false loop { s := !s } }
            invariant apart = !hit`,
        finds: 'invariant apart 3',
    },
    {
        name: 'rendezvous: the second partner moves, too',
        text: `event e
            var y: bool = false
            process P { a: skip; b: e }
            process Q { c: e; d: y := true }
            process Spin { var s: bool = false loop { s := !s } }
            allow deadlock
            invariant low = !y`,
        finds: 'invariant low 3',
    },
    {
        name: 'a key where all may stop, and something goes on',
        text: `var x: 0 .. 2 = 0
            process P { loop { end a: when x == 0 { x := 1 }; end b: when x == 1 { x := 2 }; c: when x == 0 skip } }
            process Q { end d: skip }`,
        finds: 'deadlock deadlock 3',
    },
    {
        name: 'locations are visible',
        text: `process P[i: 0 .. 1] { choose k in 0 .. 1 { a: skip }; b: skip }
            invariant apart = !(P[0] at b && P[1] at b)`,
        finds: 'invariant apart 2',
    },
    {
        name: 'counting: one step may make two operands true',
        text: `var x: bool[0 .. 3] = false
            process P { a: { x[0] := true; x[1] := true } }
            process Q { b: x[2] := true }
            process R { c: x[3] := true }
            invariant few = count(i in 0 .. 3: x[i]) <= 1`,
        finds: 'invariant few 1',
    },
    {
        name: 'counting: operands that nothing makes true are left out last',
        text: `var x: bool[0 .. 3] = false
            process Q { b: x[2] := true }
            process R { c: x[3] := true }
            invariant few = count(i in 0 .. 3: x[i]) <= 1
            allow deadlock`,
        finds: 'invariant few 2',
    },
    {
        name: 'one goal is reached, another is not',
        text: `var x: bool = true
            var y: bool = false
            process Spin { var s: bool = false loop { s := !s } }
            process P { a: y := true }
            invariant never = !x
            invariant low = !y`,
        finds: 'invariant low 1; invariant never 0',
    },
    {
        name: 'a local without value reads nothing, and clearing it is a write',
        text: `var y: 0 .. 2 = 0
            process P[i: 0 .. 1] { loop { var k: 0 .. 2 = 0; a: k := i + 1; b: y := k } }
            invariant never = y != 2`,
        finds: 'invariant never 2',
    },
    {
        name: 'insertions accord, and one with a removal does not',
        text: `type T = 0 .. 1
            var s: set of T = {}
            var done: bool = false
            process P { a: s := s union { 1 } }
            process Q { b: s := s union { 0 }; c: { s := s minus { 1 }; done := true } }
            invariant some = !(done && 1 in s && 0 in s)`,
        finds: 'invariant some 3',
    },
    {
        name: 'appended elements have an order',
        text: `var q: seq 2 of 0 .. 1 = []
            var hit: bool = false
            process P[i: 0 .. 1] { a: q := append(q, i) }
            process R { b: when q == [1, 0] { hit := true } }
            invariant never = !hit
            allow deadlock`,
        finds: 'invariant never 3',
    },
    {
        name: 'a creation without a free slot is no end of the search',
        text: `var boom: bool = false
            process W() { end a: when false skip }
            process Boss { var n: 0 .. 5 = 0 loop { b: when n < 5 { n := n + 1; spawn W() } } }
            process Watch { c: when count(w in W: true) >= 4 { boom := true } }
            allow deadlock
            invariant calm = !boom`,
        finds: 'invariant calm 5',
    },
    {
        name: 'a creation without a free slot is looked for where faults are not',
        // The walks that tell how many slots to begin with hardly ever get to the creations.
        text: `var boom: bool = false
            var k: 0 .. 12 = 0
            process W() { end a: when false skip }
            process Lock { loop { choose { up: when k < 12 { k := k + 1 } } or r in 0 .. 5 { down: k := 0 } } }
            process Boss { var n: 0 .. 5 = 0 loop { b: when k == 12 && n < 5 { n := n + 1; spawn W() } } }
            process Watch { c: when count(w in W: true) >= 4 { boom := true } }
            allow deadlock
            invariant calm = !boom`,
        ignoresFaults: true,
        finds: 'invariant calm 17',
    },
    {
        name: 'an invariant may be a fault before it is false',
        text: `var x: 0 .. 2 = 2
            var y: bool = true
            process Spin { var s: bool = false loop { s := !s } }
            process B { b: x := 0 }
            process C { c: when y { y := true } }
            invariant holds = 1 div x == 1 || y`,
        finds: 'fault division 1',
    },
    {
        name: 'an invariant that is false may be a fault later',
        text: `var x: 0 .. 1 = 1
            var y: bool = false
            process B { b: x := 0 }
            process C { c: y := true }
            invariant holds = y && 1 div x == 1
            allow deadlock`,
        finds: 'fault division 2; invariant holds 0',
    },
    {
        name: 'two asserts in one body',
        text: `var x: 0 .. 2 = 0
            process P { loop { a: { assert x != 0; assert x != 1 } } }
            process Q { b: x := 1; c: x := 2 }
            allow deadlock`,
        finds: 'fault assert 1; fault assert 2',
    },
    {
        name: 'a false test behind one that is a fault now',
        text: `var x: 0 .. 1 = 0
            var y: bool = false
            var z: bool = false
            event e
            process A { a: when 1 div x == 1 && y e }
            process B { b: skip; c: e { z := true } }
            process Spin { var s: bool = false loop { s := !s } }
            allow deadlock`,
        finds: 'fault division 2',
    },
    {
        name: 'from false to a fault',
        text: `var x: 0 .. 3 = 3
            process Spin { var s: bool = false loop { s := !s } }
            process A { a: when 1 div x == 2 { skip } }
            process B { b: x := 2; c: x := 0 }
            allow deadlock`,
        finds: 'fault division 3',
    },
    {
        name: 'defined or not',
        text: `var x: 0 .. 1 = 1
            var y: 0 .. 1 = 0
            process A { a: x := 0 }
            process B { b: y := 1 }
            invariant holds = 1 div (x + y) >= 0
            allow deadlock`,
        finds: 'fault division 1',
    },
    {
        name: 'tests behind an initialization',
        text: `var x: 0 .. 2 = 0
            var y: bool = false
            process Spin { var s: bool = false loop { s := !s } }
            process A { loop { let k = x; a: when k == 2 { y := true }; b: when false skip } }
            process B { c: x := 1; d: x := 2 }
            invariant low = !y`,
        finds: 'invariant low 3',
    },
    {
        name: 'two alternatives behind one initialization',
        text: `var x: 0 .. 2 = 0
            var y: 0 .. 2 = 0
            process Spin { var s: bool = false loop { s := !s } }
            process P { loop { var k: 0 .. 2 = x; choose { a: when k > x { y := 1 } } or { b: when k == 2 { y := 2 } } } }
            process Q { c: x := 1; d: x := 2 }
            invariant low = y != 2`,
        finds: 'invariant low 3',
    },
    {
        name: 'a constraint over cells of two bodies',
        text: `var x: 0 .. 1 = 0
            var y: 0 .. 1 = 0
            var z: bool = false
            process A { a: x := 1 }
            process B[i: 0 .. 1] { b: y := 1; c: z := true }
            constraint x + y <= 1
            invariant low = !z`,
        finds: 'invariant low 2',
    },
    {
        name: 'alike bodies with other values',
        text: `var v: 0 .. 2 = 2
            var w: 0 .. 2 = 2
            process A { loop { a: when v == 2 { v := 0 } } }
            process B { loop { b: when w == 2 { w := 1 } } }
            process C { loop { c: when v == 0 && w == 1 { v := 1 } } }
            allow deadlock
            invariant low = v != 1`,
        finds: 'invariant low 3',
    },
    {
        name: 'tests that are alike but for the value are two',
        text: `var v: 0 .. 2 = 0
            var y: bool = false
            process Spin { var s: bool = false loop { s := !s } }
            process A { a: when y { v := 1 } }
            process B { b: when v == 1 skip }
            process C { c: when v == 2 { y := true } }
            process D { d: v := 2 }
            invariant low = !y`,
        finds: 'invariant low 2',
    },
    {
        name: 'what must not be put off is the same for symmetric states',
        text: `var x: bool = false
            var y: bool = false
            process P { loop { a: skip; b: skip; c: skip } }
            process Q { d: x := true }
            process R { e: y := true }
            invariant first = !x
            invariant second = !y`,
        finds: 'invariant first 1; invariant second 1',
    },
    {
        name: 'an instance in another slot than that which it was created in',
        // In a stored state, which is sorted, the second one is in the first slot.
        text: `var boom: bool[0 .. 1] = false
            var n: 0 .. 2 = 0
            process W(k: 0 .. 1) { loop { a: when n == 2 { boom[k] := true } } }
            process Boss { b: { n := n + 1; spawn W(1) }; c: { n := n + 1; spawn W(0) } }
            allow deadlock
            invariant calm = !boom[1]`,
        finds: 'invariant calm 3',
    },
    {
        name: 'of equal processes a later one is taken, as the partner of another',
        text: `var ok: bool[0 .. 3] = true
            channel c: 0 of 0 .. 3
            process P[i: 0 .. 3] { a: c ! i }
            process Q { var k: 0 .. 3 = 0 loop { b: c ? k { ok[k] := false } } }
            invariant some = ok[3] || ok[2] || ok[1] || ok[0]
            allow deadlock`,
        finds: 'invariant some 4',
    },
    {
        name: 'of equal processes a later one is taken',
        text: `var ok: bool[0 .. 3] = true
            process P[i: 0 .. 3] { a: ok[i] := false }
            invariant some = ok[3] || ok[2] || ok[1] || ok[0]`,
        finds: 'invariant some 4',
    },
    {
        name: 'a start that is not symmetric',
        text: `var lead: 0 .. 1 = 1
            var phase: 0 .. 1 = 0
            var x: 0 .. 1 = 0
            process Spin { var s: bool = false loop { s := !s } }
            process P[i: 0 .. 1] {
                choose { a: when lead == i && phase == 0 { x := 1 } }
                or { swap: when lead == i && phase == 1 { lead := 1 - i } }
            }
            process Q { b: when x == 1 { phase := 1 } }
            allow deadlock
            invariant start = phase == 0`,
        finds: 'invariant start 2',
    },
    {
        name: 'of two symmetric steps one is taken together with what leads to it, and the stored state is the image',
        // Q is never at t, but it is there in the stored state, where P has left it.
        text: `var b: 0 .. 1 = any
            var w: 0 .. 2[0 .. 1] = 0
            var y: bool[0 .. 1] = false
            process Spin { loop { skip } }
            process P {
                choose { when w[1] == 0 { w[0] := 1 } }
                or { when w[1] == 1 { w[0] := 2 }; t: when b == 0 || b == 1 skip; y[0] := true }
            }
            process Q {
                choose { when w[0] == 0 { w[1] := 1 } }
                or { when w[0] == 1 { w[1] := 2 }; t: skip; y[1] := true }
            }
            invariant never = !(y[0] || y[1])`,
        passes: ['merge'],
        finds: 'invariant never 4',
    },
    {
        name: 'of two symmetric rings of steps each is taken together where the other is not',
        // What P puts off for ever at b comes behind a step of Q, and d the other way around.
        text: `var w: bool[0 .. 1] = true
            var v: 0 .. 1 = any
            var y: bool = false
            var z: bool = false
            process P {
                loop {
                    c: when w[0] && w[1] { w[0] := false };
                    d: skip;
                    a: when w[0] && !w[1] { w[1] := true };
                    b: when v == 0 || v == 1 skip
                }
            }
            process Q {
                loop {
                    a: when w[1] && !w[0] { w[0] := true };
                    b: skip;
                    c: when w[0] && w[1] { w[1] := false };
                    d: when v == 0 || v == 1 skip
                }
            }
            process R { y := true }
            process S { z := true }
            invariant low = !y
            invariant other = !z`,
        passes: ['merge'],
        finds: 'invariant low 1; invariant other 1',
    },
];

test.each(TRAPS)('$name', async ({ text, ignoresFaults = false, passes, finds }) => {
    const options = { ignoresFaults, ...(passes && { passes }) };
    const compared = await compareViolations(`model Trap\n${text}\n`, options, undefined, drawsAll ? 'two' : 'one');
    expect(compared?.differences).toEqual([]);
    expect(compared?.found).toBe(finds);
});
