/**
 * Protocols with numbers without end beside the reference: where all steps are exact, the stored classes are just those of
 * real states with small numbers, and a run to a violation is as short as the shortest real one.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { classOf, statesUpTo, withBound } from '../reference/real-numbers.js';
import { exploreAll } from '../reference/state-space.js';
import { explored, isExact } from './explored.js';

/** G. Ricart, A. Agrawala, "An optimal algorithm for mutual exclusion in computer networks", CACM 24(1), 1981. */
const RICART_AGRAWALA = `
    model RicartAgrawala
    type Proc = 1 .. 2
    var clock: nat[Proc] = 0
    var asked: nat?[Proc] = none
    var request: nat?[Proc, Proc] = none
    var reply: bool[Proc, Proc] = false
    var replied: set of Proc[Proc] = {}
    var deferred: set of Proc[Proc] = {}
    var inside: bool[Proc] = false
    function isInside(i: Proc): bool = asked[i] != none && len(replied[i]) == 1
    process P[i: Proc] {
        loop {
            choose {
                ask: when asked[i] == none {
                    clock[i] := clock[i] + 1;
                    asked[i] := clock[i];
                    for j in Proc where j != i { request[i, j] := clock[i] }
                }
            } or j in Proc where j != i {
                hear: when request[j, i] != none {
                    clock[i] := max(clock[i], request[j, i]);
                    if asked[i] != none && (asked[i] < request[j, i] || asked[i] == request[j, i] && i < j) {
                        deferred[i] := deferred[i] union { j }
                    } else { reply[i, j] := true }
                    request[j, i] := none
                }
            } or j in Proc where j != i {
                agree: when reply[j, i] { reply[j, i] := false; replied[i] := replied[i] union { j } }
            } or {
                enter: when isInside(i) && !inside[i] { inside[i] := true } } or { leave: when inside[i] { inside[i] := false;
                    for j in Proc where j in deferred[i] { reply[i, j] := true }
                    asked[i] := none; replied[i] := {}; deferred[i] := {}
                }
            }
        }
    }
    invariant mutex = count(i in Proc: inside[i]) <= 1`;

/** Numbers of packets that only grow; each way has one place, which loses and repeats. */
const STOP_AND_WAIT = `
    model StopAndWait
    type Datum = 1 .. 2
    record Packet = { n: nat, d: Datum }
    var packet: Packet? = none
    var ack: nat? = none
    var truth: Datum? = none
    process Sender {
        var n: nat = 0
        loop {
            var d: Datum
            choose x in Datum { take: { d := x; truth := x } }
            loop { choose { send: packet := Packet(n, d) } or { done: when ack == n { n := n + 1 } break } }
        }
    }
    process Receiver {
        var next: nat = 0
        loop { choose { get: when packet != none && packet.n == next { assert packet.d == truth; next := next + 1; ack := packet.n } } or { again: when packet != none && packet.n != next { ack := packet.n } } }
    }
    process Net { loop { choose { loseP: when packet != none { packet := none } } or { loseA: when ack != none { ack := none } } } }`;

/** Without the runs that are to exist, of which the reference knows nothing. */
const modelOf = (name: string): string => readFileSync(`models/${name}.orbit`, 'utf8').replaceAll(/^run .*\n/gm, '');

/** With a process less than it has. */
const TREIBER = modelOf('treiber-versions').replace('param N: 1 .. 8 = 3', 'param N: 1 .. 8 = 2');

const PROTOCOLS = [
    { name: 'mutual exclusion by clocks', text: RICART_AGRAWALA, kept: 2, bound: 5 },
    { name: 'stop and wait', text: STOP_AND_WAIT, kept: 2, bound: 5 },
    { name: 'a stack with versions', text: TREIBER, kept: 1, bound: 9 },
];

describe.each(PROTOCOLS)('$name', ({ text, kept, bound }) => {
    test('has the classes of its real states', async () => {
        const report = await explored(text, { leastDistances: kept - 1 });
        expect([report.verdict, isExact(report)]).toEqual(['holds', true]);
        const sorts = (report.numbers ?? []).map(sort => ({ ...sort, modulus: 1 }));
        const near = statesUpTo(withBound(text, 20), bound, 20_000);
        expect(near?.violated).toEqual(new Set());
        expect(report.states).toBe(new Set(near?.states.map(state => classOf(state, sorts))).size);
    });
});

const BROKEN = [
    {
        name: 'a lock that lets the next but one in',
        text: modelOf('ticket-lock').replace('mine == serving', 'mine <= serving + 1'),
        violation: 'invariant mutex',
    },
    {
        name: 'a store that takes each write',
        text: modelOf('fencing-tokens').replace('when mine >= top {', '{ assert mine >= top;'),
        violation: 'fault assert',
    },
    {
        name: 'a server that votes twice in a term',
        text: modelOf('raft-election-endless').replace(' && vote[i] == none', ''),
        violation: 'invariant oneLeader',
    },
    {
        name: 'a proposer that passes over earlier votes',
        text: modelOf('paxos-endless').replace(' && (value[p] == none || value[p] == v)', ''),
        violation: 'fault assert',
    },
    {
        name: 'a process that lets all others in',
        text: RICART_AGRAWALA.replace('asked[i] != none && (', 'asked[i] != none && false && ('),
        violation: 'invariant mutex',
    },
    {
        name: 'names that do not decide between equal clocks',
        text: RICART_AGRAWALA.replace(' && i < j)', ')'),
        violation: 'deadlock',
    },
    {
        name: 'a receiver that takes each packet',
        text: STOP_AND_WAIT.replace('packet.n == next { assert', 'packet.n <= next { assert'),
        violation: 'fault assert',
    },
    {
        name: 'a sender that takes each answer',
        text: STOP_AND_WAIT.replace('when ack == n', 'when ack != none'),
        violation: 'fault assert',
    },
];

test.each(BROKEN)('$name is found by a shortest run', async ({ text, violation }) => {
    const { verdict, violations } = await explored(text);
    const [{ kind, name, trace } = { kind: '', name: '', trace: [] }] = violations;
    expect([verdict, kind === 'deadlock' ? kind : `${kind} ${name}`]).toEqual(['violated', violation]);
    const steps = trace.length - 1 - (kind === 'fault' ? 1 : 0);
    expect(steps).toBe(exploreAll(withBound(text, 2))?.violations.get(violation));
});
