/** A log as a worker of the language server judges it, and the logs that a mapping names. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { JobRunner } from '../../language-server/analysis/worker-jobs.js';
import type { MatchOutcome, WorkerReply } from '../../language-server/analysis/worker-protocol.js';
import type { LogDocument } from '../../language-server/document-schema.js';
import { orbit } from '../cli/in-process.js';
import { modelOf } from '../model-of-text.js';

const RAFT = readFileSync('models/raft-election.orbit', 'utf8');
const VOTES = [
    { process: 'Campaign[alpha]', step: 'timeout' },
    { step: 'grant', i: 'beta', j: 'alpha' },
    { process: 'Campaign[alpha]', step: 'win', 'node.role': 'leader' },
    { process: 'Campaign[gamma]', step: 'timeout', 'node.term': 1 },
    { step: 'follow', i: 'gamma', j: 'alpha', 'node[gamma].role': 'follower' },
    { process: 'Campaign[gamma]', step: 'win' },
]
    .map(line => `${JSON.stringify(line)}\n`)
    .join('');

interface Given {
    readonly mapping?: object | string;
    readonly model?: string;
    readonly milliseconds?: number;
    /** By question of the clock. */
    readonly clock?: () => number;
    readonly isCancelled?: boolean;
}

async function replyTo(log: string, given: Given = {}): Promise<readonly WorkerReply[]> {
    const { mapping, model = RAFT, milliseconds, clock = () => 0, isCancelled = false } = given;
    const replies: WorkerReply[] = [];
    const runner = new JobRunner({
        now: clock,
        post: reply => void replies.push(reply),
        searchThreads: () => undefined,
    });
    const cancellation = new SharedArrayBuffer(4);
    new Int32Array(cancellation)[0] = isCancelled ? 1 : 0;
    const mappingText = typeof mapping === 'object' ? JSON.stringify(mapping) : mapping;
    runner.run({
        kind: 'match',
        job: 1,
        document: 'm',
        model: await modelOf(model),
        cancellation,
        log,
        maxCandidates: 1000,
        ...(mappingText !== undefined && { mapping: mappingText }),
        ...(milliseconds !== undefined && { milliseconds }),
    });
    return replies;
}

async function answerTo(log: string, given: Given = {}): Promise<MatchOutcome> {
    const reply = (await replyTo(log, given)).at(-1);
    if (reply?.kind !== 'matched') {
        throw new Error(JSON.stringify(reply));
    }
    return reply.outcome;
}

test('the answer is that of the command line', async () => {
    const told = await answerTo(VOTES);
    const { stdout } = await orbit(['match', 'm.orbit', 'log', '--json'], { files: { 'm.orbit': RAFT, log: VOTES } });
    const { logs } = JSON.parse(stdout) as { logs: LogDocument[] };
    expect(told.kind === 'judged' && withoutFiles(told.document)).toEqual(withoutFiles(logs[0]!));
    expect(logs[0]!.misfit?.line).toBe(6);
});

/** Places of the text are URIs in the editor. */
function withoutFiles(document: LogDocument): unknown {
    return JSON.parse(JSON.stringify(document), (key, value: unknown) => (key === 'file' ? '' : value));
}

test('a log that is wrong, a mapping that is wrong, and a model without a start are told as what they are', async () => {
    expect(await answerTo('{"step": "win"\n')).toMatchObject({ kind: 'log', code: 'log/syntax', line: 1 });
    expect(await answerTo('{"step": "wins"}\n')).toMatchObject({ kind: 'log', code: 'log/step', line: 1 });
    expect(await answerTo(VOTES, { mapping: '{' })).toEqual({
        kind: 'mapping',
        message: 'a mapping is one JSON object',
    });
    expect(await answerTo(VOTES, { mapping: { hide: ['wins'] } })).toEqual({
        kind: 'mapping',
        message: "no step or event is called 'wins'",
    });
    expect(await answerTo(VOTES, { mapping: { opaque: ['Machine'] } })).toEqual({
        kind: 'mapping',
        message: "no type of names is called 'Machine'",
    });
    const model = 'model M\nvar x: 0 .. 1\ninit x > 1\nprocess P { go: x := 0 }';
    expect(await answerTo('{"step": "go"}\n', { model })).toMatchObject({
        kind: 'model',
        problems: [{ code: 'model/no-initial-state' }],
    });
});

test('a document of spans has numbers of spans, and no lines', async () => {
    const span = { name: 'timeout', endTimeUnixNano: '2' };
    const earlier = { name: 'win', endTimeUnixNano: '1' };
    const document = { resourceSpans: [{ scopeSpans: [{ spans: [span, earlier] }] }] };
    const told = await answerTo(JSON.stringify(document, undefined, 4));
    expect(told).toMatchObject({ kind: 'judged', isOfSpans: true, document: { misfit: { line: 1 } } });
    expect(await answerTo(VOTES)).toMatchObject({ isOfSpans: false });
});

test('lines are counted for the reader, and the time ends the log between lines', async () => {
    const long = '{"step": "timeout", "i": "a"}\n{"step": "timeout", "i": "b"}\n{"step": "timeout", "i": "c"}\n';
    let time = 0;
    const replies = await replyTo(long, { clock: () => (time += 150) });
    expect(replies.filter(({ kind }) => kind === 'counted').length).toBeGreaterThan(0);
    expect(replies.at(-1)).toMatchObject({ kind: 'matched', outcome: { document: { verdict: 'fits', lines: 3 } } });
    time = 0;
    const ended = await answerTo(long, { clock: () => (time += 150), milliseconds: 1_500 });
    expect(ended).toMatchObject({ ended: 1, document: { verdict: 'undecided', fits: false, lines: 0 } });
});

test('a job that is cancelled has no answer', async () => {
    expect((await replyTo(VOTES, { isCancelled: true })).at(-1)).toEqual({ kind: 'cancelled', job: 1 });
});
