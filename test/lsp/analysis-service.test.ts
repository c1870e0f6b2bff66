/** When analyses start, which are given up, and what stays until the next one is there. */
import { URI } from 'langium';
import { beforeEach, expect, test, vi } from 'vitest';
import { CancellationTokenSource } from 'vscode-languageserver';
import { OperationCancelled } from '../../engine/common/work-limit.js';
import type { ExploreDocument } from '../../language-server/document-schema.js';
import type { AnalysisStatus, ExploreProgress } from '../../language-server/protocol.js';
import { InProcessServer, type OpenRequest } from './in-process.js';
import { RING, RING_EXPLORED, RING_REPORT, RING_URI } from './ring.js';

let server: InProcessServer;
let statuses: AnalysisStatus[];

beforeEach(() => {
    server = new InProcessServer();
    statuses = [];
    server.analysis.onStatus(status => statuses.push(status));
});

const NONE = new CancellationTokenSource().token;
const EDITED = RING.replace('turn == i', 'turn != i');

function states(): readonly string[] {
    return statuses.map(status => status.state);
}

function isCancelled(index: number): boolean {
    const cancellation = server.requests[index]?.request.cancellation;
    return cancellation !== undefined && new Int32Array(cancellation)[0] === 1;
}

function lastRequest(): OpenRequest {
    const last = server.requests.at(-1);
    if (last === undefined) {
        throw new Error('no worker thread was asked anything');
    }
    return last;
}

/** Lets promises that are ready go on. */
function settle(): Promise<void> {
    return new Promise(resolve => setTimeout(resolve, 0));
}

test('opening a document starts an analysis, its end is announced with group and order', async () => {
    await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    expect(states()).toEqual(['running', 'done']);
    expect(statuses[1]).toMatchObject({ uri: RING_URI, version: 1, order: '6', structure: 'C6' });
});

test('an edit starts nothing and makes the result stale; a save starts the next analysis', async () => {
    await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    await server.write(RING_URI, EDITED);
    expect(states()).toEqual(['running', 'done', 'stale']);
    expect(server.requests).toHaveLength(1);
    server.save(RING_URI);
    expect(states().at(-1)).toBe('running');
    expect(statuses.at(-1)).toMatchObject({ version: 2, order: '6' });
    await server.answer({ report: { ...RING_REPORT, order: '3', structure: 'C3' } });
    expect(statuses.at(-1)).toMatchObject({ state: 'done', version: 2, order: '3' });
});

test('what is found is announced before it is explained, and symmetries are answered from it', async () => {
    server.save(RING_URI);
    await server.write(RING_URI, RING);
    server.find(RING_REPORT);
    expect(statuses.at(-1)).toMatchObject({ state: 'running', order: '6', summary: 'explaining the symmetries' });
    const { document } = await server.analysis.symmetries(URI.parse(RING_URI), NONE);
    expect(document).toMatchObject({ order: '6' });
    await server.answer({ report: RING_REPORT });
    expect(statuses.at(-1)).toMatchObject({ state: 'done', order: '6' });
});

test('what was found and never explained is analyzed again when its text comes back', async () => {
    await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    await server.write(RING_URI, EDITED);
    server.save(RING_URI);
    server.find({ ...RING_REPORT, order: '3', structure: 'C3' });
    await server.write(RING_URI, RING);
    server.save(RING_URI);
    expect(statuses.at(-1)).toMatchObject({ state: 'done', order: '6' });
    await server.write(RING_URI, EDITED);
    server.save(RING_URI);
    expect(server.requests).toHaveLength(3);
    expect(statuses.at(-1)).toMatchObject({ state: 'running', summary: 'searching for symmetries' });
});

test('a save of the same model starts nothing', async () => {
    await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    await server.write(RING_URI, `${RING}\n// a remark`);
    server.save(RING_URI);
    expect(server.requests).toHaveLength(1);
    expect(statuses.at(-1)).toMatchObject({ state: 'done', version: 2 });
});

test('a save during an analysis of an older text cancels that analysis', async () => {
    server.save(RING_URI);
    await server.write(RING_URI, RING);
    await server.write(RING_URI, EDITED);
    server.save(RING_URI);
    expect(server.requests).toHaveLength(2);
    expect(isCancelled(0)).toBe(true);
    expect(isCancelled(1)).toBe(false);
    await server.answer({ report: RING_REPORT });
    expect(statuses.at(-1)).toMatchObject({ state: 'done', version: 2 });
});

test('a save that comes before the text is built waits for it', async () => {
    await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    const building = server.write(RING_URI, EDITED);
    server.save(RING_URI);
    expect(server.requests).toHaveLength(1);
    await building;
    expect(server.requests).toHaveLength(2);
});

test('a model with errors is not analyzed, and the result before it stays', async () => {
    const document = await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    await server.write(RING_URI, RING.replace('turn == i', 'turn == nobody'));
    server.save(RING_URI);
    expect(server.requests).toHaveLength(1);
    expect(statuses.at(-1)).toMatchObject({ state: 'failed', summary: 'the model has errors' });
    expect(server.analysis.findings(document).analysis?.outcome.report?.order).toBe('6');
});

test('once its errors are mended a model is stale until it is saved', async () => {
    await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    await server.write(RING_URI, RING.replace('turn == i', 'turn == nobody'));
    server.save(RING_URI);
    await server.write(RING_URI, EDITED);
    expect(statuses.at(-1)).toMatchObject({ state: 'stale' });
    await server.write(RING_URI, RING);
    expect(statuses.at(-1)).toMatchObject({ state: 'done', version: 4, summary: 'C6 · 6 symmetries' });
});

test('answers name the version that the editor knows, also after edits that change nothing', async () => {
    await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    await server.write(RING_URI, `${RING}// a remark`);
    expect(statuses.at(-1)).toMatchObject({ state: 'done', version: 2 });
    expect(await server.analysis.symmetries(URI.parse(RING_URI), NONE)).toMatchObject({ version: 2 });
    await server.write(RING_URI, EDITED);
    expect(await server.analysis.symmetries(URI.parse(RING_URI), NONE)).toMatchObject({ version: 1 });
});

test('an analysis that does not end is given up', async () => {
    const settings = { orbit: { symmetry: { timeLimit: 0.005 } } };
    server.Orbit.shared.workspace.ConfigurationProvider.updateConfiguration({ settings });
    server.save(RING_URI);
    const document = await server.write(RING_URI, RING);
    await expect.poll(() => states().at(-1)).toBe('failed');
    expect(isCancelled(0)).toBe(true);
    expect(statuses.at(-1)).toMatchObject({ summary: 'no answer after 0.03 seconds' });
    const lenses = await server.Orbit.lsp.CodeLensProvider?.provideCodeLens(document, {
        textDocument: { uri: RING_URI },
    });
    expect(lenses?.[0]?.command?.title).toBe('search for symmetries: no answer after 0.03 seconds');
});

test('a time limit beyond what timers can measure is none', async () => {
    const settings = { orbit: { symmetry: { timeLimit: 1e9 } } };
    server.Orbit.shared.workspace.ConfigurationProvider.updateConfiguration({ settings });
    server.save(RING_URI);
    await server.write(RING_URI, RING);
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(states()).toEqual(['running']);
    server.analysis.documentClosed(URI.parse(RING_URI));
});

test('the time for which an analysis waits for others does not count against it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
        const settings = { orbit: { symmetry: { timeLimit: 1 } } };
        server.Orbit.shared.workspace.ConfigurationProvider.updateConfiguration({ settings });
        const [first = '', second = '', third = ''] = [1, 2, 3].map(number => `file:///ring-${number}.orbit`);
        for (const uri of [first, second, third]) {
            server.save(uri);
            await server.write(uri, RING);
        }
        const summaryOf = (uri: string): string | undefined =>
            statuses.filter(status => status.uri === uri).at(-1)?.summary;
        expect(server.requests).toHaveLength(2);
        await vi.advanceTimersByTimeAsync(6000);
        expect([first, second].map(summaryOf)).toEqual(['no answer after 6 seconds', 'no answer after 6 seconds']);
        expect(server.requests).toHaveLength(3);
        await vi.advanceTimersByTimeAsync(5999);
        expect(summaryOf(third)).toBe('searching for symmetries');
        await vi.advanceTimersByTimeAsync(1);
        expect(summaryOf(third)).toBe('no answer after 6 seconds');
    } finally {
        vi.useRealTimers();
    }
});

test('closing a document cancels its analysis and forgets its result', async () => {
    server.save(RING_URI);
    const document = await server.write(RING_URI, RING);
    server.analysis.documentClosed(URI.parse(RING_URI));
    expect(isCancelled(0)).toBe(true);
    expect(server.analysis.findings(document).analysis).toBeUndefined();
    await settle();
    expect(states()).toEqual(['running']);
});

test('a worker that crashes is a defect of ours: logged, announced, and the next save tries again', async () => {
    server.save(RING_URI);
    await server.write(RING_URI, RING);
    server.requests[0]?.listener.crashed('no memory left');
    await settle();
    expect(statuses.at(-1)).toMatchObject({ state: 'failed' });
    expect(server.log.join()).toContain('no memory left');
    server.save(RING_URI);
    expect(server.requests).toHaveLength(2);
});

test('symmetries are answered from the last finished analysis, stale or not', async () => {
    await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    await server.write(RING_URI, EDITED);
    const result = await server.analysis.symmetries(URI.parse(RING_URI), NONE);
    expect(result).toMatchObject({ version: 1, document: { order: '6', structure: 'C6' } });
});

test('symmetries of a document that was not analyzed yet wait for the analysis', async () => {
    server.save(RING_URI);
    await server.write(RING_URI, RING);
    const result = server.analysis.symmetries(URI.parse(RING_URI), NONE);
    await server.answer({ report: RING_REPORT });
    expect(await result).toMatchObject({ document: { order: '6' } });
});

test('symmetries of a model with errors are its errors', async () => {
    server.save(RING_URI);
    await server.write(RING_URI, RING.replace('turn == i', 'turn == nobody'));
    const { document } = await server.analysis.symmetries(URI.parse(RING_URI), NONE);
    expect(document).toMatchObject({ problems: [{ severity: 'error', line: 16 }] });
});

test('a document that is not open is an error', async () => {
    await expect(server.analysis.symmetries(URI.parse('file:///other.orbit'), NONE)).rejects.toThrow('not open');
});

test('an exploration answers for the version it was run for, and the lens shows its counts', async () => {
    const document = await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    const params = { uri: RING_URI, reduction: 'unique', runId: '1' } as const;
    const result = server.analysis.explore(params, () => undefined, NONE);
    await server.write(RING_URI, EDITED);
    const { request, listener } = lastRequest();
    listener.reply({ kind: 'explored', job: request.job, outcome: { problems: [], document: RING_EXPLORED } });
    expect(await result).toMatchObject({ version: 1, document: { states: 12 } });
    expect(server.analysis.findings(document).explorations.get('unique')).toMatchObject({ isStale: true });
    const lenses = await server.Orbit.lsp.CodeLensProvider?.provideCodeLens(document, {
        textDocument: { uri: RING_URI },
    });
    expect(lenses?.[0]?.command?.title).toBe('no fault in 12 orbits, before the edit');
});

test('what can happen next is answered for the model of the run, and not for an edited one', async () => {
    const document = await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    const { modelKey } = server.analysis.findings(document);
    expect(modelKey).toBeDefined();
    const asked = { uri: RING_URI, ...(modelKey !== undefined && { modelKey }) };
    const result = server.analysis.steps(asked, NONE);
    await settle();
    const { request, listener } = lastRequest();
    listener.reply({ kind: 'stepped', job: request.job, outcome: { steps: [] } });
    expect(await result).toEqual({ steps: [] });
    await server.write(RING_URI, EDITED);
    const { steps, problem } = await server.analysis.steps(asked, NONE);
    expect(steps).toBeUndefined();
    expect(problem).toContain('The model has changed');
});

test('the check of one property is shown at the property', async () => {
    const document = await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    const params = { uri: RING_URI, reduction: 'unique', runId: '1', property: 'safe' } as const;
    const result = server.analysis.explore(params, () => undefined, NONE);
    await settle();
    const { request, listener } = lastRequest();
    expect(request).toMatchObject({ properties: ['safe'] });
    listener.reply({ kind: 'explored', job: request.job, outcome: { problems: [], document: RING_EXPLORED } });
    await result;
    const lenses = await server.Orbit.lsp.CodeLensProvider?.provideCodeLens(document, {
        textDocument: { uri: RING_URI },
    });
    const titles = lenses?.map(({ command }) => command?.title);
    expect(titles).toContain('holds in 12 orbits');
    expect(titles?.[0]).not.toContain('12 orbits');
});

test('an answer about the present text is shown before a violation of an older one', async () => {
    const document = await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    const explored = async (property: string | undefined, answer: ExploreDocument): Promise<void> => {
        const about = property === undefined ? {} : { property };
        const result = server.analysis.explore(
            { uri: RING_URI, reduction: 'unique', runId: '1', ...about },
            () => undefined,
            NONE,
        );
        await settle();
        const { request, listener } = lastRequest();
        listener.reply({ kind: 'explored', job: request.job, outcome: { problems: [], document: answer } });
        await result;
    };
    const location = { file: RING_URI, line: 1, column: 1, endLine: 1, endColumn: 2 };
    const violations = [{ kind: 'invariant', name: 'safe', location, trace: [] }] as const;
    const titles = async (): Promise<unknown[]> =>
        (await server.Orbit.lsp.CodeLensProvider?.provideCodeLens(document, { textDocument: { uri: RING_URI } }))?.map(
            ({ command }) => command?.title,
        ) ?? [];
    const entry = { step: null, state: {}, changed: [] };
    await explored(undefined, { ...RING_EXPLORED, violations: [{ ...violations[0], trace: [entry, entry] }] });
    expect(await titles()).toContain('violated after 1 step');
    await server.write(RING_URI, EDITED);
    expect(await titles()).toContain('violated after 1 step, before the edit');
    await explored('safe', RING_EXPLORED);
    expect(await titles()).toContain('holds in 12 orbits');
});

test('a property that the model does not state cannot be checked', async () => {
    await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    const params = { uri: RING_URI, reduction: 'unique', runId: '1', property: 'save' } as const;
    await expect(server.analysis.explore(params, () => undefined, NONE)).rejects.toThrow('no property `save`');
});

test('an exploration reports progress while its worker is silent, and ends when it is cancelled', async () => {
    await server.openAnalyzed(RING_URI, RING, RING_REPORT);
    const source = new CancellationTokenSource();
    const progress: ExploreProgress[] = [];
    const params = { uri: RING_URI, reduction: 'none', runId: '7' } as const;
    const result = server.analysis.explore(params, report => progress.push(report), source.token);
    await expect.poll(() => progress.length).toBeGreaterThan(1);
    expect(progress[0]).toMatchObject({ runId: '7', version: 1, phase: 'analyze', states: 0 });
    source.cancel();
    await expect(result).rejects.toBeInstanceOf(OperationCancelled);
});

test('an exploration of a model with errors is answered by the errors', async () => {
    server.save(RING_URI);
    await server.write(RING_URI, RING.replace('turn == i', 'turn == nobody'));
    const params = { uri: RING_URI, reduction: 'unique', runId: '1' } as const;
    const { document } = await server.analysis.explore(params, () => undefined, NONE);
    expect(document).toMatchObject({ problems: [{ severity: 'error' }] });
});
