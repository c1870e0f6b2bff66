/** The answers that Testing view, hovers and panels follow: which one counts, and when it is older than the text. */
import type { LangiumDocument } from 'langium';
import { beforeEach, expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-languageserver';
import { resultsOf } from '../../language-server/lsp/document-results.js';
import type { ExploreDocument, PropertyOutcome, ViolationDocument } from '../../language-server/document-schema.js';
import type { DocumentResults, ExploreParams, ExploreResult } from '../../language-server/protocol.js';
import { InProcessServer } from './in-process.js';
import { RING, RING_EXPLORED, RING_REPORT, RING_URI, rangeIn } from './ring.js';

const NONE = new CancellationTokenSource().token;
const EDITED = RING.replace('turn == i', 'turn != i');

let server: InProcessServer;
let document: LangiumDocument;

beforeEach(async () => {
    server = new InProcessServer();
    document = await server.openAnalyzed(RING_URI, RING, RING_REPORT);
});

const HOLDS: ExploreDocument = { ...RING_EXPLORED, seconds: 0.25 };

const ENTRY = { step: null, state: {}, changed: [] };
const LIMIT = { kind: 'states', value: 1000 };

function violation(kind: ViolationDocument['kind'], name: string, steps: number): ViolationDocument {
    const location = { file: RING_URI, line: 14, column: 5, endLine: 14, endColumn: 9 };
    const reason = [{ text: '`turn` = 3' }];
    return { kind, name, location, reason, trace: Array.from({ length: steps + 1 }, () => ENTRY) };
}

async function explored(answer: Partial<ExploreDocument>, params: Partial<ExploreParams> = {}): Promise<ExploreResult> {
    const all = { uri: RING_URI, reduction: 'unique', runId: 'r', startedAt: 1000, ...params } as const;
    const result = server.analysis.explore(all, () => undefined, NONE);
    await new Promise(resolve => setTimeout(resolve, 0));
    const last = server.requests.at(-1);
    const outcome = { problems: [], document: { ...HOLDS, ...answer } };
    last?.listener.reply({ kind: 'explored', job: last.request.job, outcome });
    return result;
}

function results(): DocumentResults {
    return resultsOf(document, server.analysis.findings(document), []);
}

function answers(): Readonly<Record<string, string | undefined>> {
    return Object.fromEntries(
        results().items.map(({ name, answer }) => [
            name,
            answer && `${answer.isStale ? 'stale ' : ''}${answer.verdict}: ${answer.summary}`,
        ]),
    );
}

test('the items are the model and its properties, each at its name', () => {
    expect(results().items).toEqual([
        {
            kind: 'model',
            name: 'deadlock',
            isProperty: true,
            location: { file: RING_URI, line: 2, column: 7, endLine: 2, endColumn: 11 },
        },
        {
            kind: 'invariant',
            name: 'safe',
            isProperty: true,
            location: { file: RING_URI, line: 23, column: 11, endLine: 23, endColumn: 15 },
        },
    ]);
});

test('an exploration of everything answers for each item, with the values of parameters and the time of its end', async () => {
    await explored({});
    expect(answers()).toEqual({ deadlock: 'holds: holds in 12 orbits', safe: 'holds: holds in 12 orbits' });
    expect(results().items[1]?.answer).toMatchObject({
        parameters: 'N = 3',
        runId: 'r',
        seconds: 0.25,
        finishedAt: 1000,
        isStale: false,
    });
});

test('an answer is older than the text after an edit of the model, and not after an undo', async () => {
    await explored({});
    document = await server.write(RING_URI, EDITED);
    expect(answers()['safe']).toBe('stale holds: holds in 12 orbits');
    document = await server.write(RING_URI, RING);
    expect(answers()['safe']).toBe('holds: holds in 12 orbits');
});

test('a changed comment, also of a declaration, makes no answer older than the text', async () => {
    await explored({});
    document = await server.write(RING_URI, RING.replace('How many there are', 'Their number') + '// the end\n');
    expect(answers()['safe']).toBe('holds: holds in 12 orbits');
});

test('the violation of one property says nothing about another one', async () => {
    await explored({ verdict: 'violated', violations: [violation('invariant', 'safe', 4)] });
    expect(answers()).toEqual({ deadlock: undefined, safe: 'violated: violated after 4 steps' });
    expect(results().items[1]?.answer).toMatchObject({ reason: ['turn = 3'] });
    await explored({}, { property: 'deadlock' });
    expect(answers()['deadlock']).toBe('holds: holds in 12 orbits');
});

test('limits of numbers without end have the words of the command line', async () => {
    const step = { process: 'P', label: 'draw', location: violation('invariant', 'safe', 4).location };
    await explored({ verdict: 'undecided', limit: { kind: 'numbers', value: 1024 } });
    expect(answers()['safe']).toBe('undecided: undecided: some state needs more than 1,024 different numbers');
    await explored({ verdict: 'undecided', limit: { kind: 'openings', value: 64, step } });
    expect(answers()['safe']).toMatch(/draw adds to numbers in more than 64 cases of their distances$/);
    await explored({ verdict: 'undecided', limit: { kind: 'notReal', value: 2, found: 'safe', step } });
    expect(answers()['safe']).toMatch(/for what was found of safe: with real numbers it ends before step 3, draw$/);
});

test('faults and deadlocks are violations of the model, a fault at its place', async () => {
    await explored({ verdict: 'violated', violations: [violation('fault', 'range', 2)] });
    expect(answers()['deadlock']).toBe('violated: fault in step 2');
    expect(results().items[0]?.answer?.place).toMatchObject({ line: 14 });
    await explored({ verdict: 'violated', violations: [violation('deadlock', 'deadlock', 5)] });
    expect(answers()['deadlock']).toBe('violated: deadlock after 5 steps');
});

test('a fault in an invariant is a violation of the invariant', async () => {
    const inSafe = { ...violation('fault', 'division', 2), invariant: 'safe' };
    await explored({ verdict: 'violated', unreached: [], violations: [inSafe] });
    expect(answers()).toEqual({ deadlock: 'holds: holds in 12 orbits', safe: 'violated: fault after 2 steps' });
});

test('a violation does not hide that a limit was reached', async () => {
    await explored({ verdict: 'violated', violations: [violation('invariant', 'safe', 4)], limit: LIMIT });
    expect(answers()).toEqual({
        deadlock: 'undecided: undecided: the limit of 1,000 states was reached (orbit.explore.maximumStates)',
        safe: 'violated: violated after 4 steps; the limit of 1,000 states was reached (orbit.explore.maximumStates)',
    });
});

test('explorations of all states and of orbits do not overwrite each other, and a violation counts before a limit', async () => {
    await explored({ verdict: 'violated', violations: [violation('invariant', 'safe', 4)] }, { runId: 'reduced' });
    await explored({ verdict: 'undecided', limit: LIMIT }, { reduction: 'none', runId: 'all' });
    const { allExplorations, explorations } = server.analysis.findings(document);
    expect(allExplorations.map(({ runId }) => runId)).toEqual(['all', 'reduced']);
    expect([...explorations.keys()].sort()).toEqual(['none', 'unique']);
    expect(answers()['safe']).toBe('violated: violated after 4 steps');
});

test('an answer for another value of a parameter is none for this one, in results and lenses', async () => {
    await explored({ verdict: 'violated', violations: [violation('invariant', 'safe', 4)] });
    const titles = async (): Promise<string> =>
        JSON.stringify(
            await server.Orbit.lsp.CodeLensProvider?.provideCodeLens(document, { textDocument: { uri: RING_URI } }),
        );
    expect(await titles()).toContain('safe violated after 4 steps');
    document = await server.write(RING_URI, RING.replace('= 3', '= 4'));
    expect(server.analysis.findings(document).parameters).toBe('N = 4');
    expect(answers()['safe']).toBeUndefined();
    expect(await titles()).not.toContain('violated');
});

test('answers about other values of the parameters are named beside that of the present ones', async () => {
    const kept = (await explored({})).kept;
    if (kept === undefined) {
        throw new Error('the result is not kept');
    }
    const other = (N: number) => ({ ...kept, modelKey: `${N}`, document: { ...kept.document, params: { N } } });
    server.analysis.restore({ uri: RING_URI, runs: [other(4), other(5)], parameters: {} });
    expect(results().items[1]).toMatchObject({ answer: { parameters: 'N = 3', isStale: false }, also: 'N = 4, 5' });
    server.analysis.restore({ uri: RING_URI, runs: [{ ...other(6), sourceKey: 'of another text' }], parameters: {} });
    expect(results().items[1]?.also).toBe('N = 4, 5');
});

test('results of an earlier session are there when the document is opened, and know whether it was edited since', async () => {
    const { kept } = await explored({ verdict: 'violated', violations: [violation('invariant', 'safe', 4)] });
    const runs = JSON.parse(JSON.stringify([kept])) as (typeof kept & object)[];
    for (const [text, expected] of [
        [RING, 'violated: violated after 4 steps'],
        [EDITED, 'stale violated: violated after 4 steps'],
    ] as const) {
        server = new InProcessServer();
        server.analysis.restore({ uri: RING_URI, runs, parameters: {} });
        document = await server.openAnalyzed(RING_URI, text, RING_REPORT);
        expect(answers()['safe']).toBe(expected);
    }
});

test('a stated symmetry is answered by the last analysis', async () => {
    server = new InProcessServer();
    const assertion = {
        text: 'assert symmetric P',
        verdict: 'fails' as const,
        message: 'the 3 instances of `P` are not interchangeable',
        range: rangeIn('safe'),
        locations: [],
        counterparts: [],
        repairs: [],
    };
    const report = { ...RING_REPORT, assertions: [assertion] };
    document = await server.openAnalyzed(RING_URI, `${RING}assert symmetric P`, report);
    expect(answers()['assert symmetric P']).toBe('violated: the 3 instances of P are not interchangeable');
    document = await server.write(RING_URI, `${EDITED}assert symmetric P`);
    expect(answers()['assert symmetric P']).toMatch(/^stale violated/);
});

test('traces are not kept: a text may have many long ones', async () => {
    const { kept } = await explored({ verdict: 'violated', violations: [violation('invariant', 'safe', 4)] });
    expect(kept?.document.violations[0]?.trace).toEqual({ length: 5 });
});

const SERVED: PropertyOutcome = {
    name: 'served',
    kind: 'property',
    verdict: 'holds',
    states: 18,
    transitions: 57,
    members: 3,
    membersChecked: 1,
    reduction: { group: 'S2', order: '2', start: 'kept', startOrder: '2', strategy: 'sort', unique: true },
};

test('a property of runs has the answer of its own search, of one of the members that are alike', async () => {
    document = await server.write(RING_URI, `${RING}\nproperty served = eventually turn == 0\n`);
    expect(results().items.at(-1)).toMatchObject({ kind: 'property', name: 'served', isProperty: true });
    await explored({ unreached: [], properties: [SERVED] });
    expect(answers()).toEqual({
        deadlock: 'holds: holds in 12 orbits',
        safe: 'holds: holds in 12 orbits',
        served: 'holds: holds in 18 orbits, one of 3 interchangeable checked',
    });
    const limited = { ...SERVED, verdict: 'undecided', membersChecked: 0, limit: LIMIT } as const;
    await explored({ verdict: 'undecided', unreached: [], properties: [limited], limit: LIMIT });
    expect(answers()).toEqual({
        deadlock: 'holds: holds in 12 orbits',
        safe: 'holds: holds in 12 orbits',
        served: 'undecided: undecided: the limit of 1,000 states was reached (orbit.explore.maximumStates)',
    });
});

test('a property that says what an invariant does is answered by the search of all states', async () => {
    document = await server.write(RING_URI, `${RING}\nproperty small = always turn < 3\n`);
    await explored({ unreached: [] });
    expect(answers()['small']).toBe('holds: holds in 12 orbits');
    await explored({ verdict: 'violated', violations: [violation('invariant', 'small', 4)] });
    expect(answers()['small']).toBe('violated: violated after 4 steps');
});

test('a property of runs is violated by a run that repeats steps or ends, and says nothing about later ones', async () => {
    const text = `${RING}\nproperty served = eventually turn == 0\nproperty again = always eventually turn == 0\n`;
    document = await server.write(RING_URI, text);
    for (const [loopStart, summary] of [
        [2, 'violated by a run that repeats 3 steps for ever'],
        [5, 'violated by a run that ends after 5 steps'],
    ] as const) {
        await explored({
            verdict: 'violated',
            unreached: [],
            violations: [{ ...violation('property', 'served', 5), loopStart }],
            properties: [{ ...SERVED, verdict: 'violated' }],
        });
        expect(answers()).toEqual({
            deadlock: 'holds: holds in 12 orbits',
            safe: 'holds: holds in 12 orbits',
            served: `violated: ${summary}`,
            again: undefined,
        });
    }
});
