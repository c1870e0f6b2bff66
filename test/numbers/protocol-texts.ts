/** Small protocols with numbers without end, counted by the interpreter over real numbers that has counted texts.ts. */
import { readFileSync } from 'node:fs';
import type { Row } from './texts.js';

/** One lock inside the other: their numbers never meet. */
const NESTED_TICKETS = `
    model NestedTickets
    param N: 1 .. 64 = 2
    type Proc = 1 .. N
    var outerNext:    nat = 0
    var outerServing: nat = 0
    var innerNext:    nat = 0
    var innerServing: nat = 0
    process P[i: Proc] {
        var outer: nat
        var inner: nat
        loop {
            draw: { outer := outerNext; outerNext := outerNext + 1 }
            enter: when outer == outerServing { inner := innerNext; innerNext := innerNext + 1 }
            enterInner: when inner == innerServing;
            leaveInner: innerServing := innerServing + 1;
            leave: outerServing := outerServing + 1
        }
    }
    invariant mutex = count(i in Proc: P[i] at leaveInner) <= 1`;

/**
 * G. Ricart, A. Agrawala, "An optimal algorithm for mutual exclusion in computer networks", CACM 24(1), 1981. As there, a
 * process asks with a number above the highest that it has received; its own it does not count.
 */
export const RICART_AGRAWALA = `
    model RicartAgrawala
    param N: 1 .. 8 = 2
    type Proc = 1 .. N
    var highest: nat[Proc] = 0
    var asked: nat?[Proc] = none
    var request: nat?[Proc, Proc] = none
    var reply: bool[Proc, Proc] = false
    var replied: set of Proc[Proc] = {}
    var deferred: set of Proc[Proc] = {}
    var inside: bool[Proc] = false
    function isInside(i: Proc): bool = asked[i] != none && len(replied[i]) == N - 1
    process P[i: Proc] {
        loop {
            choose {
                ask: when asked[i] == none {
                    asked[i] := highest[i] + 1;
                    for j in Proc where j != i { request[i, j] := highest[i] + 1 }
                }
            } or j in Proc where j != i {
                hear: when request[j, i] != none {
                    highest[i] := max(highest[i], request[j, i]);
                    if asked[i] != none && (asked[i] < request[j, i] || asked[i] == request[j, i] && i < j) {
                        deferred[i] := deferred[i] union { j }
                    } else { reply[i, j] := true }
                    request[j, i] := none
                }
            } or j in Proc where j != i {
                agree: when reply[j, i] { reply[j, i] := false; replied[i] := replied[i] union { j } }
            } or {
                enter: when isInside(i) && !inside[i] { inside[i] := true }
            } or {
                leave: when inside[i] {
                    inside[i] := false;
                    for j in Proc where j in deferred[i] { reply[i, j] := true }
                    asked[i] := none;
                    replied[i] := {};
                    deferred[i] := {}
                }
            }
        }
    }
    invariant mutex = count(i in Proc: inside[i]) <= 1`;

/** Numbers of packets that only grow; each way has one place, which loses and repeats. An answer says what is wanted next. */
export const STOP_AND_WAIT = `
    model StopAndWait
    type Datum = 1 .. 2
    record Packet = { n: nat, d: Datum }
    var packet: Packet? = none
    var ack: nat? = none
    var n: nat = 0
    var d: Datum = any
    process Sender {
        loop {
            choose { send: packet := Packet(n, d) }
            or x in Datum { done: when ack == n + 1 { n := n + 1; d := x } }
            or { old: when ack != none && ack != n + 1 }
        }
    }
    process Receiver {
        var next: nat = 0
        loop {
            choose {
                get: when packet != none && packet.n == next { assert packet.d == d; next := next + 1; ack := next }
            } or {
                again: when packet != none && packet.n != next { ack := next }
            }
        }
    }
    process Net {
        loop { choose { loseP: when packet != none { packet := none } } or { loseA: when ack != none { ack := none } } }
    }`;

/**
 * Two packets at once, each with a place of its own, so that they arrive in any order or get lost; the receiver throws away
 * what comes too early.
 */
export const GO_BACK = `
    model GoBack
    type Place = 0 .. 1
    var packet: nat?[Place] = none
    var ack: nat? = none
    var base: nat = 0
    var next: nat = 0
    process Sender {
        loop {
            choose i in Place { send: when packet[i] == none { packet[i] := base + i } }
            or { acked: when ack != none && ack > base { base := ack; ack := none } }
            or { old: when ack != none && ack <= base { ack := none } }
        }
    }
    process Receiver {
        loop {
            choose i in Place {
                get: when ack == none && packet[i] == next { next := next + 1; ack := next; packet[i] := none }
            } or i in Place {
                again: when ack == none && packet[i] != none && packet[i] < next { ack := next; packet[i] := none }
            } or i in Place {
                gap: when ack == none && packet[i] != none && packet[i] > next { packet[i] := none }
            }
        }
    }
    process Net { loop { choose i in Place { lose: when packet[i] != none { packet[i] := none } } } }
    invariant window = base <= next && next <= base + 2`;

/** C. Lameter, "Effective synchronization on Linux/NUMA systems", 2005. The version is odd while the two values are written. */
export const SEQLOCK = `
    model Seqlock
    enum Bit = { zero, one }
    var version: nat = 0
    var a: Bit = zero
    var b: Bit = zero
    process Writer {
        loop {
            begin: version := version + 1;
            first: a := if a == zero then one else zero;
            second: b := a;
            end: version := version + 1
        }
    }
    process Reader {
        loop {
            var seen: nat
            var x: Bit
            var y: Bit
            start: when version mod 2 == 0 { seen := version }
            readA: x := a;
            readB: y := b;
            choose { same: when version == seen; use: assert x == y } or { other: when version != seen }
        }
    }`;

const RAFT = readFileSync('models/raft-election-endless.orbit', 'utf8');

export const PROTOCOL_ROWS: readonly Row[] = [
    {
        name: 'two tickets, one inside the other',
        text: NESTED_TICKETS,
        isExact: true,
        all: [17, 26],
        reduced: [9, 14],
        kept: 2,
    },
    { name: 'Ricart-Agrawala', text: RICART_AGRAWALA, isExact: true, all: [48, 83], leastDistances: 1, kept: 2 },
    {
        name: 'Ricart-Agrawala',
        text: RICART_AGRAWALA,
        parameters: { N: 3 },
        isExact: true,
        all: [4012, 14_639],
        leastDistances: 2,
        kept: 3,
    },
    { name: 'Raft', text: RAFT, parameters: { N: 2 }, isExact: false, all: [16, 50], reduced: [9, 27], kept: 1 },
    { name: 'Raft', text: RAFT, parameters: { N: 3 }, isExact: false, all: [440, 2826], reduced: [80, 504], kept: 1 },
    { name: 'stop and wait', text: STOP_AND_WAIT, isExact: true, all: [24, 84], kept: 2 },
    // The other interpreter has 184 steps of its 57 classes; its text is not known. The reference confirms the classes.
    { name: 'go back 2', text: GO_BACK, isExact: true, all: [57, 185], kept: 3 },
    { name: 'seqlock', text: SEQLOCK, isExact: true, all: [86, 166], kept: 1 },
];
