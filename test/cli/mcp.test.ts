/** The server of the Model Context Protocol as it ships: a process that a client talks to, a message a line. */
// @module-tag long
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MOST_CHARACTERS, shortened } from '../../cli/mcp/shorten.js';
import { patient } from '../patience.js';
import { provideCommand } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'orbit-mcp-'));
const LOCK = `model Lock
param N: 2 .. 6 = 3
type Id = 1 .. N
var taken: bool = false
process Worker[i: Id] {
    loop { look: when !taken && i != 2; enter: taken := true; leave: taken := false }
}
invariant alone = count(i in Id: Worker[i] at leave) <= 1
`;
/** More states than any machine stores. */
const ENDLESS = { path: 'models/peterson.orbit', parameters: { N: 9 }, reduction: 'none' };

beforeAll(async () => {
    await provideCommand(folder);
    writeFileSync(join(folder, 'lock.orbit'), LOCK);
}, 120_000);

afterAll(() => {
    rmSync(folder, { recursive: true });
});

interface Reply {
    readonly id: number | string | null;
    readonly result?: { readonly content?: readonly [{ readonly text: string }]; readonly isError?: boolean };
    readonly error?: { readonly code: number; readonly message: string };
}

/** A client: what it sends, and what it gets by the number of the request. */
class Client {
    readonly child: ChildProcessByStdio<Writable, Readable, null>;
    readonly replies: Reply[] = [];
    readonly notifications: object[] = [];
    readonly ended: Promise<number | null>;
    #next = 1;
    readonly #waiting: (() => void)[] = [];

    constructor() {
        const command = [join(folder, 'cli.cjs'), 'mcp'];
        this.child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'inherit'] });
        createInterface({ input: this.child.stdout }).on('line', line => {
            const message = JSON.parse(line) as Reply & { readonly method?: string };
            (message.method === undefined ? this.replies : this.notifications).push(message);
            this.#waiting.splice(0).forEach(resume => {
                resume();
            });
        });
        this.ended = new Promise(resolve => this.child.on('close', resolve));
    }

    send(message: object | string): void {
        this.child.stdin.write(
            `${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`,
        );
    }

    /** The number of the request. */
    request(method: string, params: object = {}): number {
        const id = this.#next++;
        this.send({ id, method, params });
        return id;
    }

    call(name: string, given: object): number {
        return this.request('tools/call', { name, arguments: given });
    }

    async reply(id: number | null): Promise<Reply> {
        for (;;) {
            const found = this.replies.find(reply => reply.id === id);
            if (found !== undefined) {
                return found;
            }
            await new Promise<void>(resume => this.#waiting.push(resume));
        }
    }

    async answer(name: string, given: object): Promise<{ readonly isError: boolean; readonly text: string }> {
        const { result } = await this.reply(this.call(name, given));
        return { isError: result?.isError === true, text: result?.content?.[0].text ?? '' };
    }
}

let client: Client;
const started = (): Client => (client = new Client());
afterEach(async () => {
    client.child.stdin.end();
    expect(await client.ended).not.toBe(70);
});

test('a client is told what there is', async () => {
    started();
    const { result } = await client.reply(
        client.request('initialize', { protocolVersion: '2025-03-26', capabilities: {} }),
    );
    expect(result).toMatchObject({
        protocolVersion: '2025-03-26',
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'orbit' },
    });
    client.send({ method: 'notifications/initialized' });
    const list = (await client.reply(client.request('tools/list'))).result as unknown as {
        tools: readonly { name: string; inputSchema: { type: string } }[];
    };
    expect(list.tools.map(({ name }) => name)).toEqual([
        'check',
        'format',
        'import',
        'symmetries',
        'explain',
        'explore',
        'sweep',
        'find',
        'verify',
        'export',
        'mutate',
        'match',
        'tests',
        'simulate',
    ]);
    expect(list.tools.every(({ inputSchema }) => inputSchema.type === 'object')).toBe(true);
    expect((await client.reply(client.request('ping'))).result).toEqual({});
    const newer = await client.reply(client.request('initialize', { protocolVersion: '2099-01-01' }));
    expect(newer.result).toMatchObject({ protocolVersion: '2025-11-25' });
});

test('a request that says its version needs none before it', async () => {
    started();
    const of = (version: string): object => ({
        _meta: {
            'io.modelcontextprotocol/protocolVersion': version,
            'io.modelcontextprotocol/clientCapabilities': {},
        },
    });
    const meta = of('2026-07-28');
    const found = await client.reply(client.request('server/discover', meta));
    expect(found.result).toMatchObject({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, resources: {} },
        cacheScope: 'public',
    });
    const { result } = await client.reply(
        client.request('tools/call', { ...meta, name: 'check', arguments: { text: LOCK } }),
    );
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { problems: [] } });
    expect(result).not.toHaveProperty('ttlMs');
    const page = await client.reply(
        client.request('resources/read', { ...meta, uri: 'orbit://manual/language/steps' }),
    );
    expect(page.result).toMatchObject({ contents: [{ mimeType: 'text/markdown' }], ttlMs: 3_600_000 });
    // There is no handshake any more.
    expect((await client.reply(client.request('initialize', meta))).error?.code).toBe(-32601);
    expect((await client.reply(client.request('tools/list', of('1999-01-01')))).error).toMatchObject({
        code: -32022,
        data: { supported: ['2026-07-28'], requested: '1999-01-01' },
    });
});

test('runs are found, changes made, logs judged and tests chosen', async () => {
    started();
    writeFileSync(
        join(folder, 'good.jsonl'),
        '{"step":"look","process":"Worker[a]"}\n{"step":"enter","process":"Worker[a]"}\n',
    );
    const model = { path: join(folder, 'lock.orbit') };
    const [found, swept, logs, walks, missing] = await Promise.all([
        client.answer('find', { ...model, run: 'taken then !taken' }),
        client.answer('sweep', { ...model, range: 'N=2..3' }),
        client.answer('match', { ...model, logs: join(folder, 'good.jsonl') }),
        client.answer('simulate', { ...model, runs: 5, steps: 3 }),
        client.answer('find', model),
    ]);
    expect(JSON.parse(found.text)).toMatchObject({ properties: [{ name: 'find', verdict: 'reached', steps: 3 }] });
    expect(JSON.parse(swept.text)).toMatchObject({ sweep: [{ params: { N: 2 } }, { params: { N: 3 } }] });
    expect(JSON.parse(logs.text)).toMatchObject({ logs: [{ fits: true, lines: 2 }] });
    expect(JSON.parse(walks.text)).toMatchObject({ walks: { runs: 5 } });
    expect(missing).toEqual({ isError: true, text: '`run` is missing' });
    const tests = await client.answer('tests', { ...model, cover: 'steps', members: 2 });
    expect(JSON.parse(tests.text)).toMatchObject({ cover: 'steps', transitionOrbits: expect.any(Number) as number });
    const mutants = await client.answer('mutate', model);
    expect(JSON.parse(mutants.text)).toMatchObject({ models: [{ model: 'Lock' }] });
}, 60_000);

test('a client that wants to know is told how long a call has taken', async () => {
    started();
    const id = client.request('tools/call', {
        name: 'explore',
        arguments: { ...ENDLESS, timeoutSeconds: 3 },
        _meta: { progressToken: 'p' },
    });
    await client.reply(id);
    expect(client.notifications).toContainEqual({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'p', progress: 2, message: '2 seconds' },
    });
}, 60_000);

test('each tool answers about a model by its path, and by its text', async () => {
    started();
    for (const model of [{ path: join(folder, 'lock.orbit') }, { text: LOCK }]) {
        const given = { ...model, parameters: { N: 4 } };
        const [checked, symmetries, explained, explored, walked] = await Promise.all([
            client.answer('check', given),
            client.answer('symmetries', given),
            client.answer('explain', given),
            client.answer('explore', given),
            client.answer('simulate', { ...given, seed: 3, steps: 5 }),
        ]);
        expect([checked, symmetries, explained, explored, walked].map(({ isError }) => isError)).toEqual(
            Array(5).fill(false),
        );
        expect(JSON.parse(checked.text)).toMatchObject({ problems: [] });
        expect(JSON.parse(symmetries.text)).toMatchObject({ params: { N: 4 }, order: '6', structure: 'S3' });
        expect(explained.text).toContain('`i != 2` breaks the symmetry of `Id`');
        expect(JSON.parse(explored.text)).toMatchObject({ verdict: 'violated', violations: [{ name: 'alone' }] });
        const { violations } = JSON.parse(explored.text) as { violations: [{ trace: Record<string, unknown>[] }] };
        // The first state as a whole, then what each step changes.
        expect(violations[0].trace[0]).toHaveProperty('state');
        expect(violations[0].trace[1]).toMatchObject({ step: { label: 'look' }, changes: {} });
        expect(JSON.parse(walked.text)).toMatchObject({ seed: 3 });
    }
}, 60_000);

test('texts are laid out, imported and exported, and nothing is written', async () => {
    started();
    const [formatted, wrong, imported, left, exported] = await Promise.all([
        client.answer('format', { text: 'model X\nvar x:bool=false\nprocess P{loop{a:x:=!x}}\n' }),
        client.answer('format', { text: 'model X {' }),
        client.answer('import', {
            text: 'var x: 0..1;\nstartstate x := 0; endstartstate;\nrule "a" x < 1 ==> x := 1; endrule;\n',
        }),
        client.answer('import', { text: 'var x: real(1, 1);\n' }),
        client.answer('export', { path: join(folder, 'lock.orbit'), to: 'aut', reduction: 'unique' }),
    ]);
    expect(JSON.parse(formatted.text)).toMatchObject({
        text: 'model X\nvar x: bool = false\nprocess P { loop { a: x := !x } }\n',
    });
    expect([wrong.isError, left.isError]).toEqual([true, true]);
    expect(wrong.text).toMatch(/^text:1:9: error/);
    expect(JSON.parse(imported.text)).toMatchObject({ text: expect.stringContaining('process') as string });
    expect(JSON.parse(exported.text)).toMatchObject({ text: expect.stringMatching(/^des \(/) as string });
    // Who writes half of a text back has lost the other one.
    const long = await client.answer('format', { text: `${LOCK}// ${'long '.repeat(6000)}\n` });
    expect(long).toMatchObject({
        isError: true,
        text: expect.stringContaining('more than 24,000 characters') as string,
    });
    expect((await client.answer('format', { path: join(folder, 'lock.orbit') })).text).toBe(
        'there is no argument `path`',
    );
    expect(readFileSync(join(folder, 'lock.orbit'), 'utf8')).toBe(LOCK);
}, 60_000);

test('a log that is wrong hides no other one', async () => {
    started();
    const log = join(folder, 'good.jsonl');
    writeFileSync(log, '{"step":"look","process":"Worker[1]"}\n');
    const { isError, text } = await client.answer('match', { text: LOCK, logs: [log, 'none.jsonl'], complete: true });
    expect(isError).toBe(false);
    expect(JSON.parse(text)).toMatchObject({ logs: [{ file: log }], problems: [{ code: 'call/file' }] });
    expect((await client.answer('match', { text: LOCK, logs: 'none.jsonl' })).isError).toBe(true);
}, 60_000);

test('requests in a list are answered in a list', async () => {
    started();
    client.send(
        '[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},' +
            '{"jsonrpc":"2.0","id":"b","method":"none"},3]',
    );
    client.send('[{"jsonrpc":"2.0","method":"notifications/initialized"}]');
    client.send('{"jsonrpc":"2.0","id":null,"method":"ping"}');
    await client.reply(null);
    await client.reply(client.request('ping'));
    const [together, ...lists] = client.replies.filter(reply => Array.isArray(reply));
    expect(lists).toEqual([]);
    expect(together).toHaveLength(3);
    expect(together).toEqual(
        expect.arrayContaining([
            { jsonrpc: '2.0', id: 'a', result: {} },
            expect.objectContaining({ id: 'b', error: expect.objectContaining({ code: -32601 }) as unknown }),
            expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) as unknown }),
        ]),
    );
    expect((await client.reply(null)).error?.code).toBe(-32600);
    // That, the list, and the answer to the ping: notifications in a list have no answer.
    expect(client.replies).toHaveLength(3);
});

test('the limits of a search are options of the tool', async () => {
    started();
    const text =
        'enum V = { .. }\nvar q: seq 9 of V = []\nvar x: V? = none\nallow deadlock\n' +
        'process P { loop { make: x := new V; keep: when len(q) < 9 { q := append(q, x) } } }';
    const { text: answer } = await client.answer('explore', { text, maxNames: 3 });
    expect(JSON.parse(answer)).toMatchObject({ verdict: 'undecided', limit: { kind: 'names', value: 3 } });
    const all = await client.answer('explore', { text });
    expect(JSON.parse(all.text)).toMatchObject({ verdict: 'holds', names: [{ mostNamed: 10 }] });
}, 60_000);

test('errors are errors of the tool, with their places', async () => {
    started();
    const wrong = LOCK.replace('taken := true', 'token := true');
    expect(await client.answer('explore', { text: wrong })).toEqual({
        isError: true,
        text: expect.stringMatching(/^text:6:\d+: error: .*token.* \[name\/unresolved\]$/) as string,
    });
    expect(JSON.parse((await client.answer('check', { text: wrong })).text)).toMatchObject({
        problems: [{ code: 'name/unresolved', line: 6 }],
    });
    expect((await client.answer('symmetries', { path: 'none.orbit' })).text).toContain("cannot read 'none.orbit'");
    expect((await client.answer('explore', { text: LOCK, parameters: { N: 99 } })).text).toContain('[parameter/');
    expect((await client.answer('explore', { text: LOCK, property: '--help' })).text).toContain("no property '--help'");
    const several = await client.answer('explore', { text: LOCK, property: ['faults', '--help'] });
    expect(several.text).toContain("no property '--help'");
    const refused = async (given: object): Promise<string> => {
        const { isError, text } = await client.answer('explore', given);
        return isError ? text : '';
    };
    expect(await refused({})).toBe('give either `path` or `text`');
    expect(await refused({ path: 'a', text: 'b' })).toBe('give either `path` or `text`');
    expect(await refused({ path: '-' })).toContain('that of a file');
    expect(await refused({ path: 'a', limit: 3 })).toBe('there is no argument `limit`');
    expect(await refused({ path: 'a', maxStates: 0.5 })).toContain('`maxStates` is a whole number from 1');
    expect(await refused({ path: 'a', reduction: 'much' })).toBe('`reduction` is one of auto, unique, none');
    expect(await refused({ path: 'a', parameters: { N: [1] } })).toContain('`parameters` is an object');
}, 60_000);

test('what is no request is an error of the protocol, and the server goes on', async () => {
    started();
    client.send('{"jsonrpc":');
    expect((await client.reply(null)).error?.code).toBe(-32700);
    client.send('[]');
    client.send({ id: 'a', result: {} });
    client.send({ method: 'notifications/cancelled', params: { requestId: 77 } });
    expect((await client.reply(client.request('prompts/list'))).error?.code).toBe(-32601);
    expect((await client.reply(client.call('prove', {}))).error).toMatchObject({ code: -32602 });
    expect(client.replies.map(({ error }) => error?.code)).toEqual([-32700, -32600, -32601, -32602]);
});

describe('a long call', () => {
    test('ends after its time, undecided, and others are answered meanwhile', async () => {
        started();
        // The other call starts a process meanwhile.
        const timeoutSeconds = Math.min(8, Math.ceil(patient(3000) / 1000));
        const long = client.call('explore', { ...ENDLESS, timeoutSeconds });
        const { text } = await client.answer('check', { text: LOCK });
        expect(text).toContain('problems');
        expect(client.replies.map(({ id }) => id)).not.toContain(long);
        const { result } = await client.reply(long);
        expect(JSON.parse(result?.content?.[0].text ?? '')).toMatchObject({
            verdict: 'undecided',
            limit: { kind: 'time', value: timeoutSeconds },
        });
    }, 60_000);

    test('that is cancelled gets no answer, and makes room', async () => {
        started();
        const long = Array.from({ length: 6 }, () => client.call('explore', { ...ENDLESS, timeoutSeconds: 500 }));
        for (const requestId of long) {
            client.send({ method: 'notifications/cancelled', params: { requestId, reason: 'enough' } });
        }
        expect((await client.answer('check', { text: LOCK })).isError).toBe(false);
        expect(client.replies.filter(({ id }) => long.includes(Number(id)))).toEqual([]);
    }, 60_000);

    test('ends with the server, when the input ends or Ctrl+C is pressed', async () => {
        for (const [end, code] of [
            [() => client.child.stdin.end(), 0],
            [() => client.child.kill('SIGINT'), 130],
            [() => client.child.kill('SIGTERM'), 130],
        ] as const) {
            started();
            client.call('explore', { ...ENDLESS, timeoutSeconds: 500 });
            await client.reply(client.request('ping'));
            end();
            expect(await client.ended).toBe(code);
        }
    }, 60_000);
});

/** The processes that a process has started, and those that they have. */
function descendantsOf(pid: number): number[] {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    return children.flatMap(child => [child, ...descendantsOf(child)]);
}

// It went on until its own limit of time.
test.runIf(existsSync('/proc/self/task'))(
    'no search outlives the server, however that ends',
    async () => {
        const { child } = started();
        client.call('explore', { ...ENDLESS, timeoutSeconds: 500 });
        await expect.poll(() => descendantsOf(child.pid ?? 0), { timeout: 20_000 }).toHaveLength(1);
        const [search] = descendantsOf(child.pid ?? 0);
        // The search has to have begun to look after its parent.
        await new Promise(resume => setTimeout(resume, 3000));
        child.kill('SIGKILL');
        await expect.poll(() => existsSync(`/proc/${search}`), { timeout: 20_000 }).toBe(false);
    },
    60_000,
);

test('a text of more than 64 MB is refused', async () => {
    started();
    const { isError, text } = await client.answer('check', { text: ' '.repeat(64 * 2 ** 20 + 1) });
    expect(isError).toBe(true);
    expect(text).toContain('more than 64 MB');
}, 60_000);

describe('a long answer', () => {
    const trace = Array.from({ length: 5000 }, (_, index) => ({
        step: index === 0 ? null : { process: 'P', label: `l${index}` },
        state: { x: index, y: 0 },
        changed: index === 0 ? [] : ['x'],
    }));

    test('is cut, keeps the beginning and the end of a run, and says what was left out', () => {
        const text = shortened({ verdict: 'violated', violations: [{ trace }] });
        expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
        const { verdict, violations, leftOut } = JSON.parse(text) as {
            verdict: string;
            violations: [{ trace: object[] }];
            leftOut: string[];
        };
        expect(verdict).toBe('violated');
        expect(violations[0].trace[0]).toEqual(trace[0]);
        expect(violations[0].trace.at(-1)).toEqual({ step: { process: 'P', label: 'l4999' }, changes: { x: 4999 } });
        expect(leftOut).toEqual([`violations[0].trace: ${5000 - violations[0].trace.length} of 5000`]);
    });

    test('of many long parts, too', () => {
        const texts = Array.from({ length: 40 }, (_, index) => 'x'.repeat(5000 + index));
        const fields = Object.fromEntries(texts.map((text, index) => [`f${index}`, { text, texts }]));
        const text = shortened({ fields, lists: texts.map(() => texts) });
        expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
        expect(text).toContain('leftOut');
    });

    test('a short one is as it is', () => {
        expect(shortened({ a: [1, 2, 3] })).toBe('{"a":[1,2,3]}');
    });
});
