/** The reference implementation on channels, records, functions and the rest of the language, against known counts. */
import { expect, test } from 'vitest';
import { interpret } from './interpreter.js';
import { parseModel } from './parse.js';
import { printModel } from './print.js';
import { specialize } from './specialize.js';
import { exploreAll, type StateSpace } from './state-space.js';
import type { Value } from './values.js';

function spaceOf(text: string, parameters: Record<string, Value> = {}): StateSpace {
    const printed = printModel(parseModel(text));
    expect(printModel(parseModel(printed)), 'printing and parsing are inverse').toBe(printed);
    return exploreAll(interpret(specialize(parseModel(text), new Map(Object.entries(parameters)))))!;
}

function array(...items: number[]): Value {
    return { indices: [items.map((_, position) => position)], items };
}

const THREE_TIER_RENDEZVOUS = `
model ThreeTierRendezvous

param clients: 0 .. 8[*] = [3, 3, 2]
type Server = 0 .. len(clients) - 1
type Client = { s: Server, n: 0 .. 7 where n < clients[s] }
enum Reply  = { reply }

channel request[Server]: 0 of Client
channel answer[Client]:  0 of Reply
channel query:           0 of Server
channel result[Server]:  0 of Reply

process User[c: Client] {
  loop { request[c.s] ! c; answer[c] ? reply }
}

process Worker[s: Server] {
  var c: Client
  loop { request[s] ? c; query ! s; result[s] ? reply; answer[c] ! reply }
}

process Database {
  var s: Server
  loop { query ? s; result[s] ! reply }
}`;

// Computed by two independent programs from the formulation as guarded commands after TopSpin's Promela text.
test('three tiers over rendezvous channels have 553, 784 and 1314 states', () => {
    expect(spaceOf(THREE_TIER_RENDEZVOUS).states.size).toBe(553);
    expect(spaceOf(THREE_TIER_RENDEZVOUS, { clients: array(3, 3, 3) }).states.size).toBe(784);
    expect(spaceOf(THREE_TIER_RENDEZVOUS, { clients: array(4, 4, 3) }).states.size).toBe(1314);
});

// Shipped with TopSpin (hypercube/Nd.p): a message for a node goes along the edges of a hypercube.
test('messages in a hypercube of dimension d have 2·2^d·(2^d - 1) states', () => {
    for (const d of [2, 3]) {
        const nodes = 2 ** d;
        const space = spaceOf(
            `
            model Hypercube
            param d: 1 .. 8 = 3
            type Node = 0 .. pow(2, d) - 1
            var current: Node? = none
            var dest: Node = any
            var link: bool[Node] = any
            init forall i in Node: link[i] == (i == dest)
            process Link[i: Node] {
                loop {
                    choose {
                        receive: when current == none && link[i] && dest != i { link[i] := false; current := i }
                    } or j in Node where j != i {
                        receive: when current == none && link[i] && dest == i
                            { link[i] := false; current := i; dest := j }
                    } or k in 0 .. d - 1 {
                        forward: when current == i && bitand(xor(i, dest), pow(2, k)) != 0
                            { link[xor(i, shl(1, k))] := true; current := none }
                    }
                }
            }`,
            { d },
        );
        expect(space.initial.length).toBe(nodes);
        expect(space.states.size).toBe(2 * nodes * (nodes - 1));
        expect(space.violations).toEqual(new Map());
    }
});

const TWO_PHASE_COMMIT = `
model TwoPhaseCommit
param N: 1 .. 6 = 3
type Manager = 1 .. N
enum State = { working, prepared, committed, aborted }
enum Phase = { init_, done_, gone }
var manager: State[Manager]
var phase: Phase
var known: bool[Manager]
var said: bool[Manager]
var commit: bool
var abort: bool
process Coordinator {
    loop {
        choose i in Manager { hear: when phase == init_ && said[i] { known[i] := true } }
        or { decide: when phase == init_ && (forall i in Manager: known[i]) { phase := done_; commit := true } }
        or { refuse: when phase == init_ { phase := gone; abort := true } }
    }
}
process Resource[i: Manager] {
    loop {
        choose { prepare: when manager[i] == working { manager[i] := prepared; said[i] := true } }
        or { leave: when manager[i] == working { manager[i] := aborted } }
        or { commit_: when commit { manager[i] := committed } }
        or { abort_: when abort { manager[i] := aborted } }
    }
}
invariant consistent = !(exists i, j in Manager: manager[i] == aborted && manager[j] == committed)`;

// Gray and Lamport 2006, explored by TLC with 2 to 4 resource managers.
test('two-phase commit has 56, 288 and 1568 states', () => {
    for (const [n, states] of [
        [2, 56],
        [3, 288],
        [4, 1568],
    ] as const) {
        const space = spaceOf(TWO_PHASE_COMMIT, { N: n });
        expect(space.states.size).toBe(states);
        expect(space.violations).toEqual(new Map());
    }
});

test('a buffer of capacity c between a producer and a consumer of values has as many states as there are queues', () => {
    for (const [capacity, values] of [
        [1, 2],
        [2, 2],
        [3, 2],
        [2, 3],
    ] as const) {
        const space = spaceOf(
            `
            model Buffer
            param C: 1 .. 4 = 2
            param V: 1 .. 4 = 2
            channel queue: C of 1 .. V
            process Producer { loop { choose v in 1 .. V { queue ! v } } }
            process Consumer { loop { queue ? _ } }`,
            { C: capacity, V: values },
        );
        const queues = Array.from({ length: capacity + 1 }, (_, length) => values ** length);
        expect(space.states.size).toBe(queues.reduce((sum, count) => sum + count));
        expect(space.violations).toEqual(new Map());
    }
});

test('a rendezvous is one transition of two instances, and a pattern decides whether it happens', () => {
    const space = spaceOf(`
        model Meeting
        record Message = { kind: bool, from: 0 .. 2 }
        channel c: 0 of Message
        var got: 0 .. 2?
        process Sender[i: 0 .. 2] { c ! Message(i == 1, i) }
        process Receiver { var x: 0 .. 2  c ? (false, x) { got := x }; end rest: c ? (true, == got) }
    `);
    // The sender 0 or 2 is received; then nothing: the other one of them has kind false, and 1 is not what was got.
    expect(space.states.size).toBe(3);
    expect(space.transitions).toBe(2);
    expect(space.deadlocks.length).toBe(2);
});

test('an instance that waits under an end label may stop', () => {
    const text = (end: string): string => `
        model Stop
        channel c: 1 of bool
        process P { c ! true }
        process Q { loop { ${end} idle: c ? _ } }`;
    expect(spaceOf(text('')).deadlocks.length).toBe(1);
    expect(spaceOf(text('end')).deadlocks.length).toBe(0);
});

test('channels are values: a reply comes back over the channel that was sent along', () => {
    const space = spaceOf(`
        model Reply
        record Request = { number: 0 .. 1, reply: channel of 0 .. 1 }
        channel request: 1 of Request
        channel back[0 .. 1]: 1 of 0 .. 1
        process Client[i: 0 .. 1] {
            var answer: 0 .. 1
            request ! Request(i, back[i]);
            back[i] ? answer;
            check: assert answer == 1 - i
        }
        process Server {
            var r: Request
            loop { end idle: request ? r; r.reply ! 1 - r.number }
        }`);
    expect(space.violations).toEqual(new Map());
    // Of both clients: which sent, is in the server, has its answer waiting, has it, is done.
    expect(space.deadlocks).toEqual([]);
});

test('a record local lives and dies as a whole, and a write to a part keeps the rest', () => {
    const text = (write: string): string => `
        model Whole
        record Pair = { a: 0 .. 2, b: 0 .. 2 }
        var y: 0 .. 2 = any
        process P {
            var p: Pair = any
            { ${write} }
            { y := p.a }
        }`;
    // p is dead at first; then it is (y, 0).
    expect(spaceOf(text('p := Pair(y, 0)')).initial.length).toBe(3);
    // p.b is never read, but the write of p.a alone reads p.
    expect(spaceOf(text('p.a := y')).initial.length).toBe(27);
});

test('a loop in a body that repeats its state is a fault, one that ends is not', () => {
    const space = spaceOf(`
        model Loops
        var x: 0 .. 3 = any
        var y: 0 .. 9 = 0
        process P {
            { var k: 0 .. 9 = 0; while k != 3 { k := (k + x) mod 6 }; y := k }
        }`);
    // x = 1 and 3 come to 3; 0 stays, 2 goes 0, 2, 4, 0.
    expect(space.faultyFirings).toBe(2);
    expect(space.violations).toEqual(new Map([['fault endless', 0]]));
    expect(space.states.size).toBe(6);
});

test('functions are called with values, recur, and fault where they leave their types', () => {
    const space = spaceOf(`
        model Functions
        function factorial(n: 0 .. 5): 0 .. 200 = if n == 0 then 1 else n * factorial(n - 1)
        function greatest(a: 0 .. 9[3]): 0 .. 9 {
            var best: 0 .. 9 = 0;
            for i in 0 .. 2 { if a[i] > best { best := a[i] } }
            return best
        }
        function half(n: 0 .. 3): 0 .. 1 { if n mod 2 == 0 { return n div 2 } return n }
        var a: 0 .. 9[3] = [1, factorial(3), 2]
        var x: 0 .. 9 = 0
        process P { x := greatest(a); x := half(x div 2) }`);
    expect(space.states.size).toBe(2);
    expect([...space.states.keys()]).toContain('1 6 2 6 1');
    expect(space.violations).toEqual(new Map([['fault range', 1]]));
});

test('a choice binds values, a for goes through them in order, and terminate ends', () => {
    const space = spaceOf(`
        model Choice
        var sum: 0 .. 9 = 0
        process P {
            for i in 1 .. 2 { add: choose x, y in 0 .. i where x < y { when y - x == 1 { sum := sum + y } } }
            choose { when sum > 2; terminate } or { loop { skip } }
        }`);
    // After i = 1: sum 1. After i = 2: 1 + 1 or 1 + 2, which ends, or loops.
    expect(space.states.size).toBe(1 + 1 + 2 + 1 + 2);
    // 1, 2, then for 2: the loop; for 3: the loop or the end; each loop goes round.
    expect(space.transitions).toBe(1 + 2 + 1 + 2 + 2);
    expect(space.deadlocks).toEqual([]);
});

test('initial states are what sets and conditions leave', () => {
    const space = spaceOf(`
        model Initial
        enum Color = { red, green, blue }
        var a: 0 .. 9[2] in { 1, 3 .. 4 }
        var c: Color in { red, blue }
        init a[0] < a[1]
        process P { skip }`);
    expect(space.initial.length).toBe(3 * 2);
});

test('whole arrays are assigned and compared', () => {
    const space = spaceOf(`
        model Arrays
        type I = 1 .. 3
        const shift: I[I] = [2, 3, 1]
        var a: 0 .. 2[I] = [0, 1, 2]
        process P { loop { { a := [i in I: a[shift[i]]] } } }
        invariant apart = a != [i in I: 0] && (a == [0, 1, 2] || a[1] == min(2, a[1] + 0) && a[1] in { 1, 2 })`);
    expect(space.states.size).toBe(3);
    expect(space.violations).toEqual(new Map());
});

test('records are compared field by field to the first difference, also under a name for what makes them', () => {
    const space = (first: string): StateSpace =>
        spaceOf(`
            model Alias
            record Pair = { a: 0 .. 1, b: 0 .. 1 }
            var x: 0 .. 3 = 3
            process P { loop { let t = Pair(${first}, x); when t == Pair(1, x) { skip } } }`);
    // docs/language/processes.md: a let between steps is a name for its expression; 3 is no value of the second field.
    expect(space('0').violations).toEqual(new Map([['deadlock', 0]]));
    expect(space('1').violations).toEqual(new Map([['fault range', 0]]));
});
