import { expect, test, vi } from 'vitest';
import { CancellationTokenSource, MarkupContent } from 'vscode-languageserver';
import type { Problem } from '../../engine/common/problem.js';
import { refusal } from '../../family/refusal.js';
import { resultsOf } from '../../language-server/lsp/document-results.js';
import { everySizesOf } from '../../language-server/lsp/providers/family-facts.js';
import type { EverySizeDocument } from '../../language-server/document-schema.js';
import type { ResultItem } from '../../language-server/protocol.js';
import { InProcessServer, type OpenRequest } from './in-process.js';
import { positionOf } from './language-client.js';
import { RING_REPORT } from './ring.js';

const URI = 'file:///lock.orbit';

const LOCK = `
param N: 2 .. 64 = 64
type Proc = 1 .. N
var owner: Proc? = none
var step: 0 .. 9 = 0
process P[i: Proc] {
    loop {
        take: when owner == none { owner := i }
        give: when owner == i { owner := none; step := (step + 1) mod 10 }
    }
}
`;

async function provided(text: string): Promise<{ titles: string[]; hover: string | undefined }> {
    const server = new InProcessServer();
    const document = await server.write(URI, text);
    const textDocument = { uri: URI };
    const lenses = (await server.Orbit.lsp.CodeLensProvider?.provideCodeLens(document, { textDocument })) ?? [];
    const position = positionOf(text, 'P[i: Proc]');
    const hover = await server.Orbit.lsp.HoverProvider?.getHoverContent(document, { textDocument, position });
    return {
        titles: lenses.map(({ range, command }) => `${range.start.line + 1}: ${command?.title ?? ''}`),
        hover: MarkupContent.is(hover?.contents) ? hover.contents.value : undefined,
    };
}

test('what is proved for all values stands in the editor before a search has ended', async () => {
    const { titles, hover } = await provided(LOCK);
    expect(titles).toContain('3: interchangeable for every N (proved)');
    expect(titles).toContain('6: interchangeable for every N (proved)');
    expect(hover).toContain('For every N: S_N (proved).');
});

test('nothing is said where nothing is proved, and in a text with errors', async () => {
    const ordered = await provided(LOCK.replace('owner == none', '(owner == none || i < 3)'));
    expect(ordered.titles.filter(title => title.includes('proved'))).toEqual([
        '3: groups of 2 and N - 2 interchangeable, for every N (proved)',
        '6: groups of 2 and N - 2 interchangeable, for every N (proved)',
    ]);
    const compared = await provided(LOCK.replace('owner == none', '(exists j in Proc: j < i)'));
    expect(compared.titles.filter(title => title.includes('proved'))).toEqual([]);
    const wrong = await provided(LOCK.replace('owner == none', 'owner == nobody'));
    expect(wrong.titles.filter(title => title.includes('proved'))).toEqual([]);
});

test.each([
    ['var owner: Proc? = none', 'var owner: Proc? = 1', 'all but one interchangeable, for every N (proved)'],
    ['when owner == none', 'when owner == none && (i == 1 || i == 2)', 'N - 2 of them interchangeable, for every N'],
])('with %s as %s the lens says "%s", without the name of a group', async (before, after, expected) => {
    const { titles } = await provided(LOCK.replace(before, after));
    const proved = titles.filter(title => title.includes('proved'));
    expect(proved[0]).toContain(expected);
    expect(proved.join()).not.toMatch(/[SCD]_/);
});

/** A lock with a bound that is another parameter. */
const BOUNDED =
    LOCK.replace('var owner', 'param M: 1 .. 9 = 2\nvar owner') + 'invariant few = count(i in Proc: owner == i) <= M\n';

/** The worker answers the last question whether views may answer: these are the reasons why they may not. */
async function answerNarrow(server: InProcessServer, problems: readonly Problem[] = []): Promise<void> {
    const { request, listener } = server.requests.filter(({ request: { kind } }) => kind === 'everySize').at(-1)!;
    expect(request).toMatchObject({ ask: 'narrow' });
    const changed = new Promise<void>(resolve => server.analysis.onFindings(() => resolve()));
    listener.reply({ kind: 'everySize', job: request.job, outcome: { problems } });
    await changed;
}

/** What the server says of the invariant for all sizes, after each of these verdicts. */
async function answersTo(
    text: string,
    ...documents: Partial<EverySizeDocument>[]
): Promise<(ResultItem | undefined)[]> {
    const server = new InProcessServer();
    const document = await server.openAnalyzed(URI, text, RING_REPORT);
    const item = (): ResultItem | undefined => {
        const sizes = everySizesOf(document, server.Orbit, server.analysis);
        return resultsOf(document, server.analysis.findings(document), sizes).items.find(
            ({ kind }) => kind === 'every',
        );
    };
    if (item() === undefined && server.requests.some(({ request: { kind } }) => kind === 'everySize')) {
        await answerNarrow(server);
    }
    const items = [item()];
    const answered = new Set<OpenRequest>();
    for (const answer of documents) {
        const names = answer.forAll ?? ['N'];
        const params = { uri: URI, names, property: 'few' };
        const asked = server.analysis.everySize(params, new CancellationTokenSource().token);
        // The models are made in turns.
        const last = await vi.waitUntil(
            () => {
                const request = server.requests.at(-1);
                const isVerdict = request?.request.kind === 'everySize' && request.request.ask === 'verdict';
                return isVerdict && !answered.has(request) ? request : undefined;
            },
            { timeout: 60_000 },
        );
        answered.add(last);
        const common = {
            schemaVersion: 1,
            model: 'lock',
            params: { N: 'all', M: 2 },
            forAll: ['N'],
            extra: 1,
            exact: [],
        } as const;
        const found = {
            ...common,
            verdict: 'holds',
            invariants: ['few'],
            notForAll: [],
            violations: [],
            seconds: 0.5,
        } as const;
        const outcome = { problems: [], document: { ...found, ...answer } };
        last.listener.reply({ kind: 'everySize', job: last.request.job, outcome });
        await asked;
        items.push(item());
    }
    return items;
}

test('an invariant of a family is an item of its own, answered by verdicts for all values', async () => {
    const limit = { kind: 'time', value: 60 };
    const items = await answersTo(
        BOUNDED,
        { verdict: 'undecided', limit },
        { views: 7 },
        { params: { N: 'all', M: 3 } },
    );
    expect(items[0]).toMatchObject({ name: 'few', forAll: ['N'], location: { line: 13 } });
    expect(items.map(item => item?.answer?.summary)).toEqual([
        undefined,
        'undecided: the time limit of 60 s was reached (orbit.explore.timeLimit)',
        'holds, proved in 500 ms',
        // The later one is about another value of `M`.
        undefined,
    ]);
});

test('a property of runs that is about each state is such an item, too; one about more is none', async () => {
    const asProperty = (formula: string): string =>
        BOUNDED.replace(/invariant few = (.*)/, `property few = ${formula}`);
    const items = await answersTo(asProperty('always $1'), { views: 7 });
    expect(items[1]).toMatchObject({ name: 'few', forAll: ['N'], answer: { verdict: 'holds' } });
    expect(await answersTo(asProperty('forall j in Proc: always (owner != j || $1)'))).toMatchObject([{ name: 'few' }]);
    expect(await answersTo(asProperty('infinitely often $1'))).toEqual([undefined]);
    expect(await answersTo(`${asProperty('always $1')}assume turns = infinitely often owner == none\n`)).toEqual([
        undefined,
    ]);
});

test('a violation is told with the values that show it', async () => {
    const location = { file: URI, line: 13, column: 11, endLine: 13, endColumn: 14 };
    const entry = { step: null, state: {}, changed: [] };
    const violations = [{ kind: 'invariant', name: 'few', location, trace: [entry, entry] } as const];
    const items = await answersTo(BOUNDED, { verdict: 'violated', violatedFor: { N: 3 }, violations });
    expect(items[1]?.answer).toMatchObject({
        verdict: 'violated',
        summary: 'violated after 1 step',
        parameters: 'N = 3',
    });
});

test('a text that needs one value of the parameter has no such item', async () => {
    expect(await answersTo(BOUNDED.replace('<= M', '< N'))).toEqual([undefined]);
    expect(await answersTo(BOUNDED.replace('owner == none', '(exists j in Proc: j < i)'))).toEqual([undefined]);
});

test('the check for every N is offered once the models of a text have told that it may be answered', async () => {
    const linked = LOCK.replace('owner := i }', 'owner := i; next[i] := i }').replace(
        'var owner',
        'var next: Proc?[Proc] = none\nvar owner',
    );
    const server = new InProcessServer();
    const document = await server.openAnalyzed(URI, linked, RING_REPORT);
    const isOffered = async (): Promise<boolean> => {
        const params = { textDocument: { uri: URI } };
        const lenses = (await server.Orbit.lsp.CodeLensProvider?.provideCodeLens(document, params)) ?? [];
        return lenses.some(({ command }) => command?.title === 'check for every N');
    };
    expect(await isOffered()).toBe(false);
    const start = { line: 1, character: 0 };
    await answerNarrow(server, [refusal('next[i] refers to another process', { uri: URI, start, end: start })]);
    expect(await isOffered()).toBe(false);
    await server.write(URI, linked.replace('; next[i] := i', ''));
    expect(await isOffered()).toBe(false);
    await answerNarrow(server);
    expect(await isOffered()).toBe(true);
});

test('a family is posted as the text is when it is asked for', async () => {
    const server = new InProcessServer();
    await server.openAnalyzed(URI, BOUNDED, RING_REPORT);
    const asked = server.analysis.everySize({ uri: URI, names: ['N'] }, new CancellationTokenSource().token);
    await server.write(URI, BOUNDED.replace('take:', 'takes:'));
    const { request, listener } = await vi.waitUntil(() =>
        server.requests.find(
            ({ request: { kind, ...rest } }) => kind === 'everySize' && 'ask' in rest && rest.ask === 'verdict',
        ),
    );
    expect(request.kind === 'everySize' && request.family.trees.map(({ text }) => text)).toEqual([BOUNDED]);
    listener.reply({ kind: 'everySize', job: request.job, outcome: { problems: [] } });
    await asked;
});

test.each([
    ['always owner != i', 'every'],
    // Asked at the start of a run alone, it is about more than single states.
    ['(forall i in Proc where owner == i: always owner == i)', undefined],
])('of properties those about single states have an item for all sizes: %s', async (formula, kind) => {
    const property = `property alone = forall i in Proc: ${formula}\n`;
    const [item] = await answersTo(LOCK + property);
    expect(item?.kind).toBe(kind);
});
