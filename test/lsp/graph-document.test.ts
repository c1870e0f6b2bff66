/** The state graph as a worker of the language server makes it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { JobRunner } from '../../language-server/analysis/worker-jobs.js';
import type { WorkerReply, WorkerRequest } from '../../language-server/analysis/worker-protocol.js';
import type { GraphDocument, AskedReduction, StatePath } from '../../language-server/protocol.js';
import { modelOf } from '../model-of-text.js';

const RING_OF_FIVE = readFileSync('models/dining-philosophers.orbit', 'utf8');

test('the graph is the quotient with sizes, depths and what is violated', async () => {
    const document = await graphOf(RING_OF_FIVE, 'unique');
    // Counted without symmetries: 392 states, the deadlock after 5 steps.
    expect(document.isWhole).toBe(true);
    expect(document.orbits.reduce((sum, { size }) => sum + Number(size), 0)).toBe(392);
    expect((await graphOf(RING_OF_FIVE, 'none')).isWhole).toBe(false);
    const violated = document.orbits.filter(({ violates }) => violates.length > 0);
    expect(violated.map(({ depth, violates }) => [depth, violates[0]?.name])).toEqual([[5, 'deadlock']]);
    expect(document.places).toMatchObject({ 'Phil[0].at': 'Phil', 'Fork[4].at': 'Fork' });
});

test('a path leads to its state, around which another part is shown', async () => {
    const whole = await graphOf(RING_OF_FIVE, 'unique');
    const { path, state } = whole.orbits.at(-1)!;
    const part = await graphOf(RING_OF_FIVE, 'unique', path);
    expect(part.around).toEqual(path);
    expect(part.orbits[0]).toMatchObject({ state, path, depth: 0 });
    expect(part.orbits[0]).not.toHaveProperty('from');
});

test('a path of another model leads back to the initial states', async () => {
    const document = await graphOf(RING_OF_FIVE, 'unique', [7, 100_000]);
    expect([document.around, document.orbits[0]?.path]).toEqual([[], [0]]);
});

test('initial states that are symmetric are one start, whose path leads to it', async () => {
    const text =
        'model m\ntype Id = 0 .. 2\nvar x: bool[Id] = any\nprocess P[i: Id] { x[i] := true }\nallow deadlock\n';
    const { orbits } = await graphOf(text, 'unique');
    const starts = orbits.filter(({ from }) => from === undefined);
    // By the number of true values.
    expect(starts.map(({ size }) => size)).toEqual(['1', '3', '3', '1']);
    for (const { path, state } of starts) {
        expect((await graphOf(text, 'none', path)).orbits[0]?.state).toEqual(state);
    }
});

test('a number that has no end is no fault, and the graph of it a part', async () => {
    const document = await graphOf(readFileSync('models/ticket-lock.orbit', 'utf8'), 'unique');
    expect(document.orbits.length).toBeGreaterThan(10);
    expect(document.orbits.filter(({ violates }) => violates.length > 0)).toEqual([]);
    expect(document.isWhole).toBe(false);
});

test('an orbit unfolds to its states', async () => {
    const { orbits } = await graphOf(RING_OF_FIVE, 'unique');
    const { path, state, size } = orbits[1]!;
    const reply = await answerTo(RING_OF_FIVE, { kind: 'unfold', reduction: 'unique', path });
    const states = reply.kind === 'unfolded' ? reply.outcome.states : [];
    expect(states[0]).toEqual(state);
    expect(new Set(states.map(member => JSON.stringify(member))).size).toBe(Number(size));
    const unknown = await answerTo(RING_OF_FIVE, { kind: 'unfold', reduction: 'unique', path: [5] });
    expect(unknown).toMatchObject({ outcome: { states: [] } });
});

async function graphOf(text: string, reduction: AskedReduction, around: StatePath = []): Promise<GraphDocument> {
    const reply = await answerTo(text, { kind: 'graph', reduction, around });
    if (reply.kind !== 'graphed' || reply.outcome.document === undefined) {
        throw new Error(JSON.stringify(reply));
    }
    return reply.outcome.document;
}

type Asked =
    | { readonly kind: 'graph'; readonly reduction: AskedReduction; readonly around: StatePath }
    | { readonly kind: 'unfold'; readonly reduction: AskedReduction; readonly path: StatePath };

async function answerTo(text: string, asked: Asked): Promise<WorkerReply> {
    const replies: WorkerReply[] = [];
    const runner = new JobRunner({
        now: () => 0,
        post: reply => void replies.push(reply),
        searchThreads: () => undefined,
    });
    const request: WorkerRequest = {
        ...asked,
        job: 1,
        document: 'file:///model.orbit',
        model: await modelOf(text, text === RING_OF_FIVE ? [['N', '5']] : []),
        cancellation: new SharedArrayBuffer(4),
        budgetMilliseconds: 10_000,
    };
    runner.run(request);
    return replies.at(-1)!;
}
