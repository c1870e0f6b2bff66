/**
 * Protocols with numbers without end beside the reference: where all steps are exact, the stored classes are just those of
 * real states with small numbers, and a run to a violation is as short as the shortest real one.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { classOf, statesUpTo, withBound } from '../reference/real-numbers.js';
import { exploreAll } from '../reference/state-space.js';
import { explored, isExact } from './explored.js';
import { GO_BACK, RICART_AGRAWALA, SEQLOCK, STOP_AND_WAIT } from './protocol-texts.js';

/** Without the runs that are to exist, of which the reference knows nothing. */
const modelOf = (name: string): string => readFileSync(`models/${name}.orbit`, 'utf8').replaceAll(/^run .*\n/gm, '');

/** With a process less than it has. */
const TREIBER = modelOf('treiber-versions').replace('param N: 1 .. 8 = 3', 'param N: 1 .. 8 = 2');

const PROTOCOLS = [
    { name: 'mutual exclusion by clocks', text: RICART_AGRAWALA, kept: 2, modulus: 1, bound: 5 },
    { name: 'stop and wait', text: STOP_AND_WAIT, kept: 2, modulus: 1, bound: 5 },
    { name: 'go back 2', text: GO_BACK, kept: 3, modulus: 1, bound: 9 },
    { name: 'a stack with versions', text: TREIBER, kept: 1, modulus: 1, bound: 9 },
    { name: 'a seqlock', text: SEQLOCK, kept: 1, modulus: 2, bound: 8 },
];

describe.each(PROTOCOLS)('$name', ({ text, kept, modulus, bound }) => {
    test('has the classes of its real states', async () => {
        const report = await explored(text, { leastDistances: kept - 1 });
        expect([report.verdict, isExact(report)]).toEqual(['holds', true]);
        const sorts = (report.numbers ?? []).map(sort => ({ ...sort, modulus }));
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
        // Others are violated before.
        text: modelOf('raft-election-endless')
            .replace(' && vote[i] == none', '')
            .replace(/invariant ownVote[^]*/, ''),
        violation: 'invariant oneLeader',
    },
    {
        name: 'a proposer that passes over earlier votes',
        text: modelOf('paxos-endless')
            .replace(' && (value[p] == none || value[p] == v)', '')
            .replace(/invariant agreement[^]*/, ''),
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
        text: STOP_AND_WAIT.replace('when ack == n + 1', 'when ack != none'),
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
