/** The server as it ships, in a process of its own, over stdio: from initialize to shutdown. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
    CancellationTokenSource,
    ErrorCodes,
    LSPErrorCodes,
    ResponseError,
    type Diagnostic,
} from 'vscode-languageserver/node.js';
import type {
    CompletionList,
    DocumentSymbol,
    FoldingRange,
    Location,
    WorkspaceEdit,
} from 'vscode-languageserver/node.js';
import { type ExploreDocument } from '../../language-server/document-schema.js';
import {
    CHOOSE_PARAMETERS_REQUEST,
    EVERY_SIZE_REQUEST,
    EXPLORE_REQUEST,
    KEPT_RUNS_NOTIFICATION,
    IMPORT_MURPHI_REQUEST,
    MAKE_FAIR_REQUEST,
    QUESTION_REQUEST,
    STEPS_REQUEST,
    SWEEP_REQUEST,
    type EverySizeResult,
    type ExploreProgress,
    type ExploreResult,
    type ImportMurphiResult,
    type MakeFairResult,
    type QuestionResult,
    type StepsResult,
    type SweepResult,
} from '../../language-server/protocol.js';
import { buildServer, TestEditor } from './language-client.js';

let serverFile: string;
let removeServer: () => void;
let editor: TestEditor;
let lastFile = 0;

beforeAll(async () => {
    ({ serverFile, remove: removeServer } = await buildServer());
    editor = await TestEditor.start(serverFile);
});

afterAll(async () => {
    await editor.stop();
    removeServer();
});

const TOKEN_RING = readFileSync(new URL('../../models/token-ring.orbit', import.meta.url), 'utf8');

/** A document of its own for each test. */
function newUri(): string {
    return `file:///model-${++lastFile}.orbit`;
}

async function openAnalyzed(text: string): Promise<string> {
    const uri = newUri();
    await editor.open(uri, text);
    await editor.statusWhere(uri, status => status.state === 'done');
    return uri;
}

function codes(diagnostics: readonly Diagnostic[]): readonly unknown[] {
    return diagnostics.map(diagnostic => diagnostic.code);
}

test('the server says what it can do', () => {
    expect(editor.capabilities).toMatchObject({
        textDocumentSync: { change: 2, openClose: true, save: true },
        completionProvider: {},
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentSymbolProvider: true,
        foldingRangeProvider: true,
        documentHighlightProvider: true,
        hoverProvider: true,
        codeLensProvider: {},
        codeActionProvider: { codeActionKinds: ['quickfix'] },
        callHierarchyProvider: {},
        diagnosticProvider: { interFileDependencies: true },
        documentFormattingProvider: true,
        documentRangeFormattingProvider: true,
        documentOnTypeFormattingProvider: { firstTriggerCharacter: '}' },
        inlayHintProvider: {},
        selectionRangeProvider: true,
        semanticTokensProvider: { range: true },
        signatureHelpProvider: {},
        typeDefinitionProvider: true,
        workspaceSymbolProvider: {},
    });
});

test.each([
    ['textDocument/hover', { textDocument: { uri: 'file:///m.orbit' } }],
    ['textDocument/completion', { textDocument: {}, position: { line: 0, character: 0 } }],
    ['textDocument/definition', { textDocument: { uri: 'file:///m.orbit' }, position: { line: -1, character: 0 } }],
    ['textDocument/rename', {}],
    ['textDocument/foldingRange', { textDocument: null }],
    ['textDocument/selectionRange', { textDocument: { uri: 'file:///m.orbit' } }],
    ['textDocument/codeAction', { textDocument: { uri: 'file:///m.orbit' }, range: 5 }],
    ['callHierarchy/incomingCalls', { item: {} }],
    ['workspace/symbol', {}],
    [EVERY_SIZE_REQUEST, { uri: 'file:///m.orbit', names: 5 }],
    [CHOOSE_PARAMETERS_REQUEST, { uri: 'file:///m.orbit', parameters: null }],
])('%s with the parameters %j is answered by the error of the protocol for parameters', async (method, params) => {
    const answer = editor.request(method, params);
    await expect(answer).rejects.toThrow(method);
    await expect(answer).rejects.toMatchObject({ code: ErrorCodes.InvalidParams });
});

// Six of them tried to read the file, and were answered as a defect of the server.
test.each([
    'hover',
    'implementation',
    'references',
    'documentHighlight',
    'prepareRename',
    'rename',
    'prepareCallHierarchy',
])('%s in a document that is not there says so, and is no defect', async name => {
    const params = {
        textDocument: { uri: 'file:///nowhere.orbit' },
        position: { line: 0, character: 0 },
        context: { includeDeclaration: true },
        newName: 'x',
    };
    const answer = editor.request(`textDocument/${name}`, params);
    await expect(answer).rejects.toMatchObject({
        code: LSPErrorCodes.ContentModified,
        message: "'file:///nowhere.orbit' is not open",
    });
});

test('a kept run that is none leaves later updates as they are', async () => {
    const uri = newUri();
    await editor.notify(KEPT_RUNS_NOTIFICATION, { uri, runs: [{ runId: 'r', document: {} }], parameters: {} });
    await editor.open(uri, TOKEN_RING);
    await editor.statusWhere(uri, ({ state }) => state === 'done');
    expect(editor.log.splice(0)).toEqual([expect.stringContaining(KEPT_RUNS_NOTIFICATION)]);
});

// Each of the first four ended the server.
test.each(['null', '5', '"x"', 'true', '[]', '{}', '{"method":5}', '{"id":{},"method":null}', '[null]', '{bad'])(
    'the server goes on after the message %s',
    async message => {
        const server = spawn(process.execPath, [serverFile, '--stdio'], { stdio: 'pipe' });
        const output = server.stdout.setEncoding('utf8');
        const frame = (content: string): string => `Content-Length: ${content.length}\r\n\r\n${content}`;
        server.stdin.write(frame(message) + frame('{"jsonrpc":"2.0","id":7,"method":"shutdown"}'));
        let answers = '';
        for await (const part of output) {
            answers += String(part);
            if (answers.includes('"id":7')) {
                break;
            }
        }
        expect(answers).toContain('"id":7');
        server.kill();
    },
);

// The server was deaf after the first, read the second as 1, and waited for the others.
test.each([
    'Content-Length: -5\r\n\r\n',
    'Content-Length: 1e3\r\n\r\n',
    'Content-Length: 99999999999999\r\n\r\n{',
    'Content-Length: 2\r\nContent-Length: 3\r\n\r\n',
    'Content-Type: text\r\n\r\n',
    'x'.repeat(5000),
])('the server ends after a message that begins with %j', async header => {
    const server = spawn(process.execPath, [serverFile, '--stdio'], { stdio: 'pipe' });
    const content = '{"jsonrpc":"2.0","method":"é"}';
    // Headers of any case, and in parts.
    server.stdin.write(`content-length:${Buffer.byteLength(content)} \r\nContent-Type: a\r\n\r\n${content}Conte`);
    server.stdin.write(`nt-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}${header}`);
    let told = '';
    server.stderr.setEncoding('utf8').on('data', (part: string) => (told += part));
    const exitCode = await new Promise(resolve => server.on('close', resolve));
    expect(told).toBe(
        'orbit: a message begins with one Content-Length from 0 to 536870888, ' +
            `not with ${JSON.stringify(
                header
                    .trim()
                    .slice(0, 80)
                    .replace(/\r\n\r\n.*/, ''),
            )}\n`,
    );
    expect(exitCode).toBe(1);
});

test('token-ring has no problems, and its lens names the group of order 10', async () => {
    const uri = newUri();
    await editor.open(uri, TOKEN_RING);
    const status = await editor.statusWhere(uri, ({ state }) => state === 'done');
    // The rotations of the ring of 5, times the exchange of the two labels.
    expect(status).toMatchObject({ order: '10', version: 1 });
    const titles = await editor.lensTitles(uri);
    // 3280 orbits of the 8^5 potential states: (8^5 + 4 · 8 + 0 + 0) / 10 by Burnside's lemma, since an exchange of the
    // labels fixes no state.
    expect(titles[0]).toBe('5 Link in a ring · about 10x fewer states');
    expect(titles[1]).toBe('Explore');
    expect(titles).toContain('5 instances, a ring for every N (proved)');
    const diagnostics = await editor.diagnosticsWhere(uri, () => true);
    expect(diagnostics.filter(({ severity }) => severity === 1 || severity === 2)).toEqual([]);
});

test('after an analysis the editor is asked to fetch the lenses again', async () => {
    const before = editor.refreshCount;
    await openAnalyzed(TOKEN_RING);
    expect(editor.refreshCount).toBeGreaterThan(before);
});

test('the hover over label names what symmetry does to it', async () => {
    const text = await editor.hoverText(await openAnalyzed(TOKEN_RING), 'label:');
    expect(text).toContain('var label: Bit[Agent] = any');
    expect(text).toContain('5 cells, each 2 values: 0, 1');
    expect(text).toMatch(/values 0 and 1 are interchangeable/i);
    expect(text).toMatch(/moves with its process/i);
    expect(text).toMatch(/For example, `Link\[\d\]`.* (move round by one|change places)/);
});

test('an edit that breaks the symmetry is pointed at after the save, and the lens changes', async () => {
    const uri = await openAnalyzed(TOKEN_RING);
    await editor.edit(uri, 'rule1: when !leader[u]', 'rule1: when u != 0 && !leader[u]');
    expect((await editor.lensTitles(uri))[0]).toMatch(/^5 Link in a ring .* · edited since$/);
    await editor.save(uri);
    const diagnostics = await editor.diagnosticsWhere(uri, found => codes(found).includes('symmetry/broken'));
    const broken = diagnostics.find(({ code }) => code === 'symmetry/broken');
    // It was not so in the text before.
    expect(broken?.severity).toBe(3);
    expect(broken?.range.start).toEqual(editor.positionOf(uri, 'u != 0'));
    expect(broken?.relatedInformation?.length).toBeGreaterThan(0);
    const titles = await editor.lensTitles(uri);
    expect(titles[0]).toMatch(/^5 Link would be a ring without line \d+ · fix$/);
    // What is left is the exchange of the two labels.
    expect(titles[2]).toMatch(/about 2\.0x fewer states/);
});

test('the severity of such a diagnostic is a setting', async () => {
    const uri = await openAnalyzed(TOKEN_RING.replace('when !leader[u]', 'when u != 0 && !leader[u]'));
    await editor.diagnosticsWhere(uri, found => codes(found).includes('symmetry/broken'));
    await editor.configure({ symmetry: { diagnostics: { severity: 'off' } } });
    await editor.diagnosticsWhere(uri, found => !codes(found).includes('symmetry/broken'));
    await editor.configure({});
    await editor.diagnosticsWhere(uri, found => codes(found).includes('symmetry/broken'));
});

test('an error is shown at its place, with the name that was meant', async () => {
    const uri = newUri();
    await editor.open(uri, TOKEN_RING.replace('!leader[u] &&', '!leder[u] &&'));
    const [error] = await editor.diagnosticsWhere(uri, found => found.length > 0);
    expect(error).toMatchObject({ code: 'name/unresolved', severity: 1 });
    expect(error?.range.start).toEqual(editor.positionOf(uri, 'leder'));
    expect(error?.message).toContain('leader');
});

test('an error that is mended is gone', async () => {
    const uri = newUri();
    await editor.open(uri, TOKEN_RING.replace('!leader[u] &&', '!leder[u] &&'));
    await editor.diagnosticsWhere(uri, found => codes(found).includes('name/unresolved'));
    await editor.edit(uri, 'leder', 'leader');
    await editor.diagnosticsWhere(uri, found => !codes(found).includes('name/unresolved'));
});

test('completion, definition, references, rename, outline, folding and hover answer over the wire', async () => {
    const uri = newUri();
    await editor.open(uri, TOKEN_RING);
    const textDocument = { uri };
    const position = editor.positionOf(uri, 'leader[u]');
    const completion = await editor.request<CompletionList>('textDocument/completion', { textDocument, position });
    expect(completion.items.map(item => item.label)).toContain('leader');
    const definition = await editor.request<readonly { targetRange?: unknown; range?: { start: unknown } }[]>(
        'textDocument/definition',
        { textDocument, position },
    );
    expect(definition).toHaveLength(1);
    const context = { includeDeclaration: true };
    const references = await editor.request<Location[]>('textDocument/references', { textDocument, position, context });
    expect(references).toHaveLength(TOKEN_RING.split(/\bleader\[|\bleader:/).length - 1);
    const edit = await editor.request<WorkspaceEdit>('textDocument/rename', {
        textDocument,
        position,
        newName: 'head',
    });
    expect(edit.changes?.[uri]).toHaveLength(references.length);
    const symbols = await editor.request<DocumentSymbol[]>('textDocument/documentSymbol', { textDocument });
    expect(symbols[0]?.name).toBe('TokenRing');
    const folding = await editor.request<FoldingRange[]>('textDocument/foldingRange', { textDocument });
    expect(folding.length).toBeGreaterThan(2);
    expect(await editor.hoverText(uri, 'Agent =')).toContain('type Agent = 0 .. N - 1');
});

test('a name that cannot be taken is refused with the reason', async () => {
    const uri = newUri();
    await editor.open(uri, TOKEN_RING);
    const position = editor.positionOf(uri, 'leader:');
    const request = editor.request('textDocument/rename', { textDocument: { uri }, position, newName: 'token' });
    await expect(request).rejects.toThrow('`token` is already the name of a variable');
});

test('exploring reduced and unreduced gives the published counts', async () => {
    const uri = await openAnalyzed(TOKEN_RING.replace('= 5', '= 4'));
    // Zhang et al., ASE 2013: token ring of 4, 532 orbits of 4096 states.
    const reduced = await editor.explore({ uri, reduction: 'unique', runId: 'a' });
    expect(reduced).toMatchObject({ uri, version: 1, document: { states: 532, verdict: 'holds' } });
    const all = await editor.explore({ uri, reduction: 'none', runId: 'b' });
    expect(all.document).toMatchObject({ states: 4096, verdict: 'holds' });
    expect((await editor.lensTitles(uri))[0]).toContain('no fault in all 4,096 states; 532 explored (7.7x)');
});

test('a long exploration reports progress, and nothing any more once it was cancelled', async () => {
    // It has 8^9 states; nothing else ends its exploration before this test.
    const uri = await openAnalyzed(TOKEN_RING.replace('= 5', '= 9'));
    for (const runId of ['first', 'second']) {
        const source = new CancellationTokenSource();
        const outcome = editor.explore({ uri, reduction: 'none', runId }, source.token).then(
            () => undefined,
            (error: unknown) => error,
        );
        const ofRun = (): readonly ExploreProgress[] => editor.progress.filter(report => report.runId === runId);
        const progress = await editor.when(
            () => ofRun().find(({ states }) => states > 0),
            () => `progress ${JSON.stringify(editor.progress.at(-1))}`,
        );
        expect(progress).toMatchObject({ phase: 'explore', version: 1 });
        source.cancel();
        const error = await outcome;
        expect(error).toBeInstanceOf(ResponseError);
        expect(error).toMatchObject({ code: LSPErrorCodes.RequestCancelled });
        // Who searched has time for other searches.
        const told = ofRun().length;
        const small = await openAnalyzed(TOKEN_RING.replace('= 5', '= 4'));
        expect(await editor.explore({ uri: small, reduction: 'none', runId: `after ${runId}` })).toMatchObject({
            document: { states: 4096, verdict: 'holds' },
        });
        expect(ofRun()).toHaveLength(told);
    }
});

test('an exploration that is cancelled at once is cancelled during its analysis', async () => {
    const uri = newUri();
    await editor.open(uri, TOKEN_RING.replace('= 5', '= 40'));
    const source = new CancellationTokenSource();
    const request = editor.explore({ uri, reduction: 'unique', runId: 'early' }, source.token);
    const outcome = request.then(
        () => undefined,
        (error: unknown) => error,
    );
    source.cancel();
    expect(await outcome).toMatchObject({ code: LSPErrorCodes.RequestCancelled });
});

test('a check of one property explores for that property alone', async () => {
    const peterson = readFileSync(new URL('../../models/peterson.orbit', import.meta.url), 'utf8');
    const uri = await openAnalyzed(peterson);
    const { document } = await editor.explore({ uri, reduction: 'unique', runId: 'mutex', property: 'mutex' });
    expect(document).toMatchObject({ verdict: 'holds', reduction: { order: '6', unique: true } });
    expect(await editor.lensTitles(uri)).toContainEqual(
        expect.stringMatching(/^holds in all \d+ states; \d+ explored \(.*x\)$/),
    );
    const unknown = editor.explore({ uri, reduction: 'unique', runId: 'no', property: 'nonsense' });
    await expect(unknown).rejects.toThrow('the model states no property `nonsense`');
});

test('a property of runs is checked alone, and the word that excludes its run is written where the text has it now', async () => {
    const text = [
        'model Lock',
        'type Proc = 1 .. 3',
        'var free: bool = true',
        'fair process P[i: Proc] {',
        '    loop { try: skip; enter: when free { free := false } leave: free := true }',
        '}',
        'property served = forall i in Proc: P[i] at enter leads to P[i] at leave',
    ].join('\n');
    const uri = await openAnalyzed(text);
    const params = { uri, reduction: 'unique', runId: 'served', property: 'served' } as const;
    const violated = (await editor.explore(params)).document as ExploreDocument;
    expect(violated).toMatchObject({ verdict: 'violated', violations: [{ kind: 'property', members: 3 }] });
    expect(await editor.lensTitles(uri)).toContainEqual(
        expect.stringMatching(/^violated by a run that repeats \d+ steps/),
    );
    const step = violated.violations[0]?.unfair?.find(({ process }) => process.startsWith('P['));
    expect(step).toMatchObject({ label: 'enter', kind: 'strong' });
    await editor.edit(uri, 'model Lock', '// A lock.\nmodel Lock');
    const { edits } = await editor.request<MakeFairResult>(MAKE_FAIR_REQUEST, { uri, step });
    expect(edits).toEqual([{ file: uri, line: 6, column: 23, endLine: 6, endColumn: 23, newText: 'strong fair ' }]);
    await editor.edit(uri, 'enter:', 'strong fair enter:');
    expect(await editor.explore(params)).toMatchObject({ document: { verdict: 'holds' } });
    expect(await editor.lensTitles(uri)).toContainEqual(
        expect.stringMatching(/^holds in \d+ orbits, one of 3 interchangeable checked$/),
    );
    expect(await editor.request(MAKE_FAIR_REQUEST, { uri, step })).toEqual({ edits: [] });
});

test('a model of Murphi becomes a text, with what is left out of it', async () => {
    const source = 'var x: boolean; startstate begin x := true; end; rule "flip" begin x := !x; end; cover x;';
    const uri = 'file:///models/flip.m';
    const { text, problems } = await editor.request<ImportMurphiResult>(IMPORT_MURPHI_REQUEST, { source, uri });
    expect(text).toContain('model Flip\n\nvar x: bool = true\n');
    expect(problems).toMatchObject([{ code: 'murphi/not-carried-over', file: uri, line: 1, column: 82 }]);
});

test('a sweep explores one value after the other, tells each at once, and stops at the first violation', async () => {
    const uri = 'file:///sweep.orbit';
    const ring = readFileSync('models/semaphore-mutex.orbit', 'utf8');
    await editor.open(uri, ring);
    const range = { name: 'N', first: 2, last: 5 };
    const params = { uri, reduction: 'unique', runId: 'sweep', range, continueAfterViolation: false } as const;
    expect(await editor.request<SweepResult>(SWEEP_REQUEST, params)).toEqual({});
    // 2N + 1 orbits, as the model's header counts them.
    const rowsOf = (id: string) =>
        editor.sweepRows
            .filter(({ runId }) => runId === id)
            .map(({ document }) => [document.params['N'], document.states, document.verdict]);
    expect(rowsOf('sweep')).toEqual([
        [2, 5, 'holds'],
        [3, 7, 'holds'],
        [4, 9, 'holds'],
        [5, 11, 'holds'],
    ]);
    const dining = { ...params, uri: 'file:///dining-sweep.orbit', runId: 'dining' };
    await editor.open(dining.uri, readFileSync('models/dining-philosophers.orbit', 'utf8'));
    await editor.request<SweepResult>(SWEEP_REQUEST, dining);
    expect(rowsOf('dining').map(([N, , verdict]) => [N, verdict])).toEqual([[2, 'violated']]);
    const outside = { ...params, range: { name: 'N', first: 65, last: 65 } };
    expect(await editor.request<SweepResult>(SWEEP_REQUEST, outside)).toMatchObject({
        problems: { problems: [{ severity: 'error' }] },
    });
});

/** The lenses once one has this title: a worker makes some models first. */
function lensesWith(uri: string, wanted: string): Promise<readonly string[]> {
    return vi.waitFor(
        async () => {
            const titles = await editor.lensTitles(uri);
            expect(titles).toContain(wanted);
            return titles;
        },
        { timeout: 120_000 },
    );
}

test('a run is looked for without a word in the text, and its question is read while it is written', async () => {
    const uri = await openAnalyzed(readFileSync('models/semaphore-mutex.orbit', 'utf8'));
    const ask = (text: string): Promise<QuestionResult> =>
        editor.request(QUESTION_REQUEST, { uri, question: { kind: 'run', text } });
    const open = await ask('count(i in Proc: P[i] at leave) == 1 then fr');
    expect(open.problem).toBe('`fr` is not declared');
    expect(open.completions).toContainEqual(expect.objectContaining({ label: 'free', from: 42, text: 'free' }));
    const ready = await ask('count(i in Proc: P[i] at leave) == 1 then free');
    expect(ready.problem).toBeUndefined();
    // A word that begins a declaration would end the question.
    expect(ready.completions.map(({ label }) => label)).toEqual(expect.not.arrayContaining(['process', 'run']));
    const params = { uri, reduction: 'unique', runId: 'f', find: 'count(i in Proc: P[i] at leave) == 1 then free' };
    const result = await editor.request<ExploreResult>(EXPLORE_REQUEST, params);
    expect(result).toMatchObject({
        document: { verdict: 'holds', properties: [{ name: 'find', verdict: 'reached', parts: [2, 3] }] },
    });
    // It is no answer about the text.
    expect(result.kept).toBeUndefined();
    expect((await editor.lensTitles(uri)).filter(title => /holds|reached/.test(title))).toEqual([]);
    expect(await editor.request<ExploreResult>(EXPLORE_REQUEST, { ...params, find: 'fr' })).toMatchObject({
        document: { problems: [{ message: '`fr` is not declared', line: 1, column: 1 }] },
    });
});

test('values of expressions are asked of a state', async () => {
    const uri = await openAnalyzed(readFileSync('models/semaphore-mutex.orbit', 'utf8'));
    const { steps } = await editor.request<StepsResult>(STEPS_REQUEST, { uri });
    const state = steps?.[0]?.entry.state;
    const asked = ['count(i in Proc: P[i] at try) + 1', 'fre', '{ i in Proc where i > 2 }', 'free'];
    expect(await editor.request<StepsResult>(STEPS_REQUEST, { uri, state, asked })).toEqual({
        values: ['5', '`fre` is not declared; did you mean `free`?', '{3, 4}', 'true'],
    });
    expect(await editor.request<StepsResult>(STEPS_REQUEST, { uri, state: { free: 7 }, asked: ['free'] })).toEqual({});
    expect(await editor.request<StepsResult>(STEPS_REQUEST, { uri, state, asked: ['fre'] })).toEqual({
        values: ['`fre` is not declared; did you mean `free`?'],
    });
});

test('a check for every value of a parameter stands above the invariants until the text is edited', async () => {
    const uri = await openAnalyzed(readFileSync('models/semaphore-mutex.orbit', 'utf8'));
    await lensesWith(uri, 'check for every N');
    expect(await editor.lensTitles(uri)).not.toContain('holds for every N');
    const params = { uri, names: ['N'] };
    // 15 views, as the design has computed with another program.
    expect(await editor.request<EverySizeResult>(EVERY_SIZE_REQUEST, params)).toMatchObject({
        document: { verdict: 'holds', forAll: ['N'], views: 15, params: { N: 'all' } },
    });
    expect(await editor.lensTitles(uri)).toContain('holds for every N');
    await editor.edit(uri, 'when free', 'when true');
    expect(await editor.lensTitles(uri)).not.toContain('holds for every N');
    expect(await editor.request<EverySizeResult>(EVERY_SIZE_REQUEST, params)).toMatchObject({
        document: { verdict: 'violated', violatedFor: { N: 2 }, violations: [{ name: 'mutex' }] },
    });
    const both = await openAnalyzed(readFileSync('models/readers-writers.orbit', 'utf8'));
    const lenses = await lensesWith(both, 'check for every R and W');
    expect(lenses.filter(title => title === 'check for every R and W')).toHaveLength(2);
    // 26 views, as the design has computed with another program.
    expect(
        await editor.request<EverySizeResult>(EVERY_SIZE_REQUEST, {
            uri: both,
            names: ['R', 'W'],
            property: 'exclusive',
        }),
    ).toMatchObject({ document: { verdict: 'holds', forAll: ['R', 'W'], views: 26, invariants: ['exclusive'] } });
    expect(await editor.lensTitles(both)).toContain('holds for every R and W');
    const ring = await openAnalyzed(TOKEN_RING);
    expect(await editor.lensTitles(ring)).not.toContain('check for every N');
    const refused = await editor.request<EverySizeResult>(EVERY_SIZE_REQUEST, { uri: ring, names: ['N'] });
    expect('problems' in refused.document && refused.document.problems[0]?.code).toBe('every/not-narrow');
});

test('a sweep ends once the model is edited, and not for a remark', async () => {
    const uri = newUri();
    await editor.open(uri, readFileSync('models/semaphore-mutex.orbit', 'utf8'));
    const range = { name: 'N', first: 2, last: 64 };
    const params = { uri, reduction: 'unique', runId: 'edited', range, continueAfterViolation: false } as const;
    const swept = editor.request<SweepResult>(SWEEP_REQUEST, params);
    const refused = expect(swept).rejects.toMatchObject({ code: LSPErrorCodes.ContentModified });
    const rows = () => editor.sweepRows.filter(({ runId }) => runId === 'edited');
    const rowsAfter = (count: number) =>
        editor.when(
            () => (rows().length > count ? true : undefined),
            () => `${rows().length} rows`,
        );
    await rowsAfter(0);
    await editor.edit(uri, 'model Sema', '// A remark.\nmodel Sema');
    await rowsAfter(rows().length + 1);
    await editor.edit(uri, 'model Sema', 'model Other');
    await refused;
    expect(new Set(rows().map(({ sourceKey }) => sourceKey)).size).toBe(1);
});

test('a sweep ends once another parameter has another value', async () => {
    const uri = newUri();
    const text = readFileSync('models/semaphore-mutex.orbit', 'utf8').replace(
        'param N',
        'param M: 1 .. 9 = 1\nparam N',
    );
    await editor.open(uri, text);
    const range = { name: 'N', first: 2, last: 64 };
    const params = { uri, reduction: 'unique', runId: 'other', range, continueAfterViolation: false } as const;
    const swept = editor.request<SweepResult>(SWEEP_REQUEST, params);
    const refused = expect(swept).rejects.toMatchObject({ code: LSPErrorCodes.ContentModified });
    await editor.when(
        () => editor.sweepRows.find(({ runId }) => runId === 'other'),
        () => 'no row',
    );
    await editor.request(CHOOSE_PARAMETERS_REQUEST, { uri, parameters: { M: '2' } });
    await refused;
});

test('a violation comes with a trace whose steps are in the text', async () => {
    const text = readFileSync(new URL('../../models/dining-philosophers.orbit', import.meta.url), 'utf8');
    const uri = await openAnalyzed(text);
    const { document } = await editor.explore({ uri, reduction: 'unique', runId: 'deadlock' });
    expect(document).toMatchObject({ verdict: 'violated', violations: [{ kind: 'deadlock' }] });
    const trace = 'violations' in document ? (document.violations[0]?.trace ?? []) : [];
    // Each of the 5 philosophers takes one fork, and that is it.
    expect(trace).toHaveLength(6);
    expect(trace[0]?.step).toBeNull();
    const lines = text.split('\n');
    for (const { step } of trace.slice(1)) {
        expect(step?.location.file).toBe(uri);
        expect(lines[(step?.location.line ?? 0) - 1]).toContain('get[');
    }
});

const RACE = `model Race
var x: 0 .. 1 = 0
event meet
process P[i: 0 .. 1] { loop { meet { x := i } } }
`;

test('what only the instantiated model shows is an error after the analysis', async () => {
    const uri = newUri();
    await editor.open(uri, RACE);
    expect(await editor.statusWhere(uri, ({ state }) => state !== 'running')).toMatchObject({ state: 'failed' });
    const found = await editor.diagnosticsWhere(uri, all => codes(all).includes('event/race'));
    const race = found.find(({ code }) => code === 'event/race');
    expect(race).toMatchObject({ severity: 1, range: { start: { line: 3 } } });
    await editor.edit(uri, 'x := i', 'skip');
    await editor.save(uri);
    await editor.statusWhere(uri, ({ state }) => state === 'done');
    await editor.diagnosticsWhere(uri, all => !codes(all).includes('event/race'));
});

test('a step that is never taken is a warning after the analysis, unless the text says that this is known', async () => {
    const uri = newUri();
    const step = 'when x == 2 { x := 0 }';
    await editor.open(
        uri,
        `model M\nvar x: 0 .. 3\nprocess P { loop { choose { x := 1 - x mod 2 } or {\n${step}\n} } }\n`,
    );
    const found = await editor.diagnosticsWhere(uri, all => codes(all).includes('step/never-enabled'));
    const warning = found.find(({ code }) => code === 'step/never-enabled');
    expect(warning).toMatchObject({ severity: 2, range: { start: { line: 3, character: 5 } } });
    await editor.edit(uri, step, `${step} // orbit-ignore step/never-enabled`);
    await editor.save(uri);
    await editor.statusWhere(uri, ({ state }) => state === 'done');
    await editor.diagnosticsWhere(uri, all => !codes(all).includes('step/never-enabled'));
});

test('a model whose initial values are impossible is answered by that problem', async () => {
    const uri = newUri();
    const start = 'var y: 0 .. 1 = any\nvar x: 0 .. 1 = if y == y then 5 else 0\n';
    await editor.open(uri, `model M\n${start}process P { loop { x := 1 - x } }\n`);
    const { document } = await editor.explore({ uri, reduction: 'unique', runId: 'none' });
    expect(document).toMatchObject({ problems: [{ severity: 'error', code: 'model/initial-fault', line: 3 }] });
});

test('typing goes on during an exploration, whose result names the version it was run for', async () => {
    const uri = await openAnalyzed(TOKEN_RING.replace('= 5', '= 6'));
    const request = editor.explore({ uri, reduction: 'none', runId: 'typing' });
    await editor.edit(uri, 'token[u] := 0; token[v] := 1; label[v] := 1 - label[u]', 'token[u] := 0');
    expect(await editor.hoverText(uri, 'label:')).toContain('edited since');
    expect(await request).toMatchObject({ version: 1, document: { states: 262144 } });
});

test('symmetries are answered with generators and orbits', async () => {
    const uri = await openAnalyzed(TOKEN_RING);
    const { document } = await editor.symmetries(uri);
    expect(document).toMatchObject({ model: 'TokenRing', params: { N: 5 }, order: '10', complete: true });
});

test('exploring a model with errors is answered by the errors', async () => {
    const uri = newUri();
    await editor.open(uri, TOKEN_RING.replace('!leader[u]', '!leder[u]'));
    const { document } = await editor.explore({ uri, reduction: 'unique', runId: 'x' });
    expect(document).toMatchObject({ problems: [{ severity: 'error', code: 'name/unresolved', file: uri }] });
});

test('exploring a document that is not open is an error with its name', async () => {
    const request = editor.explore({ uri: 'file:///never.orbit', reduction: 'unique', runId: 'x' });
    await expect(request).rejects.toThrow('never.orbit');
});

test.each([
    ['a file with only a comment', '// nothing\n'],
    ['no model at all', 'Dear Sir or Madam,\n\nplease find enclosed 3 %$§ things.\n'],
])('%s gets a diagnostic and no lens', async (_, text) => {
    const uri = newUri();
    await editor.open(uri, text);
    await editor.diagnosticsWhere(uri, found => found.length > 0);
    expect(await editor.lensTitles(uri)).toEqual([]);
});

test('200 syntax errors are answered, and so is the next request', async () => {
    const uri = newUri();
    const process = (index: number): string => `process P${index} { loop { when x == := 1 { } } }`;
    await editor.open(uri, Array.from({ length: 200 }, (_, index) => process(index)).join('\n'));
    const diagnostics = await editor.diagnosticsWhere(uri, found => found.length > 0);
    expect(diagnostics.every(({ message }) => !/\n\s+at /.test(message))).toBe(true);
    expect(await editor.hoverText(uri, 'P0')).toContain('process P0');
});

test('a document that is closed while it is analyzed leaves nothing behind', async () => {
    const uri = newUri();
    await editor.open(uri, TOKEN_RING.replace('= 5', '= 40'));
    await editor.statusWhere(uri, ({ state }) => state === 'running');
    await editor.close(uri);
    await editor.diagnosticsWhere(uri, found => found.length === 0);
    await expect(editor.symmetries(uri)).rejects.toThrow('not open');
});

test('a document without a file works as well', async () => {
    const uri = `untitled:Untitled-${++lastFile}`;
    await editor.open(uri, TOKEN_RING);
    expect(await editor.statusWhere(uri, ({ state }) => state === 'done')).toMatchObject({ order: '10' });
});

test('a worker that breaks down leaves the server up, with a line in the log', async () => {
    const broken = await buildServer();
    writeFileSync(join(dirname(broken.serverFile), 'analysis-worker.cjs'), 'throw new Error("the worker is broken");');
    const other = await TestEditor.start(broken.serverFile);
    const uri = newUri();
    await other.open(uri, TOKEN_RING);
    expect(await other.statusWhere(uri, ({ state }) => state === 'failed')).toMatchObject({
        summary: 'failed by a defect of Orbit, see the output channel',
    });
    await expect(other.explore({ uri, reduction: 'unique', runId: 'x' })).rejects.toThrow('by a defect of its own');
    expect(other.log.join()).toContain('the worker is broken');
    expect((await other.lensTitles(uri))[0]).toContain('failed by a defect of Orbit');
    expect(await other.hoverText(uri, 'label:')).toContain('var label: Bit[Agent] = any');
    await other.stop();
    broken.remove();
});

test('nothing in all this was a defect of the server', () => {
    expect(editor.log).toEqual([]);
});

test('an editor that pulls diagnostics gets them once, and is told when to pull again', async () => {
    const puller = await TestEditor.start(serverFile, { pullsDiagnostics: true });
    const uri = newUri();
    await puller.open(uri, TOKEN_RING.replace('when !leader[u]', 'when u != 0 && !leader[u]'));
    const pull = async (): Promise<readonly Diagnostic[]> =>
        (await puller.request<{ items: Diagnostic[] }>('textDocument/diagnostic', { textDocument: { uri } })).items;
    await pull();
    await puller.statusWhere(uri, status => status.state === 'done');
    await puller.when(
        () => (puller.diagnosticRefreshCount > 0 ? true : undefined),
        () => 'no refresh',
    );
    expect(codes(await pull()).filter(code => code === 'symmetry/broken')).toHaveLength(
        new Set(
            (await pull()).filter(({ code }) => code === 'symmetry/broken').map(({ range }) => JSON.stringify(range)),
        ).size,
    );
    expect(codes(await pull())).toContain('symmetry/broken');
    expect(puller.pushCount).toBe(0);
    await puller.edit(uri, 'u != 0 && !leader[u]', '!leder[u]');
    expect(codes(await pull())).toContain('name/unresolved');
    await puller.stop();
});

test('a pull that an edit overtakes is cancelled, not failed, and the next one answers', async () => {
    const puller = await TestEditor.start(serverFile, { pullsDiagnostics: true });
    const uri = newUri();
    await puller.open(uri, TOKEN_RING);
    const source = new CancellationTokenSource();
    const textDocument = { uri };
    const first = puller.request('textDocument/diagnostic', { textDocument }, source.token).then(
        () => undefined,
        (error: unknown) => error,
    );
    source.cancel();
    expect(await first).toMatchObject({ code: LSPErrorCodes.RequestCancelled });
    const { items } = await puller.request<{ items: Diagnostic[] }>('textDocument/diagnostic', { textDocument });
    expect(items.filter(({ severity }) => severity === 1)).toEqual([]);
    await puller.stop();
});

test('warnings have a setting, as a whole and one by one', async () => {
    const uri = newUri();
    await editor.open(uri, 'model M\nconst c = 1\nvar x: bool = true\nprocess P { loop { x := !x } }\n');
    await editor.diagnosticsWhere(uri, found => codes(found).includes('unused/constant'));
    await editor.configure({ diagnostics: { warnings: 'hint' } });
    await editor.diagnosticsWhere(uri, found =>
        found.some(({ code, severity }) => code === 'unused/constant' && severity === 4),
    );
    await editor.configure({ diagnostics: { hide: ['unused/constant'] } });
    await editor.diagnosticsWhere(uri, found => !codes(found).includes('unused/constant'));
    await editor.configure({});
});

test('a selection grows over the wire', async () => {
    const uri = newUri();
    await editor.open(uri, TOKEN_RING);
    const positions = [editor.positionOf(uri, 'leader[u]', 2)];
    const [selection] = await editor.request<{ range: unknown; parent?: unknown }[]>('textDocument/selectionRange', {
        textDocument: { uri },
        positions,
    });
    expect(selection).toMatchObject({ range: { start: editor.positionOf(uri, 'leader[u]') }, parent: {} });
});
