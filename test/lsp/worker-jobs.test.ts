/** What a worker remembers of a document from one save to the next, as the language server uses it. */
import { invariant } from '../../engine/common/assert.js';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DiagnosticSeverity } from 'vscode-languageserver';
import { analysisDiagnostics } from '../../language-server/lsp/diagnostics/symmetry-diagnostics.js';
import { readSettings } from '../../language-server/settings.js';
import { toPosted, type PostedFamily } from '../../language/posting/posted-family.js';
import { loadEverySize, loadModel } from '../../language-server/load-model.js';
import type { SymmetryReport } from '../../engine/describe/report.js';
import { JobRunner } from '../../language-server/analysis/worker-jobs.js';
import type { AnalysisOutcome, WorkerReply } from '../../language-server/analysis/worker-protocol.js';
import { drawsAll } from '../cases.js';
import { InProcessServer } from './in-process.js';
import { RING, RING_URI } from './ring.js';

/** A server whose one worker thread does its work. */
class WorkingServer extends InProcessServer {
    private readonly runner = new JobRunner({
        now: () => 0,
        post: reply => {
            this.replies.push(reply);
        },
        searchThreads: () => undefined,
    });
    private readonly replies: WorkerReply[] = [];
    private readonly opened = new Set<string>();
    private answered = 0;

    /** Saves `text`; what the worker answered, or undefined where it was not asked. */
    async saveText(uri: string, text: string): Promise<AnalysisOutcome | undefined> {
        if (this.opened.has(uri)) {
            await this.write(uri, text);
            this.save(uri);
        } else {
            // A document that is opened is analyzed as soon as it is built.
            this.opened.add(uri);
            this.save(uri);
            await this.write(uri, text);
        }
        const open = this.requests.slice(this.answered);
        this.answered = this.requests.length;
        let outcome: AnalysisOutcome | undefined;
        for (const { request, listener } of open) {
            // As between threads, the worker gets a copy.
            this.runner.run(structuredClone({ ...request, cancellation: new SharedArrayBuffer(4) }));
            const reply = this.replies.at(-1);
            if (reply?.kind === 'analyzed') {
                ({ outcome } = reply);
                listener.reply(reply);
            }
        }
        // The pool and the service each pass the answer on in a promise.
        await new Promise(resolve => setTimeout(resolve, 0));
        return outcome;
    }
}

const NOTHING_SEARCHED = { fragmentsEncoded: 0, searches: 0, treeNodes: 0, refinements: 0 };

test.each([
    ['a comment', `// A ring.\n${RING}`],
    ['a new layout', RING.replaceAll('\n', '\n\n')],
    ['a new name of a variable', RING.replaceAll('turn', 'token')],
])('after an edit of %s nothing is searched, and the output channel says so', async (_, text) => {
    const server = new WorkingServer();
    const first = await server.saveText(RING_URI, RING);
    expect(first?.report?.work.searches).toBeGreaterThan(0);
    expect(server.log.at(-1)).toMatch(
        /ring\.orbit: .* symmetries in 0 ms: \d+ of \d+ constraints worked out, \d+ search/,
    );
    const second = await server.saveText(RING_URI, text);
    expect(second?.report).toMatchObject({ order: first?.report?.order, work: NOTHING_SEARCHED });
    expect(server.log.at(-1)).toMatch(/: 0 of \d+ constraints worked out, nothing searched$/);
});

test('after an edit behind the text the worker is not asked', async () => {
    const server = new WorkingServer();
    await server.saveText(RING_URI, RING);
    expect(await server.saveText(RING_URI, `${RING}\n// the end`)).toBeUndefined();
});

test('diagnostics of an analysis stand where their places are now', async () => {
    const server = new WorkingServer();
    const broken = RING.replace('Proc = 0\n', 'Proc = any\n').replace('turn == i', 'turn == i && i != 1');
    const lines = async (text: string): Promise<number[]> => {
        const outcome = await server.saveText(RING_URI, text);
        return (outcome?.report?.broken ?? []).flatMap(({ locations }) =>
            locations.map(({ range }) => text.split('\n')[range.start.line]?.indexOf('i != 1') ?? -1),
        );
    };
    const before = await lines(broken);
    expect(before.length).toBeGreaterThan(0);
    expect(before.every(column => column >= 0)).toBe(true);
    expect(await lines(`// A ring.\n\n${broken}`)).toEqual(before);
});

test('a worker remembers a few documents', async () => {
    const server = new WorkingServer();
    const uri = (name: string): string => RING_URI.replace('ring.orbit', `${name}.orbit`);
    await server.saveText(uri('a'), RING);
    await server.saveText(uri('b'), RING);
    await server.saveText(uri('c'), RING);
    expect((await server.saveText(uri('a'), `\n${RING}`))?.report?.work).toMatchObject(NOTHING_SEARCHED);
    await server.saveText(uri('d'), RING);
    expect((await server.saveText(uri('b'), `\n${RING}`))?.report?.work.searches).toBeGreaterThan(0);
});

/** A runner with a clock that stands still, and its replies. */
function recordingRunner(): { readonly runner: JobRunner; readonly replies: readonly WorkerReply[] } {
    const replies: WorkerReply[] = [];
    const post = (reply: WorkerReply) => replies.push(reply);
    return { runner: new JobRunner({ now: () => 0, post, searchThreads: () => undefined }), replies };
}

test('an exploration without reduction searches for no symmetries, and one with reduction then finds them', async () => {
    const { model } = await loadModel(new TextEncoder().encode(RING), RING_URI, []);
    const { runner, replies } = recordingRunner();
    const common = { document: RING_URI, cancellation: new SharedArrayBuffer(4), budgetMilliseconds: 1000 };
    const explore = { ...common, kind: 'explore', limits: {}, continueAfterViolation: true } as const;
    const groupAfter = (): string | undefined => {
        const last = replies.at(-1);
        return last?.kind === 'explored' ? last.outcome.document?.reduction.order : undefined;
    };
    runner.run({ ...explore, job: 1, model: model!, reduction: 'none' });
    expect(groupAfter()).toBe('1');
    // What an analysis leaves behind would save this one the search.
    runner.run({ ...common, kind: 'analyze', job: 2, model: model! });
    const analyzed = replies.at(-1);
    expect(analyzed?.kind === 'analyzed' && analyzed.outcome.report?.work.searches).toBeGreaterThan(0);
    runner.run({ ...explore, job: 3, model: model!, reduction: 'none' });
    runner.run({ ...explore, job: 4, reduction: 'unique' });
    expect(Number(groupAfter())).toBeGreaterThan(1);
});

/** A text with the parameter `N` as the editor posts it. */
async function postedFamily(text: string): Promise<PostedFamily> {
    const loaded = await loadEverySize(text, RING_URI, new Map([['N', 'all']]));
    invariant(loaded.kind === 'family', 'the text has all values of N');
    return structuredClone(toPosted(loaded.family));
}

const FAMILY = `
param N: 1 .. 64 = 2
var on: bool[1 .. N] = false
process P[i: 1 .. N] { on[i] := true }
invariant few = count(i in 1 .. N: on[i]) <= 2
`;

test('a worker makes the models of a family itself, as an answer needs them', async () => {
    const { runner, replies } = recordingRunner();
    const { model } = await loadModel(FAMILY, RING_URI);
    runner.run({
        kind: 'everySize',
        ask: 'verdict',
        job: 1,
        model: model!,
        document: RING_URI,
        cancellation: new SharedArrayBuffer(4),
        family: await postedFamily(FAMILY),
        property: 'few',
        limits: {},
        text: { uri: RING_URI, content: FAMILY },
    });
    // By the text: the first size with more than two members.
    expect(replies).toMatchObject([{ outcome: { document: { verdict: 'violated', violatedFor: { N: 3 } } } }]);
});

test('a worker tells whether views may answer, and leaves open what a limit ends before that', async () => {
    const { runner, replies } = recordingRunner();
    const { model } = await loadModel(FAMILY, RING_URI);
    const common = {
        kind: 'everySize',
        model: model!,
        document: RING_URI,
        cancellation: new SharedArrayBuffer(4),
        property: undefined,
        text: { uri: RING_URI, content: FAMILY },
    } as const;
    const narrow = await postedFamily(FAMILY);
    const linked = FAMILY.replace('var on', 'type Proc = 1 .. N\nvar next: Proc?[Proc] = none\nvar on');
    const other = await postedFamily(linked.replace('on[i] := true', 'on[i] := true; next[i] := i'));
    runner.run({ ...common, ask: 'narrow', job: 1, family: narrow, limits: {} });
    runner.run({ ...common, ask: 'narrow', job: 2, family: other, limits: {} });
    runner.run({ ...common, ask: 'verdict', job: 3, family: narrow, limits: { milliseconds: 0 } });
    const limit = { kind: 'time', value: 0 };
    expect(replies).toMatchObject([
        { outcome: { problems: [] } },
        { outcome: { problems: [{ code: 'every/not-narrow' }] } },
        { outcome: { problems: [], document: { verdict: 'undecided', params: { N: 'all' }, limit } } },
    ]);
});

// Of a check for every value the model was not kept: the next request was about the one before, or about none.
test('a request without a model is about the last one that came, whatever it was for', async () => {
    const [first, second] = await Promise.all(
        ['First', 'Second'].map(name =>
            loadModel(`model ${name}\nvar x: 0 .. 1 = 0\nprocess P { x := 1 }\n`, RING_URI),
        ),
    );
    const { runner, replies } = recordingRunner();
    const common = { document: RING_URI, cancellation: new SharedArrayBuffer(4), budgetMilliseconds: 1000 };
    const everySize = {
        ...common,
        kind: 'everySize',
        ask: 'verdict',
        family: await postedFamily(FAMILY),
        property: undefined,
        text: { uri: RING_URI, content: '' },
    } as const;
    const explore = {
        ...common,
        kind: 'explore',
        limits: {},
        continueAfterViolation: true,
        reduction: 'none',
    } as const;
    runner.run({ ...explore, job: 1, model: first!.model! });
    runner.run({ ...everySize, job: 2, model: second!.model!, limits: {} });
    runner.run({ ...explore, job: 3 });
    expect(replies.map(({ kind }) => kind).filter(kind => kind !== 'progress')).toEqual([
        'explored',
        'everySize',
        'explored',
    ]);
    expect(replies.at(-1)).toMatchObject({ outcome: { document: { model: 'Second' } } });
});

test('an analysis tells what it has found before it explains it', async () => {
    const text = RING.replace('turn == i', 'turn == i && i != 1');
    const { model } = await loadModel(new TextEncoder().encode(text), RING_URI, []);
    const { runner, replies } = recordingRunner();
    const request = { document: RING_URI, cancellation: new SharedArrayBuffer(4), budgetMilliseconds: 1000 };
    runner.run({ ...request, kind: 'analyze', job: 1, model: model! });
    const [found, analyzed, ...more] = replies;
    expect(more).toEqual([]);
    if (found?.kind !== 'found' || analyzed?.kind !== 'analyzed' || analyzed.outcome.report === undefined) {
        throw new Error(`the replies were ${replies.map(({ kind }) => kind).join(', ')}`);
    }
    const { report } = analyzed.outcome;
    expect(found.report).toMatchObject({
        order: report.order,
        structure: report.structure,
        work: report.work,
        broken: [],
    });
    expect(report.broken.length).toBeGreaterThan(0);
});

test('a step that may be a fault has a hint, which a setting turns off', async () => {
    const server = new WorkingServer();
    const text = 'var x: 0 .. 3 = 0\nprocess P { loop { x := x + 1 } }\n';
    await server.saveText('file:///fault.orbit', text);
    const document = await server.write('file:///fault.orbit', text);
    const { explained } = server.analysis.findings(document);
    const shown = (settings: unknown): unknown =>
        explained && analysisDiagnostics(explained, document, readSettings(settings));
    expect(shown(undefined)).toMatchObject([
        {
            code: 'step/may-fault',
            severity: DiagnosticSeverity.Hint,
            range: { start: { line: 1, character: 19 }, end: { line: 1, character: 29 } },
            message: 'where `x` is 3, this is a fault: 4 is not in `0 .. 3`',
        },
    ]);
    expect(shown({ diagnostics: { possibleFaults: false } })).toEqual([]);
});

test('a search that its budget ends gives a subgroup, and the line above the model says so', async () => {
    // Without its last invariant, whose symmetries take longer than those of the model.
    const text = readFileSync('models/social-golfer.orbit', 'utf8').replace(/^invariant once[^]*$/m, '');
    const { model } = await loadModel(text, RING_URI, []);
    /** Each look at the clock takes a millisecond, so that a budget ends the search at the same place on any machine. */
    const reportAfter = (budgetMilliseconds: number): SymmetryReport => {
        let looks = 0;
        let report: SymmetryReport | undefined;
        const runner = new JobRunner({
            now: () => looks++,
            post: reply => {
                report = reply.kind === 'analyzed' ? reply.outcome.report : report;
            },
            searchThreads: () => undefined,
        });
        const cancellation = new SharedArrayBuffer(4);
        runner.run({ kind: 'analyze', job: 1, document: RING_URI, model: model!, cancellation, budgetMilliseconds });
        if (report === undefined) {
            throw new Error('there is no report');
        }
        return report;
    };
    let enough = 1;
    while (!reportAfter(enough).complete) {
        enough *= 2;
    }
    // The six golfers, and the two groups with the weeks: 2 · 6!, as in models/README.md.
    expect(reportAfter(enough).order).toBe('1440');
    const step = drawsAll ? 1 : Math.ceil(enough / 80);
    const lenses: string[] = [];
    for (let budget = enough / 2; budget < enough; budget += step) {
        const report = reportAfter(budget);
        if (report.complete) {
            expect(report.order).toBe('1440');
            break;
        }
        expect(1440n % BigInt(report.order)).toBe(0n);
        expect(report.broken).toEqual([]);
        const server = new InProcessServer();
        const document = await server.openAnalyzed(RING_URI, text, report);
        const textDocument = { uri: RING_URI };
        const [lens] = (await server.Orbit.lsp.CodeLensProvider?.provideCodeLens(document, { textDocument })) ?? [];
        lenses.push(lens?.command?.title ?? '');
    }
    expect(lenses.length).toBeGreaterThan(0);
    for (const lens of lenses) {
        expect(lens).toMatch(
            /^no symmetry found in the time given( · |$)|the search was stopped(, not checked by running the model)? · /,
        );
    }
});
