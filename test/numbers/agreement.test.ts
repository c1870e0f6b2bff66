/**
 * Numbers without end beside bounds. The classes of real states with numbers up to a bound are among the stored ones for each
 * bound, and all of them from some bound on; a text with a bound in the engine has the states of the reference.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { findSymmetries } from '../../engine/pipeline.js';
import { leastKept } from '../../engine/sequential/numbers/number-facts.js';
import { loadModel } from '../../language-server/load-model.js';
import { bounded, classOf, statesUpTo, withBound } from '../reference/real-numbers.js';
import { explored } from './explored.js';
import { boundedModel, classesOf, HIGH, sortsOf, viewOf } from './named-classes.js';
import { GO_BACK, RICART_AGRAWALA, STOP_AND_WAIT } from './protocol-texts.js';
import { FENCING, TICKET, TREIBER } from './texts.js';

const RAFT = readFileSync('models/raft-election-endless.orbit', 'utf8').replaceAll(/^run .*\n/gm, '');

interface Case {
    readonly name: string;
    readonly text: string;
    readonly kept: number;
    readonly isExact: boolean;
    /** From this bound on all classes have a state, and so many states have no larger number. */
    readonly bound: number;
    readonly states?: number;
}

const CASES: readonly Case[] = [
    // The first two numbers of states are those of the interpreter over real numbers that has counted texts.ts.
    { name: 'ticket of three', text: TICKET, kept: 2, isExact: true, bound: 3, states: 58 },
    { name: 'fencing of two', text: FENCING, kept: 1, isExact: true, bound: 3, states: 112 },
    { name: 'stop and wait', text: STOP_AND_WAIT, kept: 2, isExact: true, bound: 2 },
    { name: 'go back 2', text: GO_BACK, kept: 3, isExact: true, bound: 5 },
    { name: 'a stack with versions', text: TREIBER, kept: 1, isExact: true, bound: 5 },
    { name: 'Ricart-Agrawala of two', text: RICART_AGRAWALA, kept: 2, isExact: true, bound: 2 },
    // Not exact, but each class is real all the same.
    { name: 'Raft of three', text: RAFT, kept: 1, isExact: false, bound: 4 },
];

async function agreementOf({ text, kept: least }: Case) {
    const { model } = await loadModel(text, 'file:///test.orbit');
    const { sequential } = findSymmetries(model!, { now: () => 0, workLimit: UNLIMITED });
    const semantics = withBound(text, HIGH);
    const view = viewOf(await boundedModel(text), semantics);
    const kept = sequential!.numbers!.sorts.map(sort => Math.max(leastKept(sort), least));
    const sorts = sortsOf(sequential!, kept);
    const classes = classesOf(sequential!, kept, 10_000, state => classOf(view.stateOf(state), sorts))!;
    return {
        isExact: classes.isExact,
        classes: classes.states,
        /** The states up to a bound, and their classes. */
        near: (bound: number) => {
            const { states } = statesUpTo(semantics, bound, 20_000)!;
            return { states, met: new Set(states.map(state => classOf(state, sorts))) };
        },
    };
}

describe.each(CASES)('$name', each => {
    test('has the classes of real states with numbers up to $bound', async () => {
        const { isExact, classes, near } = await agreementOf(each);
        expect(isExact).toBe(each.isExact);
        const [fewer, { states, met }] = [near(each.bound - 1), near(each.bound)];
        expect([...met].filter(name => !classes.has(name))).toEqual([]);
        expect(met.size).toBe(classes.size);
        expect(fewer.met.size).toBeLessThan(classes.size);
        if (each.states !== undefined) {
            expect(states.length).toBe(each.states);
        }
    });
});

// By the interpreter over real numbers that has counted texts.ts: states, or orbits of them, up to a bound.
test.each([
    { name: 'ticket', text: TICKET, bound: 10, within: 'next <= 10', none: 275, unique: 65 },
    { name: 'fencing', text: FENCING, bound: 3, within: 'last <= 3', none: 112 },
    { name: 'Raft', text: RAFT, bound: 3, within: 'forall i in Server: term[i] <= 3', unique: 181 },
])('$name with a bound in its text', async ({ text, bound, within, none, unique }) => {
    const asked = [
        ['none', none],
        ['unique', unique],
    ] as const;
    const withEnd = `${bounded(text, bound + 1)}\nconstraint ${within}`.replaceAll(/^allow deadlock/gm, '');
    for (const [reduction, states] of asked) {
        if (states !== undefined) {
            const report = await explored(`${withEnd}\nallow deadlock`, { reduction });
            expect(report).toMatchObject({ verdict: 'holds', states });
        }
    }
});
